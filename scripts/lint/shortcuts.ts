/** References as Redocly's walk follows them: not into files that need not be looked at again. */

import type { ResolvedRefMap } from '@redocly/openapi-core'

export type ResolvedReference = ResolvedRefMap extends Map<string, infer Value> ? Value : never

/** The file that refers, in the key of a reference. */
export const fileOfReference = (id: string): string => id.slice(0, id.indexOf('::'))

const EMPTY = {}

/** For the walk, files that need not be looked at are empty; for rules that ask what a reference leads to, they are as they are. */
export class Shortcuts extends Map<string, ResolvedReference> {
  /** The files that the walk has entered. */
  readonly walked: Set<string>
  readonly #root: string
  readonly #isSkipped: (file: string) => boolean
  #isRuleAsking = false

  /** @param root the root file, all of whose references are followed, because some rules are about the names of its components */
  constructor(references: ResolvedRefMap, root: string, isSkipped: (file: string) => boolean) {
    super(references)
    this.#root = root
    this.#isSkipped = isSkipped
    this.walked = new Set([root])
  }

  override get(id: string): ResolvedReference | undefined {
    const found = super.get(id)
    if (this.#isRuleAsking || found?.resolved !== true) return found
    const file = found.document.source.absoluteRef
    if (this.#isSkipped(file) && fileOfReference(id) !== this.#root) return { ...found, node: EMPTY }
    this.walked.add(file)
    return found
  }

  /** Lets a rule ask while it visits. */
  letAsk(visitor: { visit: (...context: never[]) => void }): void {
    const { visit } = visitor
    visitor.visit = (...context) => {
      this.#isRuleAsking = true
      visit(...context)
      this.#isRuleAsking = false
    }
  }
}
