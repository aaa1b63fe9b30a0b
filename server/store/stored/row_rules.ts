import { TIME_MAX } from '../../kernel/clock.ts'
import { parentTypes } from '../blocks.ts'
import { NO_WORKSPACE } from '../jobs.ts'
import type { CatalogColumn, CatalogTable } from '../dialects/catalog.ts'
import type { SqlValue } from '../sql.ts'
import { blockForms, blockTypeForm } from './block_forms.ts'
import { nestingMismatch, withinCell } from './cell_limits.ts'
import { checkedValues } from './checked_values.ts'
import { componentForms, viewSettingsForm, waitingEventForm } from './contract_forms.ts'
import { anything, isId, Measured, members, nullable, numberForm, oneOfTexts, where, type Form, type Mismatch } from './form.ts'
import { eventColumns, jsonColumn } from './json_columns.ts'
import type { OuterRules } from './outer_rules.ts'

/** The problem with one cell. */
export interface CellMismatch extends Mismatch {
  readonly column: string
}

export interface CheckedTable {
  readonly table: CatalogTable
  readonly columns: readonly CheckedColumn[]
}

interface CheckedColumn {
  readonly name: string
  readonly form: Form
  /** The form of a text that is JSON, which may depend on other cells of the row; undefined for other columns. */
  readonly json: JsonRule | undefined
}

type JsonRule = (cell: (column: string) => string) => Form

const TIMES = /(?:^|_)(?:time|start|since|due)$/
const FLAGS = /^(?:is|in|has|takes|holds|shares|calls)_|^(?:redirect_uri_sent|type_is_given|completed)$/
/** The maximum length of a text, in UTF-16 units: far more than requests allow. Larger columns are in `LARGE`. */
const TEXT_MAX = 100_000
const LARGE = new Set([
  'agent_versions.instructions',
  'agents.connections',
  'agents.instructions',
  'idempotency_keys.body',
  'session_turns.prompt_context',
])
const BYTES_MAX = 4_096
/** The maximum of PostgreSQL for columns of this type. */
const INTEGER_MAX = 2 ** 31 - 1
const NEVER = -1

export const viewTypes = ['table', 'board', 'list', 'calendar', 'timeline', 'gallery', 'form', 'chart', 'map', 'dashboard']

const KNOWN: Readonly<Record<string, Form>> = {
  'blocks.type': blockTypeForm,
  'blocks.parent_type': oneOfTexts(parentTypes),
  'session_events.type': oneOfTexts(Object.keys(eventColumns)),
  'users.role': nullable(oneOfTexts(['owner', 'member', 'restricted', 'guest'])),
  'views.type': oneOfTexts(viewTypes),
}

const unknownChange = where('the details of a change of a known type', () => false)
const unknownTask = where('the request of an operation that has tasks', () => false)
const unknownJob = where('the payload of a kind of job that workspaces have', () => false)

/** Columns that contain JSON whose form depends on other cells of the row. */
function rulesByRow(rules: OuterRules): Readonly<Record<string, JsonRule>> {
  return {
    'async_tasks.request': (cell) => rules.taskRequestForm(cell('operation')) ?? unknownTask,
    'blocks.content': (cell) => {
      const type = cell('type')
      return Object.hasOwn(blockForms, type) ? (blockForms[type] ?? anything) : anything
    },
    'jobs.payload': (cell) => {
      const workspaceId = cell('workspace_id')
      return workspaceId === NO_WORKSPACE ? members : (rules.payloadForm(cell('kind'), workspaceId) ?? unknownJob)
    },
    'outbox.details': (cell) => rules.changeForm(cell('type')) ?? unknownChange,
    'session_events.content': (cell) => eventColumns[cell('type')]?.form ?? anything,
    'views.settings': (cell) => viewSettingsForm(rules, cell('type')),
    'webhook_deliveries.event': (cell) => waitingEventForm(rules, cell),
  }
}

