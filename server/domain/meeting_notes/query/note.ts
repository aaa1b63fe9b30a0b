import type { MeetingNotesPropertyName } from '../../../../generated/types.ts'
import { attendeesIn, type StoredContent } from '../../../store/blocks.ts'
import type { NoteRow } from '../../../store/meeting_notes.ts'
import { plainText } from '../../rich_text/present.ts'
import type { StoredRichText } from '../../rich_text/stored.ts'

/** What notes are filtered and sorted by. */
export interface NoteFacts extends Pick<NoteRow, 'id' | 'createdTime' | 'createdBy' | 'lastEditedTime' | 'lastEditedBy'> {
  readonly title: string
  readonly attendees: readonly string[]
}

export function noteOf(row: NoteRow): NoteFacts {
  return { ...row, title: titleIn(row.content), attendees: attendeesIn(row.content) }
}

const NOTHING = { users: new Map(), titles: new Map(), emojis: new Map(), files: new Map(), baseUrl: '' }

/** Titles of notes are made of text alone. */
function titleIn(content: StoredContent): string {
  return plainText((content['title'] ?? []) as StoredRichText, NOTHING)
}

/** The people of a property; none of a property of another kind. */
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
