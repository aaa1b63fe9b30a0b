import type { PageObject } from '../../../../generated/types.ts'
import { markup, type Html } from '../../oauth/html.ts'
import type { PageView } from '../page_view.ts'
import { valueById } from '../values/columns.ts'
import { rowLink, type RowList } from './row_list.ts'

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/
const DAY_MS = 86_400_000
const DAYS_OF_WEEK = 7

/** A month, with the days that a calendar shows for it: whole weeks from Monday to Sunday. */
export interface Month {
  /** For example, `2026-05`. */
  readonly name: string
  readonly days: readonly string[]
  readonly before: string
  readonly after: string
}

/** The month to show. @param written if it is not a valid month, the month of `now` is used */
export function monthOf(written: string | undefined, now: number): Month {
  const match = MONTH.exec(written ?? '')
  const name = match ? match[0] : dayText(now).slice(0, 7)
  const first = Date.parse(`${name}-01`)
  const next = nextMonth(first, 1)
  const start = first - ((new Date(first).getUTCDay() + 6) % DAYS_OF_WEEK) * DAY_MS
  const weeks = Math.ceil((next - start) / DAY_MS / DAYS_OF_WEEK)
  const days = Array.from({ length: weeks * DAYS_OF_WEEK }, (_none, index) => dayText(start + index * DAY_MS))
  return { name, days, before: dayText(nextMonth(first, -1)).slice(0, 7), after: dayText(next).slice(0, 7) }
}

function nextMonth(first: number, months: number): number {
  const date = new Date(first)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1)
}

function dayText(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** @param hrefOf returns the address of the view in another month */
export function calendarView(list: RowList, month: Month, dateId: string, hrefOf: (month: string) => string): Html {
  const { view, rows } = list
  const byDay = Map.groupBy(rows, (row) => dayOf(row, dateId))
  const title = new Intl.DateTimeFormat(view.locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month.name}-01`),
  )
  return markup`<div class="month"><a href="${hrefOf(month.before)}" rel="prev">←<span class="hidden">Previous month</span></a>
<h2>${title}</h2><a href="${hrefOf(month.after)}" rel="next">→<span class="hidden">Next month</span></a></div>
<ol class="calendar">${month.days.map((day) => dayItem(view, day, month, byDay.get(day) ?? []))}</ol>
${rows.length === 0 && markup`<p class="soft">Nothing in this month.</p>`}`
}

function dayItem(view: PageView, day: string, month: Month, rows: readonly PageObject[]): Html {
  const weekday = new Intl.DateTimeFormat(view.locale, { weekday: 'short', timeZone: 'UTC' }).format(Date.parse(day))
  const classes = [day.startsWith(month.name) ? 'inside' : 'outside', rows.length === 0 ? 'empty' : 'full'].join(' ')
  return markup`<li class="${classes}"><time datetime="${day}"><span class="weekday">${weekday}</span> ${String(Number(day.slice(8)))}</time>
${rows.map((row) => markup`<p>${rowLink(view, row)}</p>`)}</li>`
}

/** The day on which a row begins; empty without a date. */
function dayOf(row: PageObject, dateId: string): string {
  const value = valueById(row, dateId)
  if (value?.type === 'created_time') return dayIn(value.created_time)
  if (value?.type === 'last_edited_time') return dayIn(value.last_edited_time)
  if (value?.type === 'formula') return value.formula.type === 'date' ? dayIn(value.formula.date?.start) : ''
  return value?.type === 'date' ? dayIn(value.date?.start) : ''
}

function dayIn(date: string | undefined): string {
  return date?.slice(0, 10) ?? ''
}