const id = where('an id', isId)
const time = where('a time from 1970 to 9999, in milliseconds', (value) => isWhole(value, NEVER, TIME_MAX))
const flag = where('0 or 1', (value) => value === 0 || value === 1)
const integer = where('a whole number', (value) => isWhole(value, -Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER))
const count = where(`a whole number up to ${INTEGER_MAX}`, (value) => isWhole(value, -INTEGER_MAX, INTEGER_MAX))
const bytes = where(`up to ${BYTES_MAX} bytes`, (value) => value instanceof Uint8Array && value.length <= BYTES_MAX)
const text = where('a text without U+0000', isText)
const shortText = where(`a text of up to ${TEXT_MAX} characters`, (value) => isText(value) && value.length <= TEXT_MAX)

function isWhole(value: unknown, from: number, to: number): boolean {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= from && value <= to
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}

/** The forms of the cells of tables, from the catalog, the tables' own checks, the forms of JSON columns, and the outer rules. */
export function checkedTables(tables: readonly CatalogTable[], rules: OuterRules): readonly CheckedTable[] {
  const values = checkedValues()
  const components = Object.entries(componentForms(rules)).map(([place, form]) => [place, () => form] as const)
  const json = { ...Object.fromEntries(components), ...rulesByRow(rules) }
  return tables.map((table) => ({
    table,
    columns: table.columns.map((column) => checkedColumn(table.name, column, values, json)),
  }))
}

function checkedColumn(
  table: string,
  column: CatalogColumn,
  values: ReadonlyMap<string, readonly string[]>,
  rules: Readonly<Record<string, JsonRule>>,
): CheckedColumn {
  const place = `${table}.${column.name}`
  const json = rules[place] ?? jsonForm(table, column.name)
  const among = values.get(place)
  const form = KNOWN[place] ?? (among ? amongTexts(among) : formOfType(place, column, json !== undefined))
  return { name: column.name, json, form: column.isNullable ? nullable(form) : form }
}

/** The form of one of these values, as the tables' checks write them; they may be numbers. */
function amongTexts(values: readonly string[]): Form {
  const form = oneOfTexts(values)
  return (value) => form(typeof value === 'number' ? String(value) : value)
}

function jsonForm(table: string, column: string): CheckedColumn['json'] {
  const json = jsonColumn(table, column)
  return json && (() => json.form)
}

function formOfType(place: string, { name, type, isSmall }: CatalogColumn, isJson: boolean): Form {
  switch (type) {
    case 'id':
      return id
    case 'bytes':
      return bytes
    case 'number':
      return numberForm
    case 'text':
      return isJson || LARGE.has(place) ? withinCell(place, text) : shortText
    case 'integer':
      return TIMES.test(name) ? time : FLAGS.test(name) ? flag : isSmall ? count : integer
  }
}

/**
 * The problems of a row.
 * @param row the values, in the order of the columns of the catalog
 */
export function* mismatchesOf(
  { table, columns }: CheckedTable,
  row: readonly SqlValue[],
): Generator<CellMismatch, void, undefined> {
  const cell = (column: string): string => String(row[table.columns.findIndex(({ name }) => name === column)] ?? '')
  for (const [index, { name, form, json }] of columns.entries()) {
    const value = row[index] ?? null
    const mismatch = form(value) ?? (json && typeof value === 'string' ? jsonMismatch(value, json(cell)) : undefined)
    if (mismatch) yield { ...mismatch, column: name }
  }
}

function jsonMismatch(text: string, form: Form): Mismatch | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { path: '', expected: 'JSON', found: text }
  }
  return nestingMismatch(value) ?? form(value)
}

const SHOWN_MAX = 60

/** A sentence about a problem. It does not contain the values of secret columns. */
export function describeMismatch({ column, path, expected, found }: CellMismatch): string {
  return `${column}${path}: expected ${expected}, found ${shownValue(column, found)}`
}

const SECRET = /^(?:password|digest|sealed_token|fingerprint|code_challenge)$/

function shownValue(column: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value instanceof Uint8Array) return `${value.length} bytes`
  if (value instanceof Measured) return value.words
  if (SECRET.test(column)) return `another ${typeof value}`
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value)
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}… (${text.length} characters)`
}
