/**
 * The results that a query must have, computed in the simplest way: all rows are in memory, and every filter examines every row. It is
 * independent of the service. Dates follow the contract: days are those of UTC, and a day without a time means its midnight.
 */

export interface ModelDate {
  readonly start: string
  readonly end: string | null
}

/** A row as the test created it. Empty values are null, `''` or `[]`. */
export interface ModelRow {
  readonly id: string
  readonly created: number
  readonly edited: number
  readonly author: string
  readonly values: Readonly<Record<string, ModelValue>>
}

export type ModelValue = null | string | number | boolean | readonly string[] | ModelDate | { readonly until: number | null }

export interface ModelColumn {
  readonly name: string
  readonly type: string
  /** The names of options, in order. */
  readonly options?: readonly string[]
}

export type ModelFilter = Readonly<Record<string, unknown>>

export interface Model {
  readonly columns: readonly ModelColumn[]
  readonly rows: readonly ModelRow[]
  readonly now: number
  /** Names of people and titles of pages by id. */
  readonly names: Readonly<Record<string, string>>
}

const DAY = 86_400_000

export function passes(model: Model, filter: ModelFilter, row: ModelRow): boolean {
  if (Array.isArray(filter['and'])) return (filter['and'] as ModelFilter[]).every((part) => passes(model, part, row))
  if (Array.isArray(filter['or'])) {
    const parts = filter['or'] as ModelFilter[]
    return parts.length === 0 || parts.some((part) => passes(model, part, row))
  }
  const [key = ''] = Object.keys(filter).filter((name) => name !== 'property' && name !== 'timestamp')
  const condition = filter[key] as Readonly<Record<string, unknown>>
  const [[word = '', operand] = []] = Object.entries(condition)
  if (filter['timestamp'] !== undefined)
    return dateMeets(model.now, word, operand, key === 'created_time' ? row.created : row.edited)
  const column = model.columns.find(({ name }) => name === filter['property'])
  if (!column) throw new Error('no such column')
  const value = row.values[column.name] ?? null
  switch (column.type) {
    case 'number':
    case 'unique_id':
      return numberMeets(word, operand as number, value as number | null)
    case 'checkbox':
      return word === 'equals' ? Boolean(value) === operand : Boolean(value) !== operand
    case 'select':
    case 'status':
    case 'multi_select':
    case 'people':
    case 'relation':
    case 'files':
      return listMeets(word, operand, typeof value === 'string' ? [value] : ((value ?? []) as string[]))
    case 'created_by':
      return listMeets(word, operand, [row.author])
    case 'date':
      return dateMeets(model.now, word, operand, value === null ? null : Date.parse((value as ModelDate).start))
    case 'created_time':
      return dateMeets(model.now, word, operand, row.created)
    case 'last_edited_time':
      return dateMeets(model.now, word, operand, row.edited)
    case 'verification':
      return (stateOf(model, value) === operand) === (word === 'status')
    default:
      return textMeets(word, operand as string, (value ?? '') as string)
  }
}

function stateOf({ now }: Model, value: ModelValue): string {
  if (value === null) return 'none'
  const { until } = value as { until: number | null }
  return until !== null && until <= now ? 'expired' : 'verified'
}

function textMeets(word: string, operand: string, text: string): boolean {
  if (word === 'is_empty') return text === ''
  if (word === 'is_not_empty') return text !== ''
  if (text === '') return word.startsWith('does_not')
  const [lower, wanted] = [text.toLowerCase(), String(operand).toLowerCase()]
  if (word === 'equals') return text === operand
  if (word === 'does_not_equal') return text !== operand
  if (word === 'contains') return lower.includes(wanted)
  if (word === 'does_not_contain') return !lower.includes(wanted)
  return word === 'starts_with' ? lower.startsWith(wanted) : lower.endsWith(wanted)
}

function numberMeets(word: string, operand: number, value: number | null): boolean {
  if (word === 'is_empty') return value === null
  if (word === 'is_not_empty') return value !== null
  if (value === null) return word === 'does_not_equal'
  if (word === 'equals') return value === operand
  if (word === 'does_not_equal') return value !== operand
  if (word === 'greater_than') return value > operand
  if (word === 'less_than') return value < operand
  return word === 'greater_than_or_equal_to' ? value >= operand : value <= operand
}

function listMeets(word: string, operand: unknown, elements: readonly string[]): boolean {
  if (word === 'is_empty') return elements.length === 0
  if (word === 'is_not_empty') return elements.length > 0
  const wanted = Array.isArray(operand) ? (operand as string[]) : [String(operand)]
  return elements.some((element) => wanted.includes(element)) !== word.startsWith('does_not')
}

