import { Temporal } from 'temporal-polyfill'

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const NAMES = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
]

/** `December 1, 2024`, `1 December 2024` or `2024/12/01`, with a time after it. */
const MONTH_FIRST = /^([a-z]{3,9})\.? (\d{1,2}), (\d{4})(.*)$/i
const DAY_FIRST = /^(\d{1,2})\.? ([a-z]{3,9})\.? (\d{4})(.*)$/i
const YEAR_FIRST = /^(\d{4})\/(\d{1,2})\/(\d{1,2})(.*)$/
const TIME = /^,? ?(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?(?: \((?:UTC|GMT)(?:([+-])(\d{1,2})(?::(\d{2}))?)?\))?$/i

interface WrittenTime {
  readonly date: string
  readonly time: string
}

/** A range of dates in human-readable form; undefined for any other text. */
export function writtenRange(start: string, end: string | undefined): { start: string; end: string | null } | undefined {
  const from = writtenTime(start)
  if (!from) return undefined
  if (end === undefined) return { start: from.date + from.time, end: null }
  // The end of a range within a day may consist of a time only.
  const time = timeIn(end)
  const to = writtenTime(end) ?? (time === undefined || time === '' ? undefined : { date: from.date, time })
  return to && { start: from.date + from.time, end: to.date + to.time }
}

function writtenTime(text: string): WrittenTime | undefined {
  const [year, month, day, rest] = partsOf(text.trim().replace(/^@/, '')) ?? []
  const time = rest === undefined ? undefined : timeIn(rest)
  if (year === undefined || month === undefined || day === undefined || time === undefined) return undefined
  try {
    return { date: Temporal.PlainDate.from({ year, month, day }, { overflow: 'reject' }).toString(), time }
  } catch {
    return undefined
  }
}

function partsOf(text: string): readonly [number, number, number, string] | undefined {
  const [, month, day, year, rest = ''] = MONTH_FIRST.exec(text) ?? []
  if (month !== undefined) return [Number(year), monthOf(month), Number(day), rest]
  const [, first, name, last, more = ''] = DAY_FIRST.exec(text) ?? []
  if (name !== undefined) return [Number(last), monthOf(name), Number(first), more]
  const [, y, m, d, tail = ''] = YEAR_FIRST.exec(text) ?? []
  return y === undefined ? undefined : [Number(y), Number(m), Number(d), tail]
}

/** 0, which is not a month, for an unknown name. */
function monthOf(name: string): number {
  const word = name.toLowerCase()
  return Math.max(NAMES.indexOf(word), MONTHS.indexOf(word === 'sept' ? 'sep' : word)) + 1
}

/** `T15:30:00` for `3:30 PM`, with its offset; empty for an empty text, undefined for an invalid time. */
function timeIn(text: string): string | undefined {
  if (text.trim() === '') return ''
  const [whole, hours, minutes = '', seconds = '00', half, sign, offset, offsetMinutes = '00'] = TIME.exec(text) ?? []
  if (whole === undefined) return undefined
  const hour = (half === undefined ? Number(hours) : Number(hours) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const zone = sign !== undefined ? `${sign}${(offset ?? '0').padStart(2, '0')}:${offsetMinutes}` : whole.endsWith(')') ? 'Z' : ''
  return `T${String(hour).padStart(2, '0')}:${minutes}:${seconds}${zone}`
}
