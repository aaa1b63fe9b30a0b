import { richTextOf } from '@workspace-service/server/domain/content/index.ts'
import { isComputed, type PropertyType, type PayloadOf } from '@workspace-service/server/domain/data/index.ts'
import { writtenRange } from './written_dates.ts'
import type { FormulaValue, NamedFile, PeopleItem, RichTextItem, RollupValue } from '../../generated/types.ts'

/** The context for writing a cell. */
export interface CellFacts {
  /** The name of a row in its data source; undefined for a row that is not in the archive. */
  rowName(id: string): string | undefined
  /** Reports content that the cell cannot hold. */
  reportLoss(what: string, reason: string): void
}

/** The context for reading a cell. */
export interface CellTargets {
  /** The id of a member, by email address in lower case. */
  personOf(email: string): Promise<string | undefined>
  /** The id of a row in the related data source of the property. */
  rowOf(name: string): string
  /** The upload of a file of the archive; undefined if the archive does not contain the file. */
  upload(address: string): Promise<string | undefined>
  reportLoss(what: string, reason: string): void
}

interface CellFormat<T extends PropertyType> {
  write(payload: PayloadOf<T>, facts: CellFacts): string
  /**
   * Parses a cell to a value for requests; undefined if the text is not a valid value. `computed`: the service computes the value, from
   * other values or from events of the row.
   */
  readonly read: 'computed' | ((text: string, targets: CellTargets) => unknown)
}

const writtenText = {
  write: (payload: readonly RichTextItem[], facts: CellFacts) => textOf(payload, facts),
  read: (text: string): unknown => richTextOf(text),
}
const plain = { write: (payload: string | null) => payload ?? '', read: (text: string): unknown => text }
const option = {
  write: (payload: { readonly name: string } | null) => payload?.name ?? '',
  read: (text: string): unknown => ({ name: text }),
}
const time = { write: (payload: string) => payload, read: 'computed' } as const
const author = { write: (payload: PeopleItem) => personText(payload), read: 'computed' } as const

/** Separates the rows that a cell refers to; no row's name contains it. */
const BREAK = '\n'

/** Each type has its own format, or `json`: the value as JSON. */
const formats: { readonly [T in PropertyType]: CellFormat<T> | 'json' } = {
  title: writtenText,
  rich_text: writtenText,
  number: { write: (payload) => (payload === null ? '' : String(payload)), read: (text) => numberIn(text) },
  select: option,
  status: option,
  multi_select: {
    write: (payload) => payload.map(({ name }) => name).join(', '),
    read: (text) => partsOf(text).map((name) => ({ name })),
  },
  date: {
    write: (payload) => (payload === null ? '' : payload.end === null ? payload.start : `${payload.start} → ${payload.end}`),
    read: (text) => dateIn(text),
  },
  people: {
    write: (payload, facts) => payload.flatMap((person) => addressedPerson(person, facts) ?? []).join(', '),
    read: (text, targets) => peopleIn(text, targets),
  },
  files: {
    write: (payload) => payload.map(fileText).join(BREAK),
    read: (text, targets) => filesIn(text, targets),
  },
  checkbox: { write: (payload) => (payload ? 'Yes' : 'No'), read: (text) => checkboxIn(text) },
  url: plain,
  email: plain,
  phone_number: plain,
  relation: {
    write: (payload, facts) => payload.flatMap(({ id }) => relatedRow(id, facts) ?? []).join(BREAK),
    read: (text, { rowOf }) =>
      text
        .split(/\r?\n/)
        .filter(Boolean)
        .map((name) => ({ id: rowOf(name) })),
  },
  verification: { write: (payload) => payload?.state ?? '', read: 'computed' },
  formula: { write: (payload, facts) => formulaText(payload, facts), read: 'computed' },
  rollup: { write: (payload, facts) => rollupText(payload, facts), read: 'computed' },
  unique_id: {
    write: ({ prefix, number }) => (number === null ? '' : prefix === null ? String(number) : `${prefix}-${number}`),
    read: 'computed',
  },
  created_time: time,
  last_edited_time: time,
  created_by: author,
  last_edited_by: author,
  button: { write: () => '', read: 'computed' },
  place: 'json',
  location: 'json',
  last_visited_time: 'json',
}

export function writeCell(type: PropertyType, payload: unknown, facts: CellFacts): string {
  const format: 'json' | { write(payload: unknown, facts: CellFacts): string } = formats[type]
  if (format !== 'json') return format.write(payload, facts)
  return payload === null || payload === undefined ? '' : JSON.stringify(payload)
}

export function cellReader(type: PropertyType): CellFormat<PropertyType>['read'] {
  const format = formats[type]
  if (format !== 'json') return format.read
  return isComputed(type) ? 'computed' : jsonIn
}

