import type { NoteRow } from '../../../../store/note_scans.ts'

/** A batch of notes that an access path has found. */
export interface NotesMet {
  readonly rows: readonly NoteRow[]
  /** Whether the notes come in the requested order. If so, no further note comes before the last one by the first sort. */
  readonly isInOrder: boolean
  /** The number of records read to find them. */
  readonly read: number
}

/** An access path to all notes that a response may contain, and possibly to others. */
export type NoteAccessPath = AsyncGenerator<NotesMet, void>
