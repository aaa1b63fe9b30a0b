/** Numeric limits: of values, lengths, counts and bytes. */

import { narrower, reportBySide, wider, type Comparison } from './comparison.ts'

/** Effect of a larger value: an upper limit then allows more, a lower one requires more. */
const limits: Record<string, { upper: boolean; words: string }> = {
  maxLength: { upper: true, words: 'at most % characters' },
  minLength: { upper: false, words: 'at least % characters' },
  maxItems: { upper: true, words: 'at most % items' },
  minItems: { upper: false, words: 'at least % items' },
  maxProperties: { upper: true, words: 'at most % keys' },
  minProperties: { upper: false, words: 'at least % keys' },
  maximum: { upper: true, words: 'at most %' },
  minimum: { upper: false, words: 'at least %' },
  exclusiveMaximum: { upper: true, words: 'less than %' },
  exclusiveMinimum: { upper: false, words: 'more than %' },
  'x-block-elements-max': { upper: true, words: 'at most % block elements' },
  'x-body-limit': { upper: true, words: 'at most % bytes' },
}

export const limitKeywords = new Set(Object.keys(limits))

/** Compares a limit; undefined means none. `general` applies where the keyword is absent. */
export function compareLimit(
  comparison: Comparison,
  keyword: string,
  before: unknown,
  after: unknown,
  location: string,
  general?: number,
): void {
  const limit = limits[keyword]
  if (limit === undefined || before === after) return
  const none = limit.upper ? Infinity : -Infinity
  const [was, is] = [before, after].map((value) => (typeof value === 'number' ? value : (general ?? none))) as [number, number]
  if (was === is) return
  const word = (value: number): string => (Number.isFinite(value) ? limit.words.replace('%', String(value)) : 'no limit')
  const tighter = limit.upper ? is < was : is > was
  reportBySide(comparison, tighter ? narrower : wider, location, `${word(is)}, was ${word(was)}`)
}
