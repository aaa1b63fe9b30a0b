import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Only this many leading characters of a text count for sorting. */
export const SORTED_LENGTH = 80

/** Letters that sort as two letters but have no decomposition. */
const EXPANSIONS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ẞ: 'ss' }

const FIRST_RANK = 0x100
const FIRST_UNRANKED = 0x3000
const SEPARATOR = '\u0001'

let ranks: ReadonlyMap<string, string> | undefined

/**
 * The rank of a character in the root order of the Unicode Collation Algorithm, ICU 78. The file contains groups of characters that differ
 * only in accents or case, separated by tabs. The order is in a file because keys are stored: they must not change with the runtime.
 */
function rankOf(character: string): string | undefined {
  if (!ranks) {
    const groups = readFileSync(fileURLToPath(new URL('collation_order.txt', import.meta.url)), 'utf8')
      .trimEnd()
      .split('\t')
    ranks = new Map(groups.flatMap((group, rank) => [...group].map((one) => [one, String.fromCodePoint(FIRST_RANK + rank)])))
  }
  return ranks.get(character)
}

/**
 * A key for sorting texts. Keys are compared by code points, or by bytes in UTF-8. The resulting order is that of Unicode collation in the
 * root locale, ignoring case, then of code points. Texts that begin with the same 80 characters have the same key.
 */
export function collationKey(text: string): string {
  const beginning = storable([...text.slice(0, SORTED_LENGTH * 2)].slice(0, SORTED_LENGTH).join(''))
  let [letters, marks] = ['', '']
  for (const character of beginning
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ßæœẞ]/g, (one) => EXPANSIONS[one] ?? one)) {
    const rank = rankOf(character)
    if (rank !== undefined) letters += rank
    else if (SYMBOLS.test(character)) letters += symbol(character.codePointAt(0) ?? 0)
    else if (/[\p{M}\p{Cc}\p{Cf}]/u.test(character)) marks += character
    else letters += unranked(character.codePointAt(0) ?? 0)
  }
  return `${letters}${SEPARATOR}${marks}${SEPARATOR}${beginning}`
}

/** Sorts ideographs, Korean and newer characters after all characters with a rank, by code point. */
function unranked(codePoint: number): string {
  return String.fromCodePoint(FIRST_UNRANKED + (codePoint >> 12), FIRST_RANK + (codePoint & 0xfff))
}

/**
 * Matches emoji and other symbols beyond the file. In the root order, symbols come before currencies, digits and letters; these come last
 * among symbols, by code point. The ranges are written out, because the characters known to a runtime change.
 */
const SYMBOLS = /[\u{1d000}-\u{1d24f}\u{1f000}-\u{1fbef}]/u
const FIRST_SYMBOL = 0x1d000
/** Higher than every rank, so that it sorts after any text that follows the last symbol of the file. */
const BEHIND_RANKS = '\u{f0000}'

function symbol(codePoint: number): string {
  const firstCurrency = rankOf('¤')?.codePointAt(0) ?? FIRST_RANK
  return String.fromCodePoint(firstCurrency - 1) + BEHIND_RANKS + String.fromCodePoint(FIRST_RANK + codePoint - FIRST_SYMBOL)
}

/** Text that both engines can store in a column: no NUL, no lone surrogate. */
export function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Compares by code points, as the engines do; JavaScript compares UTF-16 units. */
export function compareCodePoints(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  for (let index = 0; index < length; index += 1) {
    const [a, b] = [one.charCodeAt(index), other.charCodeAt(index)]
    if (a === b) continue
    const [aIsSurrogate, bIsSurrogate] = [a >= 0xd800 && a <= 0xdfff, b >= 0xd800 && b <= 0xdfff]
    if (aIsSurrogate !== bIsSurrogate) return aIsSurrogate ? 1 : -1
    return a - b
  }
  return one.length - other.length
}
