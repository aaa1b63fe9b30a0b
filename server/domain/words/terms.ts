import { stopWords } from './stop_words.ts'

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const TERM_LENGTH_MIN = 3

/** Runs of letters and digits, in lower case and in their order, repeats included. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(WORD) ?? []
}

/**
 * The words that say what a text is about: at least three characters long, and no stop words of its language. In their order, repeats
 * included.
 * @param language as a BCP 47 tag; left out, unknown or `auto`, the language whose stop words the text has most of
 */
export function termsOf(text: string, language?: string): string[] {
  const words = splitWords(text)
  return words.filter(isTermIn(language ?? 'auto', words))
}

/**
 * Tells terms from other words, for texts that are looked at piece by piece.
 * @param language as for `termsOf`
 * @param words of the whole text
 */
export function isTermIn(language: string, words: Iterable<string>): (word: string) => boolean {
  const stopped = stopWords.get(language) ?? mostCommonStopWords(words)
  return (word) => word.length >= TERM_LENGTH_MIN && [...word].length >= TERM_LENGTH_MIN && !stopped.has(word)
}

/** The first of the languages wins where two have as many. */
function mostCommonStopWords(words: Iterable<string>): ReadonlySet<string> {
  const counts = new Map<ReadonlySet<string>, number>()
  for (const word of words)
    for (const list of stopWords.values()) if (list.has(word)) counts.set(list, (counts.get(list) ?? 0) + 1)
  let [best, most]: [ReadonlySet<string>, number] = [new Set(), 0]
  for (const list of stopWords.values()) {
    const count = counts.get(list) ?? 0
    if (count > most) [best, most] = [list, count]
  }
  return best
}
