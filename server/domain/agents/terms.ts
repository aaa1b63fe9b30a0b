import { startsUnspaced, wordsOf, type Words } from '../../kernel/words.ts'
import { stopWords } from './stop_words.ts'

const TERM_LENGTH_MIN = 3
/** In scripts without spaces, where most words have two characters. */
const UNSPACED_LENGTH_MIN = 2
const TERMS_MAX = 32
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Dictionaries are only asked about scripts without spaces: everywhere else, words are runs of letters and digits. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/**
 * What a text is about: its words, in lower case and each once, without short ones and without the stop words of its language. That is
 * the one most of whose stop words are in the text.
 */
export function termsOf(text: string): string[] {
  const words = wordsIn(text)
  const counts = stopWords.map((list) => words.filter((word) => list.has(word)).length)
  const stops = stopWords[counts.indexOf(Math.max(...counts))]
  return [...new Set(words)].filter((word) => !stops?.has(word)).slice(0, TERMS_MAX)
}

function wordsIn(text: string): string[] {
  const runs = text.normalize('NFC').toLowerCase().match(WORD) ?? []
  return runs.flatMap((run) =>
    startsUnspaced(run) ? segmentsOf(run) : [run].filter((word) => lengthOf(word) >= TERM_LENGTH_MIN),
  )
}

function segmentsOf(run: string): string[] {
  return [...segmenter.segment(run)].map(({ segment }) => segment).filter((word) => lengthOf(word) >= UNSPACED_LENGTH_MIN)
}

function lengthOf(word: string): number {
  return [...word].length
}

/** Characters of a text that are looked through. */
const TEXT_LENGTH_MAX = 20_000

/** Counts terms in texts: as whole words, whatever their case and accents. */
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
