/** What one change means for callers, as semantic versioning names it. */

/** The words of semantic versioning, the worst first: callers break, callers gain something, only wording differs. */
export const words = ['major', 'minor', 'patch'] as const
export type Word = (typeof words)[number]

/** One change as callers of one operation meet it. */
export interface Finding {
  word: Word
  /** where callers meet it: `query page_size`, `answer 200`, `PageObject.url` */
  place: string
  message: string
}

/** One change with everyone who meets it. */
export interface Change extends Finding {
  /** `operationId`s, and `event <name>` for webhooks; empty for the contract as a whole */
  operations: string[]
}

/** The worst word of the changes; undefined when there is none. */
export function worstOf(changes: readonly Finding[]): Word | undefined {
  return words.find((word) => changes.some((change) => change.word === word))
}

/** The same change of several operations is one change. In order of word, then place. */
export function mergedChanges(found: readonly { operation: string | undefined; finding: Finding }[]): Change[] {
  const changes = new Map<string, Change>()
  for (const { operation, finding } of found) {
    const key = JSON.stringify([finding.word, finding.place, finding.message])
    const change = changes.get(key) ?? { ...finding, operations: [] }
    changes.set(key, change)
    if (operation !== undefined && !change.operations.includes(operation)) change.operations.push(operation)
  }
  return [...changes.values()].toSorted(
    (a, b) => words.indexOf(a.word) - words.indexOf(b.word) || (a.place < b.place ? -1 : a.place > b.place ? 1 : 0),
  )
}
