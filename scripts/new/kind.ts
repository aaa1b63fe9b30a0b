import type { FileDraft } from './file_draft.ts'

/** A kind of addition that `npm run new` scaffolds. */
export interface Kind {
  /** The names of its arguments, in order. */
  readonly parameters: readonly string[]
  /** One line for the help. */
  readonly says: string
  /** What it means for callers of the releases so far: whether it breaks their programs. */
  readonly callers: string
  /**
   * Drafts every file of the addition.
   * @param names the arguments, one for each of `parameters`
   * @returns what is left to do besides the TODO lines
   * @throws UsageError if a name is taken or malformed
   */
  draft(draft: FileDraft, names: readonly string[]): readonly string[]
}