function dateMeets(now: number, word: string, operand: unknown, value: number | null): boolean {
  if (word === 'is_empty') return value === null
  if (word === 'is_not_empty') return value !== null
  if (value === null) return false
  const today = Math.floor(now / DAY)
  const day = Math.floor(value / DAY)
  const months = (count: number): number => shiftedByMonths(today, count)
  const windows: Record<string, [number, number]> = {
    this_week: [today - new Date(now).getUTCDay(), today - new Date(now).getUTCDay() + 6],
    past_week: [today - 7, today],
    past_month: [months(-1), today],
    past_year: [months(-12), today],
    next_week: [today, today + 7],
    next_month: [today, months(1)],
    next_year: [today, months(12)],
  }
  const window = windows[word]
  if (window) return window[0] <= day && day <= window[1]
  const words: Record<string, number> = {
    today,
    tomorrow: today + 1,
    yesterday: today - 1,
    one_week_ago: today - 7,
    one_week_from_now: today + 7,
    one_month_ago: months(-1),
    one_month_from_now: months(1),
  }
  const text = String(operand)
  const isInstant = text.includes('T')
  const [left, right] = isInstant ? [value, Date.parse(text)] : [day, words[text] ?? Date.parse(text) / DAY]
  if (word === 'equals') return left === right
  if (word === 'before') return left < right
  if (word === 'after') return left > right
  return word === 'on_or_before' ? left <= right : left >= right
}

function shiftedByMonths(day: number, count: number): number {
  const date = new Date(day * DAY)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + count]
  const last = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  return Date.UTC(year, month, Math.min(date.getUTCDate(), last)) / DAY
}

export interface ModelSort {
  readonly property?: string
  readonly timestamp?: string
  readonly direction: 'ascending' | 'descending'
}

const collator = new Intl.Collator('und', { sensitivity: 'accent' })

/** Texts sort by their first 80 characters. */
const beginning = (text: string): string => [...text].slice(0, 80).join('')

function compareTexts(whole: string, other: string): number {
  const [a, b] = [beginning(whole), beginning(other)]
  if (collator.compare(a, b) !== 0) return collator.compare(a, b)
  const codePoints = (text: string): number[] => [...text].map((character) => character.codePointAt(0) ?? 0)
  return compareLists(codePoints(a), codePoints(b))
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.min(a.length, b.length); index += 1)
    if (a[index] !== b[index]) return (a[index] ?? 0) - (b[index] ?? 0)
  return a.length - b.length
}

/** The rows that pass the filter, in order. */
export function select(model: Model, filter: ModelFilter | undefined, sorts: readonly ModelSort[]): ModelRow[] {
  const found = model.rows.filter((row) => filter === undefined || passes(model, filter, row))
  return found.sort((a, b) => {
    for (const sort of sorts) {
      const [one, other] = [sortedBy(model, sort, a), sortedBy(model, sort, b)]
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1
        continue
      }
      const order =
        typeof one === 'string' || typeof other === 'string' ? compareTexts(String(one), String(other)) : compareLists(one, other)
      if (order !== 0) return sort.direction === 'ascending' ? order : -order
    }
    return b.created - a.created || (a.id < b.id ? -1 : 1)
  })
}

/** The sort key of a row; null for an empty value. */
function sortedBy(model: Model, { property, timestamp }: ModelSort, row: ModelRow): null | string | number[] {
  const column = model.columns.find(({ name }) => name === property)
  const type = column?.type ?? timestamp
  const value = column ? (row.values[column.name] ?? null) : null
  const location = (name: string): number => column?.options?.indexOf(name) ?? -1
  switch (type) {
    case 'created_time':
      return [row.created]
    case 'last_edited_time':
      return [row.edited]
    case 'created_by':
      return model.names[row.author] ?? ''
    case 'checkbox':
      return [value === true ? 1 : 0]
    case 'verification':
      return [['none', 'expired', 'verified'].indexOf(stateOf(model, value))]
    case 'number':
    case 'unique_id':
      return value === null ? null : [value as number]
    case 'date': {
      const date = value as ModelDate | null
      return date && [Date.parse(date.start), Date.parse(date.end ?? date.start)]
    }
    case 'select':
    case 'status':
      return value === null ? null : [location(value as string)]
    case 'multi_select':
      return (value as string[]).length === 0 ? null : (value as string[]).map(location)
    case 'people':
    case 'relation':
      return (value as string[]).length === 0 ? null : (model.names[(value as string[])[0] ?? ''] ?? '')
    case 'files':
      return (value as string[])[0] ?? null
    default:
      return value === null || value === '' ? null : (value as string)
  }
}
