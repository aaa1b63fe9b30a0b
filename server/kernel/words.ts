/**
 * Texts in the form in which search compares them: words without case, accents and width, each after a blank, and a blank at the end. A
 * word is a run of letters and digits. In scripts that are written without spaces, every character is a word, and so is every symbol and
 * emoji elsewhere. For example, `Café 東京 2` becomes ` cafe 東 京 2 `; an empty text becomes a single blank.
 */
export type Words = string

/** The length of the beginning of a title that is searched, in UTF-16 units. */
const TEXT_LENGTH_MAX = 2_000
/** The maximum length of the words, as a multiple of the length of their text. */
const WORDS_GROWTH = 2

/** Matches joiners, variation selectors and the like, which change only the appearance of a character. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f\u20e3]/gu
/** Matches vowel points and elongation in Arabic and Hebrew, which are optional in writing. */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g
/**
 * Matches accents of Latin and Greek letters, and of the one Cyrillic letter that is often written without its accent. On all other
 * letters, an accent makes a different letter.
 */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}е])[\u0300-\u036f]+/gu
/** Scripts without spaces between words. The last two are marks of length and repetition, which occur between their characters. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\u3005]'
const TOKEN = new RegExp(`[${UNSPACED}--\\p{M}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+|\\p{S}`, 'gv')
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'v')

/** Whether a text begins with a character of a script that is written without spaces between words. */
export function startsUnspaced(text: string): boolean {
  return UNSPACED_START.test(text)
}

/**
 * @param text any text; compare it only with other results of this function
 * @param lengthMax the length of the examined beginning, in UTF-16 units
 */
export function wordsOf(text: string, lengthMax = TEXT_LENGTH_MAX): Words {
  const tokens = tokensOf(text.slice(0, lengthMax))
  let words = ' '
  for (const token of tokens) {
    if (words.length + token.length >= lengthMax * WORDS_GROWTH) break
    words += `${token} `
  }
  return words
}

function tokensOf(text: string): readonly string[] {
  return fold(text).match(TOKEN) ?? []
}

function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(INVISIBLE, '').replace(POINTS, '')
  // Convert to upper case first: this turns ß into two letters, and both forms of small sigma into one.
  const caseless = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKD')
  return caseless.replace(ACCENTED, '$1').normalize('NFC')
}

const HEAD_LENGTH = 48

/** The beginning of a text, by which titles that begin with it are found. */
export function headOf(words: Words): string {
  return [...words].slice(0, HEAD_LENGTH).join('')
}

/** A parsed search query. */
export interface TitleQuery {
  /** The whole query, in the form of a title. */
  readonly whole: Words
  /**
   * Each of the query's words, as it appears in a matching title: ` boat`, or ` e mail` for `e-mail`. Each occurs once, in the order of the
   * query.
   */
  readonly parts: readonly string[]
}

/** The maximum number of words of a query that are used. Each is compared with every title examined. */
const PARTS_MAX = 32

/** @returns undefined for an empty query, which finds everything. A query of only punctuation has no parts and finds nothing. */
export function parseTitleQuery(text: string | undefined): TitleQuery | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const parts = text.split(/\s+/u).map((word) => wordsOf(word).trimEnd())
  return { whole: wordsOf(text), parts: [...new Set(parts)].filter((part) => part !== '').slice(0, PARTS_MAX) }
}

/** How well a title fits a query: it is the query, begins with it, or contains all or some of its words. */
export const titleFits = ['exact', 'prefix', 'all', 'some'] as const
export type TitleFit = (typeof titleFits)[number]

/** @param query has at least one part @returns undefined if the title does not match */
export function fitOf(words: Words, { whole, parts }: TitleQuery): TitleFit | undefined {
  if (words === whole) return 'exact'
  if (words.startsWith(whole.trimEnd())) return 'prefix'
  const found = parts.filter((part) => words.includes(part)).length
  return found === 0 ? undefined : found === parts.length ? 'all' : 'some'
}

/** How many leading characters of a word the index of words contains. */
const INDEXED_LENGTH = 24

/** Words of the index: those that begin with a text, or only the text itself. */
export interface IndexedWord {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * The words of the index to look for to find every title with a part of a query: those for the longest word of the part. Other titles may
 * have them as well.
 */
export function indexedWordOf(part: string): IndexedWord {
  const tokens = part.trim().split(' ')
  const longest = tokens.reduce((long, token) => (token.length > long.length ? token : long))
  const text = [...longest].slice(0, INDEXED_LENGTH).join('')
  // The last word of a part may be the beginning of a longer one.
  return { text, isWhole: tokens.indexOf(longest) < tokens.length - 1 }
}
