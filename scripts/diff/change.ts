/** The levels of semantic versioning, the worst first: breaking, additive, wording only. */
export const words = ['major', 'minor', 'patch'] as const
export type Word = (typeof words)[number]

/** A change as the callers of one operation see it. */
export interface OperationChange {
  word: Word
  /** where callers see it: `query page_size`, `response 200`, `PageObject.url` */
  location: string
  message: string
}

/** A change with all operations that it affects. */
export interface ContractChange extends OperationChange {
  /** `operationId`s, and `event <name>` for webhooks; empty for the contract as a whole */
  operations: string[]
}

/** The worst level of the changes, or undefined. */
export function worstOf(changes: readonly OperationChange[]): Word | undefined {
  return words.find((word) => changes.some((change) => change.word === word))
}

/** Merges the same change of several operations. Sorted by level, then location. */
export function mergedChanges(found: readonly { operation: string | undefined; change: OperationChange }[]): ContractChange[] {
  const changes = new Map<string, ContractChange>()
  for (const { operation, change } of found) {
    const key = JSON.stringify([change.word, change.location, change.message])
    const merged = changes.get(key) ?? { ...change, operations: [] }
    changes.set(key, merged)
    if (operation !== undefined && !merged.operations.includes(operation)) merged.operations.push(operation)
  }
  return [...changes.values()].toSorted(
    (a, b) => words.indexOf(a.word) - words.indexOf(b.word) || (a.location < b.location ? -1 : a.location > b.location ? 1 : 0),
  )
}
