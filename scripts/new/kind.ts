import type { Draft } from './draft.ts'

/** A kind of thing that can be begun. */
export interface Kind {
  /** What has to be named, in order. */
  readonly parameters: readonly string[]
  /** One line for the help. */
  readonly says: string
  /**
   * Drafts every file that the kind has.
   * @param names as many as `parameters`
   * @returns what is left to do beside the TODO lines
   * @throws Refusal where a name is taken or badly formed
   */
  draft(draft: Draft, names: readonly string[]): readonly string[]
}
