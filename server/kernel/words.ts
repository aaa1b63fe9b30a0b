/**
 * Texts as search compares them: words without case, accents and width, each behind a blank, and a blank at the end. A word is a run
 * of letters and digits; in scripts that are written without spaces every character is a word, and so is every symbol and emoji.
 * `Café 東京 2` is ` cafe 東 京 2 `; an empty text is a single blank.
 */
export type Words = string

/** Of a longer text only the beginning is searched. UTF-16 units, before and after folding. */
const TEXT_LENGTH_MAX = 2_000
const WORDS_LENGTH_MAX = 4_000

/** Joiners, variation selectors and the like: they change how a character looks, not what it is. */
const INVISIBLE = /[\p{Cf}\ufe00-\ufe0f\u20e3]/gu
/** Vowel points and stretching of Arabic and Hebrew, which writers leave out as they please. */
const POINTS = /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g
/** Accents of Latin and Greek letters, and of the one Cyrillic letter that is also written without. Elsewhere they make other letters. */
const ACCENTED = /([\p{Script=Latin}\p{Script=Greek}е])[\u0300-\u036f]+/gu
/** Scripts without spaces between words; the last two are marks of length and repetition that stand between them. */
const UNSPACED =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\u30fc\\u3005]'
const TOKEN = new RegExp(`[${UNSPACED}--\\p{M}]\\p{M}*|[[\\p{L}\\p{N}\\p{M}]--${UNSPACED}]+|\\p{S}`, 'gv')
const UNSPACED_START = new RegExp(`^${UNSPACED}`, 'v')

/** @param text any text; what it is compared with has gone through the same */
export function wordsOf(text: string): Words {
  const tokens = tokensOf(text.slice(0, TEXT_LENGTH_MAX))
  let words = ' '
  for (const token of tokens) {
    if (words.length + token.length >= WORDS_LENGTH_MAX) break
    words += `${token} `
  }
  return words
}

function tokensOf(text: string): readonly string[] {
  return fold(text).match(TOKEN) ?? []
}

function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(INVISIBLE, '').replace(POINTS, '')
  // Upper case first: that makes two letters of ß and one of the two forms of a small sigma.
  const caseless = plain.toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKD')
  return caseless.replace(ACCENTED, '$1').normalize('NFC')
}

const HEAD_LENGTH = 48

/** The beginning of a text, by which titles that begin alike are found. */
export function headOf(words: Words): string {
  return [...words].slice(0, HEAD_LENGTH).join('')
}

/** What somebody looks for. */
export interface TitleQuery {
  /** All of it, in the form of a title. */
  readonly whole: Words
  /** Each of its words as it stands in a title that matches: ` boat`, or ` e mail` for `e-mail`. Each once, in their order. */
  readonly parts: readonly string[]
}

/** Words that count in a query; each is compared with every title that is looked at. */
const PARTS_MAX = 32

/** @returns undefined when nothing is asked for: then everything is found. A query of punctuation alone has no parts, and finds nothing. */
export function parseTitleQuery(text: string | undefined): TitleQuery | undefined {
  if (text === undefined || text.trim() === '') return undefined
  const parts = text.split(/\s+/u).map((word) => wordsOf(word).trimEnd())
  return { whole: wordsOf(text), parts: [...new Set(parts)].filter((part) => part !== '').slice(0, PARTS_MAX) }
}

/** How well a title fits: the exact title, one that begins with the query, one with all of its words, with some, with none. */
export const fits = ['exact', 'prefix', 'all', 'some'] as const
export type Fit = (typeof fits)[number]

/** @param query with at least one part. @returns undefined when the title does not match */
export function fitOf(words: Words, { whole, parts }: TitleQuery): Fit | undefined {
  if (words === whole) return 'exact'
  if (words.startsWith(whole.trimEnd())) return 'prefix'
  const found = parts.filter((part) => words.includes(part)).length
  return found === 0 ? undefined : found === parts.length ? 'all' : 'some'
}

/** Characters of a word that the index knows. */
const KEY_LENGTH_MAX = 24

/**
 * The keys under which the index finds a text. Of scripts without spaces they are pairs of neighbours: single characters would be
 * found everywhere.
 */
export function keysOf(words: Words): string[] {
  return [...new Set(pairs(words.split(' ').filter((token) => token !== '')))].map(cut)
}

/** Beginnings of keys that a text has wherever this part of a query stands in it. It may have them without the part. */
export function prefilterOf(part: string): string[] {
  const tokens = part.trim().split(' ')
  const keys = pairs(tokens)
  // The last character stands in the pair before it.
  if (tokens.length > 1 && isUnspaced(tokens.at(-1)) && isUnspaced(tokens.at(-2))) keys.pop()
  return keys.map(cut)
}

function pairs(tokens: readonly string[]): string[] {
  return tokens.map((token, place) => {
    const next = tokens[place + 1]
    return isUnspaced(token) && isUnspaced(next) ? `${token}${next}` : token
  })
}

function isUnspaced(token: string | undefined): boolean {
  return token !== undefined && UNSPACED_START.test(token)
}

function cut(key: string): string {
  return [...key].slice(0, KEY_LENGTH_MAX).join('')
}
