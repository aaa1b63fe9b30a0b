import type { FileDraft } from './file_draft.ts'

/** A kind of addition that `npm run new` scaffolds. */
export interface Kind {
  /** The names of its arguments, in order. */
  readonly parameters: readonly string[]
  /** One line of the help. */
  readonly says: string
  /** Consequences for callers of existing releases: whether it breaks their programs. */
  readonly callers: string
  /**
   * Drafts every file of the addition.
   * @param names the arguments, one for each of `parameters`
   * @returns remaining tasks besides the TODO lines
   * @throws UsageError if a name is in use or malformed
   */
  draft(draft: FileDraft, names: readonly string[]): readonly string[]
}
