import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

/** The index entry of meeting notes. */
export interface NewMeetingNote {
  readonly id: string
  readonly createdTime: number
  /** The ids of the creator and the attendees, without duplicates. */
  readonly people: readonly string[]
  /** The collation key of the title; empty without a title. */
  readonly titleKey: string
}

export async function insertMeetingNotes(db: Transaction, workspaceId: string, notes: readonly NewMeetingNote[]): Promise<void> {
  if (notes.length === 0) return
  await db.insert({
    table: 'meeting_notes',
    columns: ['workspace_id', 'id', 'created_time', 'title_key'],
    rows: notes.map(({ id, createdTime, titleKey }) => [workspaceId, id, createdTime, titleKey]),
  })
  await db.insert({
    table: 'meeting_note_people',
    columns: ['workspace_id', 'note_id', 'user_id', 'created_time'],
    rows: notes.flatMap(({ id, createdTime, people }) => people.map((userId) => [workspaceId, id, userId, createdTime])),
  })
}

/**
 * Deletes the index entries of erased meeting notes, and transcripts that are not yet part of a note. @param ids the ids of blocks of any
 * type
 */
export async function dropMeetingNotes(db: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  const wanted = db.wanted(ids)
  await db.run(
    sql`insert into erased_blocks (workspace_id, id) select workspace_id, transcript_id from meeting_notes
     where workspace_id = ${workspaceId} and id in (select wanted.id from ${wanted}) and transcript_id is not null
     on conflict do nothing`,
  )
  await db.run(sql`delete from meeting_notes where workspace_id = ${workspaceId} and id in (select wanted.id from ${wanted})`)
  await db.run(
    sql`delete from meeting_note_people where workspace_id = ${workspaceId} and note_id in (select wanted.id from ${wanted})`,
  )
}

const recordingRow = rowOf({
  upload_id: 'text?',
  language: 'text?',
  /** 0 or 1: whether to create a summary. */
  is_summarised: 'integer?',
  transcript_id: 'text?',
})
export type RecordingRow = RowOf<typeof recordingRow>

/** The recording from which a note is made. The columns are null for a copy of a note. */
export async function findRecording(db: Connection, workspaceId: string, id: string): Promise<RecordingRow | undefined> {
  return db.get(
    recordingRow,
    sql`select upload_id, language, is_summarised, transcript_id from meeting_notes where workspace_id = ${workspaceId}
      and id = ${id}`,
  )
}

export async function setRecording(
  db: Transaction,
  workspaceId: string,
  id: string,
  uploadId: string,
  language: string,
  isSummarized: boolean,
): Promise<void> {
  await db.run(
    sql`update meeting_notes set upload_id = ${uploadId}, language = ${language}, is_summarised = ${isSummarized ? 1 : 0}
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** @param transcriptId the transcript that is being stored; null once it is part of the note */
export async function setUnfinishedTranscript(
  db: Transaction,
  workspaceId: string,
  id: string,
  transcriptId: string | null,
): Promise<void> {
  await db.run(sql`update meeting_notes set transcript_id = ${transcriptId} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** The notes at any depth of a page's content, by id. @param afterId undefined for the beginning */
export async function listNotesOnPage(
  db: Connection,
  workspaceId: string,
  pageId: string,
  afterId: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and page_id = ${pageId} and type = 'meeting_notes'
      ${afterId === undefined ? sql`` : sql`and id > ${afterId}`} order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}
