import type { NoteRow } from '../../../store/note_scans.ts'

/** What a path leads to next. */
export interface NotesMet {
  readonly rows: readonly NoteRow[]
  /** They come in the order that is asked for: what follows comes with the last of them or behind it, by the first entry of the order. */
  readonly isInOrder: boolean
  /** Of how many records it took notice to find them. */
  readonly read: number
}

/** Leads to every note that an answer may hold, and to others. */
export type NotePath = AsyncGenerator<NotesMet, void>
