import { startsUnspaced } from '../../../kernel/words.ts'
import { stopWords } from './stop_words.ts'

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const TERM_LENGTH_MIN = 3
/** The minimum length of a term in scripts without spaces, where most words have two characters. */
const UNSPACED_LENGTH_MIN = 2

/**
 * Segments words by dictionaries, which take long to load. Only scripts without spaces need it. In all others, words are runs of letters
 * and digits.
 */
let segmenter: Intl.Segmenter | undefined

/** The words of a text in lower case, in order and with repetitions. */
export function splitWords(text: string): string[] {
  const runs = text.normalize('NFC').toLowerCase().match(RUN) ?? []
  return runs.flatMap((run) => (startsUnspaced(run) ? segments(run) : run))
}

function segments(run: string): string[] {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' })
  return [...segmenter.segment(run)].map(({ segment }) => segment)
}

/** How often each word is in a text. */
export type WordCounts = ReadonlyMap<string, number>

/**
 * Determines which words are terms: words about the subject of a text, which are long enough and are not stop words.
 * @param language a BCP 47 tag. For languages without stop words, such as `auto`, those of the language whose stop words are most frequent
 * in the text are used.
 * @param counts the words of the whole text
 */
export function isTermIn(language: string, counts: WordCounts): (word: string) => boolean {
  const stopped = stopWords.get(language) ?? mostCommonStopWords(counts)
  return (word) => {
    const lengthMin = startsUnspaced(word) ? UNSPACED_LENGTH_MIN : TERM_LENGTH_MIN
    return word.length >= lengthMin && [...word].length >= lengthMin && !stopped.has(word)
  }
}

/** The stop words of the language whose stop words are most frequent. If several languages are equal, the first one is chosen. */
function mostCommonStopWords(counts: WordCounts): ReadonlySet<string> {
  let [best, most]: [ReadonlySet<string>, number] = [new Set(), 0]
  for (const list of stopWords.values()) {
    let count = 0
    for (const word of list) count += counts.get(word) ?? 0
    if (count > most) [best, most] = [list, count]
  }
  return best
}
