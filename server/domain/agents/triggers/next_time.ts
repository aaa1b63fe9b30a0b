import { Temporal } from 'temporal-polyfill'
import type { TriggerSchedule } from '../../../../generated/types.ts'

/** The latest time of a schedule. Calendars are not reliable after that. */
const LATEST = Date.UTC(9999, 0, 1)
/** A schedule ends after this many periods without a matching day, such as years without a 29 February. */
const EMPTY_PERIODS_MAX = 500

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

type Period = 'day' | 'week' | 'month' | 'year'

/**
 * The next time of a schedule.
 * @param anchor the start of the schedule in milliseconds. Its periods begin at its start date or, without one, at the anchor; the same
 * date provides what the schedule does not specify.
 * @param after the time in milliseconds after which the schedule is due next
 * @returns the time in milliseconds; undefined if it is never due again
 */
export function nextTime(schedule: TriggerSchedule, anchor: number, after: number): number | undefined {
  const { start_date: startDate, end } = schedule
  const start = startDate === undefined ? anchor : Date.parse(startDate)
  // A schedule is due at its start date, unless that has passed.
  const earliest = startDate === undefined ? Math.max(after, start) : Math.max(after, start - 1)
  const from = Temporal.Instant.fromEpochMilliseconds(start).toZonedDateTimeISO(schedule.timezone ?? 'UTC')
  const due =
    schedule.frequency === 'hour' ? nextHour(schedule, from, earliest) : nextDay(schedule, schedule.frequency, from, earliest)
  if (due === undefined || due > LATEST) return undefined
  return end?.type === 'date' && due > Date.parse(end.end_at) ? undefined : due
}

const HOUR_MS = 3_600_000

/** Hours are counted in elapsed time, even if clocks are set forward or back. */
function nextHour({ interval, minute }: TriggerSchedule, from: Temporal.ZonedDateTime, after: number): number {
  const first = from.with({ minute: minute ?? from.minute, second: 0, millisecond: 0 }).epochMilliseconds
  const step = interval * HOUR_MS
  const passed = Math.max(0, Math.floor((after - first) / step) + 1)
  return first + passed * step
}

function nextDay(schedule: TriggerSchedule, period: Period, from: Temporal.ZonedDateTime, after: number): number | undefined {
  const first = startOf(from.toPlainDate(), period)
  const reached = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(from.timeZoneId).toPlainDate()
  const passed = Math.max(0, periodsBetween(first, startOf(reached, period), period))
  const time = { hour: schedule.hour ?? from.hour, minute: schedule.minute ?? (schedule.hour === undefined ? from.minute : 0) }
  for (let n = Math.floor(passed / schedule.interval), tries = 0; tries < EMPTY_PERIODS_MAX; n += 1, tries += 1) {
    if (n * schedule.interval > PERIODS_MAX[period]) return undefined
    const start = first.add({ [`${period}s`]: n * schedule.interval })
    for (const date of daysIn(schedule, period, start, from.toPlainDate())) {
      // If clocks are set forward past the time, the schedule is due later by the difference. If they are set back, so that the time occurs
      // twice, the first occurrence counts.
      const due = date.toZonedDateTime({ timeZone: from.timeZoneId, plainTime: time }).epochMilliseconds
      if (due > after) return due
    }
  }
  return undefined
}

const PERIODS_MAX: Readonly<Record<Period, number>> = { day: 2_900_000, week: 410_000, month: 95_000, year: 7_900 }

/** The first day of the period of a date. Weeks begin on Monday. */
function startOf(date: Temporal.PlainDate, period: Period): Temporal.PlainDate {
  if (period === 'day') return date
  if (period === 'week') return date.subtract({ days: date.dayOfWeek - 1 })
  return period === 'month' ? date.with({ day: 1 }) : date.with({ month: 1, day: 1 })
}

function periodsBetween(first: Temporal.PlainDate, later: Temporal.PlainDate, period: Period): number {
  return first.until(later, { largestUnit: `${period}s` })[`${period}s`]
}

/** The matching days of a period, in order. What a schedule does not specify, its start date does. */
function daysIn(
  schedule: TriggerSchedule,
  period: Period,
  start: Temporal.PlainDate,
  began: Temporal.PlainDate,
): Temporal.PlainDate[] {
  if (period === 'day') return [start]
  const weekdays = new Set((schedule.weekdays ?? []).map((name) => WEEKDAYS.indexOf(name) + 1))
  if (period === 'week') {
    const wanted = weekdays.size > 0 ? weekdays : new Set([began.dayOfWeek])
    return [...wanted].sort((a, b) => a - b).map((day) => start.add({ days: day - 1 }))
  }
  const month = period === 'month' ? start : start.with({ month: began.month })
  const all = Array.from({ length: month.daysInMonth }, (_, index) => month.with({ day: index + 1 }))
  if (weekdays.size > 0) return all.filter((date) => weekdays.has(date.dayOfWeek) && isInWeek(date, schedule.week_numbers ?? []))
  const monthdays = schedule.monthdays?.length ? schedule.monthdays : [began.day]
  return all.filter(({ day, daysInMonth }) => monthdays.includes(day) || monthdays.includes(day - daysInMonth - 1))
}

/**
 * Whether a date is the first, second … of its weekday in the month, with -1 for the last one. Without numbers every date
 * matches.
 */
function isInWeek({ day, daysInMonth }: Temporal.PlainDate, numbers: readonly number[]): boolean {
  const [fromStart, fromEnd] = [Math.ceil(day / 7), -Math.ceil((daysInMonth - day + 1) / 7)]
  return numbers.length === 0 || numbers.includes(fromStart) || numbers.includes(fromEnd)
}
