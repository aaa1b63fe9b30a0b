import { dayOfWeek, localFields, weekOfYear } from './dates.ts'
import type { Moment } from './values.ts'

const MONTHS = 'January February March April May June July August September October November December'.split(' ')
const DAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')

interface Shown {
  /** Its UTC fields hold the date and time in the value's time zone. */
  readonly local: Date
  readonly moment: Moment
}

const pad = (value: number, length = 2) => String(value).padStart(length, '0')
const hourOf12 = (hour: number) => hour % 12 || 12

/** Tokens with their texts. Longest first, so that the longest matching token wins. */
const TOKENS: readonly (readonly [string, (shown: Shown) => string])[] = [
  ['YYYY', ({ local }) => pad(local.getUTCFullYear(), 4)],
  ['MMMM', ({ local }) => MONTHS[local.getUTCMonth()] ?? ''],
  ['dddd', ({ moment }) => DAYS[dayOfWeek(moment) - 1] ?? ''],
  ['MMM', ({ local }) => (MONTHS[local.getUTCMonth()] ?? '').slice(0, 3)],
  ['ddd', ({ moment }) => (DAYS[dayOfWeek(moment) - 1] ?? '').slice(0, 3)],
  ['YY', ({ local }) => pad(local.getUTCFullYear() % 100)],
  ['MM', ({ local }) => pad(local.getUTCMonth() + 1)],
  ['DD', ({ local }) => pad(local.getUTCDate())],
  ['Do', ({ local }) => ordinal(local.getUTCDate())],
  ['HH', ({ local }) => pad(local.getUTCHours())],
  ['hh', ({ local }) => pad(hourOf12(local.getUTCHours()))],
  ['mm', ({ local }) => pad(local.getUTCMinutes())],
  ['ss', ({ local }) => pad(local.getUTCSeconds())],
  ['WW', ({ moment }) => pad(weekOfYear(moment))],
  ['Y', ({ local }) => String(local.getUTCFullYear())],
  ['Q', ({ local }) => String(1 + Math.floor(local.getUTCMonth() / 3))],
  ['M', ({ local }) => String(local.getUTCMonth() + 1)],
  ['D', ({ local }) => String(local.getUTCDate())],
  ['H', ({ local }) => String(local.getUTCHours())],
  ['h', ({ local }) => String(hourOf12(local.getUTCHours()))],
  ['m', ({ local }) => String(local.getUTCMinutes())],
  ['s', ({ local }) => String(local.getUTCSeconds())],
  ['A', ({ local }) => (local.getUTCHours() < 12 ? 'AM' : 'PM')],
  ['a', ({ local }) => (local.getUTCHours() < 12 ? 'am' : 'pm')],
  ['W', ({ moment }) => String(weekOfYear(moment))],
]

function ordinal(day: number): string {
  const isTeen = day > 10 && day < 14
  return `${day}${(isTeen ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[day % 10]) ?? 'th'}`
}

/** Formats a moment by a pattern. Text in `[ ]`, and other text that is not a token, is copied. */
export function formatMoment(moment: Moment, pattern: string): string {
  const shown = { local: localFields(moment), moment }
  const lastBracket = pattern.lastIndexOf(']')
  const parts: string[] = []
  for (let offset = 0; offset < pattern.length;) {
    if (pattern[offset] === '[' && offset < lastBracket) {
      const close = pattern.indexOf(']', offset)
      parts.push(pattern.slice(offset + 1, close))
      offset = close + 1
      continue
    }
    const token = TOKENS.find(([name]) => pattern.startsWith(name, offset))
    parts.push(token?.[1](shown) ?? pattern.charAt(offset))
    offset += token?.[0].length ?? 1
  }
  return parts.join('')
}
