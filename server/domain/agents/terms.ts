import { wordsOf, type Words } from '../../kernel/words.ts'
import { isTermIn, splitWords } from '../shared/index.ts'

const TERMS_MAX = 32

/** The terms of a text, without repetitions. */
export function termsOf(text: string): string[] {
  const counts = new Map<string, number>()
  for (const word of splitWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts.keys()].filter(isTermIn('auto', counts)).slice(0, TERMS_MAX)
}

/** The maximum number of characters of a text that are analyzed. */
const TEXT_LENGTH_MAX = 20_000

/** Counts terms in texts: as whole words, ignoring case and accents. */
export class TermCounter {
  readonly #keys: readonly Words[]

  constructor(terms: readonly string[]) {
    this.#keys = [...new Set(terms.map((term) => wordsOf(term)))].filter((key) => key !== ' ')
  }

  /** How many of the terms are in a text, each counted once. */
  distinctIn(text: string): number {
    const words = wordsOf(text, TEXT_LENGTH_MAX)
    return this.#keys.filter((key) => words.includes(key)).length
  }

  /** How many are in any of several texts. */
  distinctInAll(texts: readonly string[]): number {
    const all = texts.map((text) => wordsOf(text, TEXT_LENGTH_MAX))
    return this.#keys.filter((key) => all.some((words) => words.includes(key))).length
  }
}
