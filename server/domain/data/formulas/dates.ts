import { Temporal } from 'temporal-polyfill'
import type { DateValue } from '../../../../generated/types.ts'
import { endOf, type FormulaDate, type Moment } from './values.ts'

const MINUTE = 60_000
const DAY = 86_400_000
/** The range of dates that responses can express: years 0000 to 9999. */
const EARLIEST = Date.UTC(2000, 0, 1) - 730_485 * DAY
const LATEST = Date.UTC(10_000, 0, 1) - 1

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})$/
const ISO_DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)(?:([Zz])|([+-]\d{2})(?::?(\d{2}))?)?$/

/** A single day or moment; null outside the years 0000 to 9999. */
export function singleDate(milliseconds: number, hasTime: boolean, offsetMinutes = 0): FormulaDate | null {
  if (!(milliseconds >= EARLIEST && milliseconds <= LATEST)) return null
  return { kind: 'date', hasTime, start: { milliseconds, offsetMinutes }, end: null }
}

/** The range from the start of `a` to the end of `b`; null if it would end before it starts. If one has a time, both get one. */
export function rangeOf(a: FormulaDate, b: FormulaDate): FormulaDate | null {
  const end = endOf(b)
  if (end.milliseconds < a.start.milliseconds) return null
  return { kind: 'date', hasTime: a.hasTime || b.hasTime, start: a.start, end }
}

/** Parses an ISO 8601 date or date and time, in UTC unless it has an offset; null if invalid. */
export function parseIsoDate(text: string): FormulaDate | null {
  const day = ISO_DATE.test(text) ? dayOf(text) : null
  if (day !== null) return singleDate(day, false)
  const [, date = '', time = '', utc, hours, minutes = '00'] = ISO_DATE_TIME.exec(text) ?? []
  const midnight = dayOf(date)
  const milliseconds = millisecondsOfDay(time)
  if (midnight === null || milliseconds === null) return null
  if (utc !== undefined || hours === undefined) return singleDate(midnight + milliseconds, true)
  if (Math.abs(Number(hours)) > 23 || Number(minutes) > 59) return null
  const offsetMinutes = Number(hours) * 60 + (hours.startsWith('-') ? -Number(minutes) : Number(minutes))
  return singleDate(midnight + milliseconds - offsetMinutes * MINUTE, true, offsetMinutes)
}

function dayOf(text: string): number | null {
  const [, year = '', month = '', day = ''] = ISO_DATE.exec(text) ?? []
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isReal = year !== '' && date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  return isReal ? date.getTime() : null
}

function millisecondsOfDay(text: string): number | null {
  const [hours = 0, minutes = 0, seconds = 0] = text.replace(',', '.').split(':').map(Number)
  if (text === '' || hours > 23 || minutes > 59 || seconds >= 60) return null
  return (hours * 60 + minutes) * MINUTE + Math.floor(seconds * 1000)
}

/** Converts a date value of the contract; null if it cannot be parsed. Times keep the offset with which they were written. */
export function dateOfValue(value: DateValue): FormulaDate | null {
  const start = dateIn(value.start, value.time_zone)
  const end = value.end === null ? null : dateIn(value.end, value.time_zone)
  if (start === null || end === null) return start
  return { ...start, hasTime: start.hasTime || end.hasTime, end: end.start }
}

function dateIn(text: string, zone: string | null): FormulaDate | null {
  const date = parseIsoDate(text)
  if (date === null || zone === null || !date.hasTime) return date
  const local = Temporal.PlainDateTime.from(new Date(localMilliseconds(date.start)).toISOString().slice(0, -1))
  const zoned = local.toZonedDateTime(zone)
  return singleDate(zoned.epochMilliseconds, true, Math.round(zoned.offsetNanoseconds / 60e9))
}

/** A date in the form of responses: a day as `YYYY-MM-DD`, a moment in UTC with `+00:00`. */
export function valueOfDate(date: FormulaDate): DateValue {
  const write = ({ milliseconds }: Moment) => {
    const text = new Date(milliseconds).toISOString()
    return date.hasTime ? text.replace('Z', '+00:00') : text.slice(0, 10)
  }
  return { start: write(date.start), end: date.end === null ? null : write(date.end), time_zone: null }
}

function localMilliseconds(moment: Moment): number {
  return moment.milliseconds + moment.offsetMinutes * MINUTE
}

