import type { MeetingNotesPropertyName } from '../../../../../generated/types.ts'
import { attendeesIn } from '../../../../store/blocks.ts'
import type { NoteRow } from '../../../../store/note_scans.ts'
import { titleText } from '../../../../store/titles.ts'

/** The data of notes for filters and sorts. */
export interface NoteFacts extends Pick<NoteRow, 'id' | 'createdTime' | 'createdBy' | 'lastEditedTime' | 'lastEditedBy'> {
  readonly title: string
  readonly attendees: readonly string[]
}

export function noteOf(row: NoteRow): NoteFacts {
  return { ...row, title: titleText(row.content['title']), attendees: attendeesIn(row.content) }
}

/** The people of a property; empty for other properties. */
export function peopleOf(note: NoteFacts, property: MeetingNotesPropertyName): readonly string[] {
  switch (property) {
    case 'created_by':
      return [note.createdBy]
    case 'last_edited_by':
      return [note.lastEditedBy]
    case 'attendees':
      return note.attendees
    case 'title':
    case 'created_time':
    case 'last_edited_time':
      return []
  }
}