function textOf(items: readonly RichTextItem[], facts: CellFacts): string {
  if (items.some(isFormatted))
    facts.reportLoss('formatting', 'A cell contains plain text, without formatting, links and mentions.')
  return items.map((item) => item.plain_text).join('')
}

function isFormatted({ type, href, annotations }: RichTextItem): boolean {
  const { color, ...marks } = annotations
  return type !== 'text' || href !== null || color !== 'default' || Object.values(marks).includes(true)
}

export function numberIn(text: string): number | undefined {
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text.trim()) && Number.isFinite(Number(text))
    ? Number(text)
    : undefined
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/

/** A date or a range of dates, in ISO 8601 or in words. */
export function dateIn(text: string): object | undefined {
  const [start = '', end, more] = text.trim().split(/ ?→ ?/)
  if (more !== undefined) return undefined
  if (!DATE.test(start)) return writtenRange(start, end)
  return end === undefined || DATE.test(end) ? { start, end: end ?? null } : undefined
}

const CHECKED: Readonly<Record<string, boolean>> = { yes: true, true: true, no: false, false: false }

export function checkboxIn(text: string): boolean | undefined {
  return CHECKED[text.trim().toLowerCase()]
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function nameOf(person: PeopleItem): string {
  return ('name' in person ? person.name : null)?.replace(/[<>,\s]+/g, ' ').trim() ?? ''
}

function emailOf(person: PeopleItem): string | undefined {
  return 'person' in person && 'email' in person.person ? (person.person.email ?? undefined) : undefined
}

function personText(person: PeopleItem): string {
  const email = emailOf(person)
  return email === undefined ? nameOf(person) || person.id : `${nameOf(person)} <${email}>`.trim()
}

function addressedPerson(person: PeopleItem, { reportLoss }: CellFacts): string | undefined {
  if (emailOf(person) === undefined) {
    reportLoss(`${nameOf(person) || person.id}`, 'An import finds people by email address, and this person has none.')
    return undefined
  }
  return personText(person)
}

async function peopleIn(text: string, { personOf, reportLoss }: CellTargets): Promise<object[]> {
  const people: object[] = []
  for (const [, email = ''] of text.matchAll(/(?<![^\s<>,])([^\s<>,]+@[^\s<>,]+)/g)) {
    const id = await personOf(email.toLowerCase())
    if (id === undefined) reportLoss(email, 'No member of the workspace has this email address.')
    else people.push({ object: 'user', id })
  }
  return people
}

function fileText(file: NamedFile): string {
  const address = file.type === 'file' ? file.file.url : file.external.url
  return `[${file.name.replace(/[\\[\]]/g, '\\$&')}](${address.replace(/[\s()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)})`
}

async function filesIn(text: string, { upload, reportLoss }: CellTargets): Promise<object[]> {
  const files: object[] = []
  for (const [, label = '', address = ''] of text.matchAll(/(?<!\\)\[((?:\\.|[^\\[\]])*)\]\(([^()\s]*)\)/g)) {
    const name = label.replace(/\\(.)/g, '$1')
    if (/^https?:\/\//i.test(address)) files.push({ type: 'external', name: name || address, external: { url: address } })
    else {
      const id = await upload(address)
      if (id === undefined)
        reportLoss(name || address, 'The archive does not contain the file, or the service does not accept it.')
      else files.push({ type: 'file_upload', ...(name === '' ? {} : { name }), file_upload: { id } })
    }
  }
  return files
}

function relatedRow(id: string, { rowName, reportLoss }: CellFacts): string | undefined {
  const name = rowName(id)
  if (name === undefined) reportLoss(id, 'The archive does not contain the page that the link leads to.')
  return name
}

function formulaText(value: FormulaValue, facts: CellFacts): string {
  switch (value.type) {
    case 'string':
      return value.string ?? ''
    case 'number':
      return writeCell('number', value.number, facts)
    case 'boolean':
      return value.boolean === null ? '' : writeCell('checkbox', value.boolean, facts)
    case 'date':
      return writeCell('date', value.date, facts)
    case 'unsupported':
      return ''
  }
}

function rollupText(value: RollupValue, facts: CellFacts): string {
  switch (value.type) {
    case 'number':
      return writeCell('number', value.number, facts)
    case 'date':
      return writeCell('date', value.date, facts)
    case 'array':
      // The entries' losses are not reported: the service computes rollups again.
      return value.array
        .map((entry) => writeCell(entry.type, payloadOf(entry), { ...facts, reportLoss: () => undefined }))
        .join(', ')
    case 'unsupported':
      return ''
  }
}

function payloadOf(entry: { readonly type: string }): unknown {
  return Object.entries(entry).find(([key]) => key === entry.type)?.[1]
}