/** The local date and time of a moment: a Date whose UTC fields hold the local values. */
export function localFields(moment: Moment): Date {
  return new Date(localMilliseconds(moment))
}

/** The day of the week: Monday is 1, Sunday 7. */
export function dayOfWeek(moment: Moment): number {
  return localFields(moment).getUTCDay() || 7
}

/** The number of the week by ISO 8601: week 1 contains the year's first Thursday. */
export function weekOfYear(moment: Moment): number {
  const day = localFields(moment)
  const thursday = day.getTime() + (4 - (day.getUTCDay() || 7)) * DAY
  const start = new Date(thursday)
  start.setUTCMonth(0, 1)
  return 1 + Math.floor((thursday - start.getTime()) / (7 * DAY))
}

type CalendarUnit = 'months' | 'days' | 'minutes'

/** Singular and plural names of units, each as a multiple of months, days or minutes. */
const UNITS: ReadonlyMap<string, { readonly of: CalendarUnit; readonly count: number }> = new Map(
  Object.entries({
    year: { of: 'months', count: 12 },
    quarter: { of: 'months', count: 3 },
    month: { of: 'months', count: 1 },
    week: { of: 'days', count: 7 },
    day: { of: 'days', count: 1 },
    hour: { of: 'minutes', count: 60 },
    minute: { of: 'minutes', count: 1 },
  } as const).flatMap(([name, unit]) => [
    [name, unit],
    [`${name}s`, unit],
  ]),
)

/** Larger amounts lead beyond the years 0000 to 9999 in any unit. */
const AMOUNT_MAX = 1e10

/**
 * Moves a date, or both ends of a range, by whole units; fractions are truncated. Days are clamped to the end of the month. Adding hours or
 * minutes to a day gives it a time. Null for an unknown unit, or a result outside the years 0000 to 9999.
 */
export function addToDate(date: FormulaDate, amount: number, unitName: string): FormulaDate | null {
  const unit = UNITS.get(unitName)
  if (unit === undefined || Math.abs(amount) > AMOUNT_MAX) return null
  const count = Math.trunc(amount) * unit.count
  const start = moveMoment(date.start, count, unit.of)
  const end = date.end === null ? null : moveMoment(date.end, count, unit.of)
  if (start === null || (date.end !== null && end === null)) return null
  return { kind: 'date', hasTime: date.hasTime || unit.of === 'minutes', start, end }
}

function moveMoment(moment: Moment, count: number, unit: CalendarUnit): Moment | null {
  const milliseconds =
    unit === 'months' ? moveMonths(moment, count) : moment.milliseconds + count * (unit === 'days' ? DAY : MINUTE)
  return milliseconds >= EARLIEST && milliseconds <= LATEST ? { ...moment, milliseconds } : null
}

/** Moves a moment by months. @returns milliseconds; NaN outside the calendar */
function moveMonths(moment: Moment, months: number): number {
  const local = localFields(moment)
  const day = local.getUTCDate()
  const moved = new Date(local)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  moved.setUTCDate(Math.min(day, daysInMonth(moved)))
  return moved.getTime() - moment.offsetMinutes * MINUTE
}

function daysInMonth(day: Date): number {
  const last = new Date(day)
  last.setUTCMonth(day.getUTCMonth() + 1, 0)
  return last.getUTCDate()
}

/** `a` − `b` in whole units, truncated toward zero, by the calendar of `b`; null for an unknown unit. */
export function betweenDates(a: FormulaDate, b: FormulaDate, unitName: string): number | null {
  const unit = UNITS.get(unitName)
  if (unit === undefined) return null
  const difference = a.start.milliseconds - b.start.milliseconds
  if (unit.of === 'days') return Math.trunc(difference / (DAY * unit.count))
  if (unit.of === 'minutes') return Math.trunc(difference / (MINUTE * unit.count))
  return Math.trunc(monthsBetween(a.start, b.start) / unit.count)
}

/** The largest number of months from `b` toward `a` that does not pass `a`. */
function monthsBetween(a: Moment, b: Moment): number {
  const from = localFields(b)
  const to = localFields({ ...a, offsetMinutes: b.offsetMinutes })
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
  const reached = moveMonths(b, months)
  if (months > 0 && reached > a.milliseconds) return months - 1
  return months < 0 && reached < a.milliseconds ? months + 1 : months
}
