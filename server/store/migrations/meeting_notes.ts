import type { Migration } from './migration.ts'

/**
 * Meeting notes are blocks, with the content that responses show. These tables index them; for notes made from a recording, they also
 * contain the data for processing the recording.
 */
export const meetingNoteTables: Migration = {
  number: 23,
  name: 'meeting notes',
  statements: ({ id, time }) => [
    // `transcript_id` is the transcript that is being stored. It is set until the transcript is part of the note.
    `create table meeting_notes (
      workspace_id ${id} not null, id ${id} not null, created_time ${time} not null,
      upload_id ${id}, language text, is_summarised integer, transcript_id ${id},
      primary key (workspace_id, id))`,
    `create index meeting_notes_by_creation on meeting_notes (workspace_id, created_time, id)`,
    // The creator of a note and the attendees of its meeting.
    `create table meeting_note_people (
      workspace_id ${id} not null, note_id ${id} not null, user_id ${id} not null, created_time ${time} not null,
      primary key (workspace_id, note_id, user_id))`,
    `create index meeting_notes_of_person on meeting_note_people (workspace_id, user_id, created_time, note_id)`,
    `insert into meeting_notes (workspace_id, id, created_time)
      select workspace_id, id, created_time from blocks where type = 'meeting_notes'`,
    `insert into meeting_note_people (workspace_id, note_id, user_id, created_time)
      select workspace_id, id, created_by, created_time from blocks where type = 'meeting_notes'`,
  ],
}
