import { startsUnspaced } from '../../kernel/words.ts'
import { stopWords } from './stop_words.ts'

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const TERM_LENGTH_MIN = 3
/** In scripts without spaces, where most words have two characters. */
const UNSPACED_LENGTH_MIN = 2

/** Dictionaries are only asked about scripts without spaces: everywhere else, words are runs of letters and digits. */
const segmenter = new Intl.Segmenter('en', { granularity: 'word' })

/** The words of a text in lower case and in their order, repeats included. */
export function splitWords(text: string): string[] {
  const runs = text.normalize('NFC').toLowerCase().match(RUN) ?? []
  return runs.flatMap((run) => (startsUnspaced(run) ? [...segmenter.segment(run)].map(({ segment }) => segment) : run))
}

/**
 * Tells the words that say what a text is about, its terms, from the others: terms are long enough, and no stop words.
 * @param language as a BCP 47 tag; where its stop words are not known, as those of `auto`, those that the text has most of count
 * @param words of the whole text
 */
export function isTermIn(language: string, words: Iterable<string>): (word: string) => boolean {
  const stopped = stopWords.get(language) ?? mostCommonStopWords(words)
  return (word) => {
    const lengthMin = startsUnspaced(word) ? UNSPACED_LENGTH_MIN : TERM_LENGTH_MIN
    return word.length >= lengthMin && [...word].length >= lengthMin && !stopped.has(word)
  }
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
