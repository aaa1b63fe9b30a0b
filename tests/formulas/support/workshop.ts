import type { RollupArrayEntry, RollupFunction } from '../../../generated/types.ts'
import {
  formulaResult,
  Budget,
  evaluate,
  FormulaCompiler,
  formulaValueOf,
  type SchemaProperty,
  type FormulaRow,
  type FormulaSchema,
  type FormulaValue,
  type Reading,
} from '../../../server/domain/data/formulas/index.ts'

/** 2026-05-04 is a Monday. */
export const NOW = Date.parse('2026-05-04T10:20:30.400Z')

export const ADA = '70921305-6f81-43a4-9fe0-516273849512'
export const TASK = '2b4d6f80-1a3c-4e5f-8a9b-0c1d2e3f4a06'
export const HARBOUR = '3c5e7081-2b4d-4f60-9bac-1d2e3f405107'
export const MILL = '4d6f8092-3c5e-4071-8cbd-2e3f40516208'

/** The properties of these tests' tasks, by name; the id of a property is `id_` and its name. */
export const TASKS = 'tasks'
export const CUSTOMERS = 'customers'

type Stored = Readonly<Record<string, RollupArrayEntry>>

const person = (id: string, name: string, email?: string) =>
  ({ object: 'user', id, type: 'person', name, avatar_url: null, person: email === undefined ? {} : { email } }) as const
const run = (text: string) =>
  ({
    type: 'text',
    text: { content: text, link: null },
    plain_text: text,
    href: null,
    annotations: { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' },
  }) as const
const option = (name: string) => ({ id: name, name, color: 'default' }) as const

const taskValues: Stored = {
  Name: { type: 'title', title: [run('Mend the '), run('crane')] },
  Notes: { type: 'rich_text', rich_text: [] },
  Hours: { type: 'number', number: 7.5 },
  Rate: { type: 'number', number: null },
  Zero: { type: 'number', number: 0 },
  Done: { type: 'checkbox', checkbox: true },
  Open: { type: 'checkbox', checkbox: false },
  Due: { type: 'date', date: { start: '2026-05-14', end: null, time_zone: null } },
  Start: { type: 'date', date: null },
  Shift: {
    type: 'date',
    date: { start: '2026-05-04T09:00:00.000+02:00', end: '2026-05-06T17:30:00.000+02:00', time_zone: null },
  },
  Zoned: { type: 'date', date: { start: '2026-07-01T12:00:00', end: null, time_zone: 'America/New_York' } },
  Stage: { type: 'status', status: option('In progress') },
  Kind: { type: 'select', select: null },
  Tags: { type: 'multi_select', multi_select: [option('urgent'), option('warranty')] },
  Labels: { type: 'multi_select', multi_select: [] },
  Site: { type: 'url', url: 'https://example.com/crane' },
  Mail: { type: 'email', email: null },
  Phone: { type: 'phone_number', phone_number: '+1 555 0100' },
  Ticket: { type: 'unique_id', unique_id: { prefix: 'REP', number: 12 } },
  Number: { type: 'unique_id', unique_id: { prefix: null, number: 7 } },
  Made: { type: 'created_time', created_time: '2026-04-02T08:15:30.250Z' },
  Changed: { type: 'last_edited_time', last_edited_time: '2026-04-03T00:00:00.000Z' },
  Author: { type: 'created_by', created_by: person(ADA, 'Ada', 'ada@example.com') },
  Editor: { type: 'last_edited_by', last_edited_by: { object: 'user', id: 'b0000000-0000-4000-8000-000000000000' } },
  Team: { type: 'people', people: [person(ADA, 'Ada', 'ada@example.com'), { object: 'group', id: 'g', name: 'Riggers' }] },
  Papers: { type: 'files', files: [{ type: 'external', name: 'plan', external: { url: 'https://example.com/plan.pdf' } }] },
  Where: { type: 'place', place: { lat: 1, lon: 2, name: 'Quay 3', address: null, aws_place_id: null, google_place_id: null } },
  Seal: { type: 'verification', verification: null },
}

const formulas: Readonly<Record<string, string>> = {
  Cost: 'prop("Hours") * 40',
  Label: 'prop("Name") + ": " + prop("Cost")',
  Late: 'prop("Due") < now()',
  Nothing: '',
  Balances: 'prop("Customers").map(current.prop("Balance"))',
  Broken: 'prop("Gone") + 1',
}

const taskProperties: SchemaProperty[] = [
  ...Object.entries(taskValues).map(([name, value]) => ({ id: `id_${name}`, name, type: value.type })),
  ...Object.entries(formulas).map(([name, text]): SchemaProperty => ({
    id: `id_${name}`,
    name,
    type: 'formula',
    expression: { form: 'written', text },
  })),
  { id: 'id_Customers', name: 'Customers', type: 'relation', relatedDataSourceId: CUSTOMERS },
  { id: 'id_None', name: 'None', type: 'relation', relatedDataSourceId: CUSTOMERS },
  { id: 'id_Parents', name: 'Parents', type: 'relation', relatedDataSourceId: TASKS },
  { id: 'id_Hidden', name: 'Hidden', type: 'relation', relatedDataSourceId: 'not visible' },
  rollup('Owed', 'sum', 'id_Balance'),
  rollup('Cities', 'show_original', 'id_City'),
  rollup('Doubles', 'show_original', 'id_Double'),
  rollup('Last visit', 'latest_date', 'id_Visit'),
  { id: 'id_Press', name: 'Press', type: 'button' },
  { id: 'id_Spot', name: 'Spot', type: 'location' },
  { id: 'id_Seen', name: 'Seen', type: 'last_visited_time' },
]

function rollup(name: string, fn: RollupFunction, propertyId: string): SchemaProperty {
  return { id: `id_${name}`, name, type: 'rollup', rollup: { function: fn, relationPropertyId: 'id_Customers', propertyId } }
}

const customerProperties: SchemaProperty[] = [
  { id: 'title', name: 'Customer', type: 'title' },
  { id: 'id_Balance', name: 'Balance', type: 'number' },
  { id: 'id_City', name: 'City', type: 'rich_text' },
  { id: 'id_Visit', name: 'Visit', type: 'date' },
  { id: 'id_Jobs', name: 'Jobs', type: 'relation', relatedDataSourceId: TASKS },
  { id: 'id_Double', name: 'Double', type: 'formula', expression: { form: 'written', text: 'prop("Balance") * 2' } },
]

export const schemas: ReadonlyMap<string, FormulaSchema> = new Map([
  [TASKS, { dataSourceId: TASKS, properties: taskProperties }],
  [CUSTOMERS, { dataSourceId: CUSTOMERS, properties: customerProperties }],
])

/** A row with these values by property id, and these related rows. */
export class SampleRow implements FormulaRow {
  readonly id: string
  readonly title: string
  readonly #values: Readonly<Record<string, FormulaValue>>
  readonly #related: Readonly<Record<string, readonly FormulaRow[]>>

  constructor(
    id: string,
    title: string,
    values: Readonly<Record<string, FormulaValue>>,
    related: Readonly<Record<string, readonly FormulaRow[]>> = {},
  ) {
    this.id = id
    this.title = title
    this.#values = values
    this.#related = related
  }

  related(propertyId: string): readonly FormulaRow[] {
    return this.#related[propertyId] ?? []
  }

  read(propertyId: string, reading: Reading): FormulaValue {
    const rolled = taskProperties.find((property) => property.id === propertyId)?.rollup
    if (rolled === undefined) return this.#values[propertyId] ?? null
    const values = this.related(rolled.relationPropertyId).map((row) => reading.readRelated(row, CUSTOMERS, rolled.propertyId))
    if (rolled.function === 'show_original') return values
    if (rolled.function === 'latest_date') return values.findLast((value) => value !== null) ?? null
    return values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0)
  }
}

