import { Temporal } from 'temporal-polyfill'
import type {
  DatePoint,
  DatePointParts,
  DateRange,
  MeetingNotesDateCondition,
  RelativeDateRange,
} from '../../../../../generated/types.ts'
import type { Bound } from '../../../../store/row_tests.ts'
import { parseOperandForm } from '../../../shared/index.ts'
import {
  boundsOfDay,
  boundsOfInstant,
  RELATIVE_DAYS,
  WINDOWS,
  type DateComparison,
  type DateWindow,
} from '../../../data/index.ts'

const COMPARISONS = {
  date_is: 'equals',
  date_is_before: 'before',
  date_is_after: 'after',
  date_is_on_or_before: 'on_or_before',
  date_is_on_or_after: 'on_or_after',
} as const satisfies Record<MeetingNotesDateCondition['operator'], DateComparison>

/**
 * The bounds of times that pass a comparison with a day or a time. Days are in the given time zone, by default UTC; `date_is`
 * compares days, even with a time.
 * @param now milliseconds since 1970
 * @param path the path of the value
 * @throws ServiceError `validation_error` for a day or a time that does not exist
 */
export function boundsOfPoint(
  operator: MeetingNotesDateCondition['operator'],
  point: DatePoint,
  now: number,
  path: string,
): Bound[] {
  const comparison = COMPARISONS[operator]
  const { day, zone, instant } = point.type === 'relative' ? relativePoint(point.value, now) : exactPoint(point.value, path)
  if (instant !== undefined && comparison !== 'equals') return boundsOfInstant(comparison, instant)
  return boundsOfDay(comparison, startOf(day, zone), startOf(day.add({ days: 1 }), zone))
}

/** The bounds of times in a range of days in UTC. See `boundsOfPoint`. */
export function boundsOfSpan(range: DateRange, now: number, path: string): Bound[] {
  if (range.type === 'relative') return boundsOfDays(...relativeSpan(range, todayAt(now)))
  const { value } = range
  const [first, last] = typeof value === 'string' ? [value, value] : [value.start_date, value.end_date ?? value.start_date]
  return boundsOfDays(dayOf(first, `${path}.value`), dayOf(last, `${path}.value`))
}

interface Point {
  readonly day: Temporal.PlainDate
  readonly zone: string
  /** Undefined for a whole day. */
  readonly instant?: number
}

function relativePoint(word: string, now: number): Point {
  const today = todayAt(now)
  return { day: RELATIVE_DAYS[word]?.(today) ?? today, zone: 'UTC' }
}

function exactPoint(value: string | DatePointParts, path: string): Point {
  if (typeof value === 'string') return writtenPoint(value, `${path}.value`)
  const { type, start_date, start_time = '00:00', time_zone: zone = 'UTC' } = value
  const day = dayOf(start_date, `${path}.value.start_date`)
  if (type === 'date') return { day, zone }
  return { day, zone, instant: day.toPlainDateTime(start_time).toZonedDateTime(zone).epochMilliseconds }
}

/** A day, or a time with its offset. */
function writtenPoint(text: string, path: string): Point {
  const written = parseOperandForm(text, path)
  const [day = '', time] = written.split('T')
  const zone = time === undefined ? 'UTC' : written.slice(-'+00:00'.length)
  return {
    day: Temporal.PlainDate.from(day),
    zone,
    ...(time === undefined ? {} : { instant: Date.parse(written) }),
  }
}

function dayOf(text: string, path: string): Temporal.PlainDate {
  return Temporal.PlainDate.from(parseOperandForm(text, path))
}

function relativeSpan(
  { value, direction, unit, count = 1 }: RelativeDateRange,
  today: Temporal.PlainDate,
): [Temporal.PlainDate, Temporal.PlainDate] {
  if (value !== 'custom') {
    const [first, last] = WINDOWS[value.replace(/^the_/, '') as DateWindow](today)
    return [first, last]
  }
  const away = { [`${unit ?? 'day'}s`]: Math.min(count, COUNT_MAX) }
  return direction === 'future' ? [today, today.add(away)] : [today.subtract(away), today]
}

/** The maximum number of units. More exceed the times of all notes, and dates beyond the range of the calendar must not occur. */
const COUNT_MAX = 100_000

function boundsOfDays(first: Temporal.PlainDate, last: Temporal.PlainDate): Bound[] {
  return [
    { operator: '>=', value: startOf(first, 'UTC') },
    { operator: '<', value: startOf(last.add({ days: 1 }), 'UTC') },
  ]
}

function todayAt(now: number): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate()
}

function startOf(day: Temporal.PlainDate, zone: string): number {
  return day.toZonedDateTime(zone).epochMilliseconds
}
