import { Temporal } from 'temporal-polyfill'
import type { DateCondition, ExistenceCondition } from '../../../../generated/types.ts'
import type { Bound } from '../../../store/row_tests.ts'
import { parseOperandForm } from '../../shared/index.ts'

export type DateComparison = 'equals' | 'before' | 'after' | 'on_or_before' | 'on_or_after'
export type DateWindow = Exclude<keyof DateCondition, DateComparison | keyof ExistenceCondition>

const COMPARISONS: readonly DateComparison[] = ['equals', 'before', 'after', 'on_or_before', 'on_or_after']

/** The days that relative words stand for, relative to today. */
export const RELATIVE_DAYS: Readonly<Record<string, (today: Temporal.PlainDate) => Temporal.PlainDate>> = {
  today: (today) => today,
  tomorrow: (today) => today.add({ days: 1 }),
  yesterday: (today) => today.subtract({ days: 1 }),
  one_week_ago: (today) => today.subtract({ days: 7 }),
  one_week_from_now: (today) => today.add({ days: 7 }),
  one_month_ago: (today) => today.subtract({ months: 1 }),
  one_month_from_now: (today) => today.add({ months: 1 }),
}

/** The first and last day of each window relative to today. */
export const WINDOWS: Readonly<
  Record<DateWindow, (today: Temporal.PlainDate) => readonly [Temporal.PlainDate, Temporal.PlainDate]>
> = {
  this_week: (today) => {
    const sunday = today.subtract({ days: today.dayOfWeek % 7 })
    return [sunday, sunday.add({ days: 6 })]
  },
  past_week: (today) => [today.subtract({ days: 7 }), today],
  past_month: (today) => [today.subtract({ months: 1 }), today],
  past_year: (today) => [today.subtract({ years: 1 }), today],
  next_week: (today) => [today, today.add({ days: 7 })],
  next_month: (today) => [today, today.add({ months: 1 })],
  next_year: (today) => [today, today.add({ years: 1 })],
}

/**
 * The range of instants that satisfy a date condition, in milliseconds; days and windows are in UTC. Undefined for `is_empty` and
 * `is_not_empty`.
 * @param now milliseconds since 1970
 * @throws ServiceError `validation_error` for a day or a time that does not exist
 */
export function boundsOfDate(condition: DateCondition, now: number, path: string): Bound[] | undefined {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').toPlainDate()
  for (const comparison of COMPARISONS) {
    const operand = condition[comparison]
    if (operand !== undefined) return compared(comparison, operand, today, `${path}.${comparison}`)
  }
  for (const window of Object.keys(WINDOWS) as DateWindow[]) {
    if (condition[window] === undefined) continue
    const [first, last] = WINDOWS[window](today)
    return boundsOfDay('equals', startOf(first), startOf(last.add({ days: 1 })))
  }
  return undefined
}

function compared(comparison: DateComparison, operand: string, today: Temporal.PlainDate, path: string): Bound[] {
  const relative = RELATIVE_DAYS[operand]?.(today)
  const written = relative ? relative.toString() : parseOperandForm(operand.replace(' ', 'T'), path)
  if (written.includes('T')) return boundsOfInstant(comparison, Date.parse(written))
  const day = Temporal.PlainDate.from(written)
  return boundsOfDay(comparison, startOf(day), startOf(day.add({ days: 1 })))
}

/** The range of instants that satisfy a comparison with an instant. */
export function boundsOfInstant(comparison: DateComparison, value: number): Bound[] {
  const operators = { equals: '=', before: '<', after: '>', on_or_before: '<=', on_or_after: '>=' } as const
  return [{ operator: operators[comparison], value }]
}

/** The range of instants that satisfy a comparison with one or more consecutive days. @param end the start of the day after the last */
export function boundsOfDay(comparison: DateComparison, start: number, end: number): Bound[] {
  const from = (value: number): Bound => ({ operator: '>=', value })
  const until = (value: number): Bound => ({ operator: '<', value })
  const bounds = { before: [until(start)], after: [from(end)], on_or_before: [until(end)], on_or_after: [from(start)] }
  return comparison === 'equals' ? [from(start), until(end)] : bounds[comparison]
}

function startOf(day: Temporal.PlainDate): number {
  return day.toZonedDateTime('UTC').epochMilliseconds
}
