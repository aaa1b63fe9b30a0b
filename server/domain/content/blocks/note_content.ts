import type { MeetingNotesContent, MeetingNotesStatus } from '../../../../generated/types.ts'
import type { StoredContent } from '../../../store/blocks.ts'
import type { StoredRichText } from '../rich_text/stored.ts'

export interface NoteContent extends Omit<MeetingNotesContent, 'title' | 'status' | 'children'> {
  readonly title: StoredRichText
  readonly status: MeetingNotesStatus
  readonly children?: SectionIds
}

/** The ids of the blocks of existing sections. */
type SectionIds = { readonly [Section in keyof NonNullable<MeetingNotesContent['children']>]?: string }

export function noteContent(content: StoredContent): NoteContent {
  // Only this folder and the sample content write it.
  return content as unknown as NoteContent
}

/** The content of a copy of a note. Copies are not processed. */
export function contentOfCopiedNote(content: StoredContent): StoredContent {
  const { status } = noteContent(content)
  switch (status) {
    case 'notes_ready':
    case 'transcription_failed':
      return content
    case 'summary_in_progress':
      return { ...content, status: 'notes_ready' }
    case 'transcription_not_started':
    case 'transcription_in_progress':
    case 'transcription_paused':
      return { ...content, status: 'transcription_failed' }
  }
}