const harbour = new SampleRow(HARBOUR, 'Harbour', { title: 'Harbour', id_Balance: 100, id_City: 'Porto', id_Visit: null })
const mill = new SampleRow(MILL, 'Mill', { title: 'Mill', id_Balance: null, id_City: 'Gent', id_Visit: null })

/** The task of these tests. It is its own parent. */
export const task: FormulaRow = new SampleRow(
  TASK,
  'Mend the crane',
  Object.fromEntries(Object.entries(taskValues).map(([name, value]) => [`id_${name}`, formulaValueOf(value)])),
  { id_Customers: [harbour, mill], id_None: [] },
)

export const compiler = new FormulaCompiler((dataSourceId) => schemas.get(dataSourceId))

/**
 * The result of an expression for the task: type and value of the response; a date as `start` or `start/end`. The empty text, which
 * responses contain as null, differs from the empty value.
 */
export function given(expression: string, steps?: number): { type: string; value: string | number | boolean | null } {
  const { formula, error } = compiler.compile(expression, TASKS)
  if (formula === undefined) throw new Error(`${expression}: ${error.message} (${error.position})`)
  const budget = new Budget(steps)
  const evaluation = evaluate(formula, task, compiler, { now: NOW, budget })
  const response = formulaResult(formula, evaluation)
  switch (response.type) {
    case 'unsupported':
      return { type: 'unsupported', value: null }
    case 'date':
      return {
        type: 'date',
        value: response.date && [response.date.start, response.date.end].filter((part) => part !== null).join('/'),
      }
    case 'number':
      return { type: 'number', value: response.number }
    case 'string':
      return {
        type: 'string',
        value: evaluation.isUnsupported || evaluation.value === null ? response.string : (response.string ?? ''),
      }
    case 'boolean':
      return { type: 'boolean', value: response.boolean }
  }
}
