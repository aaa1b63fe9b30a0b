import type { StoredNote } from './stored_notes.ts'

/** A literal implementation of the contract's filters, without regard to speed. */

export interface Condition {
  readonly property: 'title' | 'created_time' | 'last_edited_time' | 'created_by' | 'last_edited_by' | 'attendees'
  readonly filter: { readonly operator: string; readonly value?: unknown }
}

export interface Group {
  readonly operator: 'and' | 'or'
  readonly filters?: readonly (Condition | Group)[]
}

export type KnownNote = Required<StoredNote>

/** @param now the current time, `2026-05-16T04:30:00.000Z` */
export function passesFilter(note: KnownNote, node: Condition | Group, now: string): boolean {
  if ('property' in node) return meets(note, node, now)
  const filters = node.filters ?? []
  if (filters.length === 0) return true
  return node.operator === 'and'
    ? filters.every((inner) => passesFilter(note, inner, now))
    : filters.some((inner) => passesFilter(note, inner, now))
}

function meets(note: KnownNote, { property, filter: { operator, value } }: Condition, now: string): boolean {
  switch (property) {
    case 'title':
      return meetsText(note.title, operator, textOf(value))
    case 'created_time':
      return meetsTime(note.created, operator, value, now)
    case 'last_edited_time':
      return meetsTime(note.edited, operator, value, now)
    case 'created_by':
      return meetsPeople([note.createdBy], operator, value)
    case 'last_edited_by':
      return meetsPeople([note.editedBy], operator, value)
    case 'attendees':
      return meetsPeople(note.attendees, operator, value)
  }
}

function textOf(value: unknown): string {
  return (value as { value: string } | undefined)?.value ?? ''
}

function meetsText(title: string, operator: string, text: string): boolean {
  const [one, other] = [title.toLowerCase(), text.toLowerCase()]
  const found = new Map<string, boolean>([
    ['string_is', one === other],
    ['string_is_not', one !== other],
    ['string_contains', one.includes(other)],
    ['string_does_not_contain', !one.includes(other)],
    ['string_starts_with', one.startsWith(other)],
    ['string_ends_with', one.endsWith(other)],
    ['is_empty', one === ''],
    ['is_not_empty', one !== ''],
  ])
  return found.get(operator) ?? fail(operator)
}

interface Person {
  readonly value: { readonly id: string }
}

function meetsPeople(people: readonly string[], operator: string, value: unknown): boolean {
  if (operator === 'is_empty') return people.length === 0
  if (operator === 'is_not_empty') return people.length > 0
  const wanted = (Array.isArray(value) ? (value as Person[]) : [value as Person]).map((person) => person.value.id)
  const isAmong = people.some((id) => wanted.includes(id))
  return operator === 'person_contains' ? isAmong : !isAmong
}

/** Days are texts such as `2026-05-16`, which sort chronologically; so do UTC timestamps. */
function meetsTime(time: string, operator: string, value: unknown, now: string): boolean {
  const moment = new Date(time).toISOString()
  const day = moment.slice(0, 10)
  if (operator === 'is_empty') return false
  if (operator === 'is_not_empty') return true
  if (operator === 'date_is_within' || operator === 'date_is_relative_to') {
    const [first, last] = spanOf(value, now)
    return first <= day && day <= last
  }
  const wanted = pointOf(value, now)
  const isDay = wanted.length === 10
  const own = isDay ? day : moment
  const compared = new Map<string, boolean>([
    ['date_is', day === wanted.slice(0, 10)],
    ['date_is_before', own < wanted],
    ['date_is_after', own > wanted],
    ['date_is_on_or_before', own <= wanted],
    ['date_is_on_or_after', own >= wanted],
  ])
  return compared.get(operator) ?? fail(operator)
}

interface Dated {
  readonly type: 'exact' | 'relative'
  readonly value:
    | string
    | { readonly type: string; readonly start_date: string; readonly start_time?: string; readonly end_date?: string }
  readonly direction?: string
  readonly unit?: 'day' | 'week' | 'month' | 'year'
  readonly count?: number
}

const POINTS: Readonly<Record<string, readonly [number, 'day' | 'week' | 'month']>> = {
  today: [0, 'day'],
  tomorrow: [1, 'day'],
  yesterday: [-1, 'day'],
  one_week_ago: [-1, 'week'],
  one_week_from_now: [1, 'week'],
  one_month_ago: [-1, 'month'],
  one_month_from_now: [1, 'month'],
}

/** A day, or an instant. */
function pointOf(value: unknown, now: string): string {
  const { type, value: wanted } = value as Dated
  if (type === 'relative') return daysFrom(now, ...(POINTS[String(wanted)] ?? fail(String(wanted))))
  if (typeof wanted === 'string') return wanted.length === 10 ? wanted : new Date(wanted).toISOString()
  return wanted.type === 'date'
    ? wanted.start_date
    : new Date(`${wanted.start_date}T${wanted.start_time ?? '00:00'}Z`).toISOString()
}

function spanOf(value: unknown, now: string): [string, string] {
  const { type, value: wanted, direction, unit = 'day', count = 1 } = value as Dated
  const today = now.slice(0, 10)
  if (type === 'exact')
    return typeof wanted === 'string' ? [wanted, wanted] : [wanted.start_date, wanted.end_date ?? wanted.start_date]
  if (wanted === 'this_week') {
    const sunday = daysFrom(now, -new Date(now).getUTCDay(), 'day')
    return [sunday, daysFrom(`${sunday}T00:00Z`, 6, 'day')]
  }
  if (wanted === 'custom')
    return direction === 'past' ? [daysFrom(now, -count, unit), today] : [today, daysFrom(now, count, unit)]
  const [, side, word] = /^the_(past|next)_(week|month|year)$/.exec(String(wanted)) ?? []
  const away = daysFrom(now, side === 'past' ? -1 : 1, word as 'week')
  return side === 'past' ? [away, today] : [today, away]
}

/** The day after so many units; in a shorter month, its last day. */
function daysFrom(now: string, count: number, unit: 'day' | 'week' | 'month' | 'year'): string {
  const date = new Date(now)
  if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1))
  else {
    const day = date.getUTCDate()
    date.setUTCMonth(date.getUTCMonth() + count * (unit === 'year' ? 12 : 1), 1)
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
    date.setUTCDate(Math.min(day, last))
  }
  return date.toISOString().slice(0, 10)
}

function fail(what: string): never {
  throw new Error(`unknown: ${what}`)
}
