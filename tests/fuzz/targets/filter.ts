import { isDeepStrictEqual } from 'node:util'
import { newestRelease, operations } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { sharedValidator } from '../../../server/contract/contract_validator.ts'
import { memberOf } from '../../../server/domain/shared/actor.ts'
import { requireDataSource } from '../../../server/domain/data/data_sources/load.ts'
import { QUERY_LIMITS, type QueryLimits } from '../../../server/domain/data/queries/limits.ts'
import { loadRows } from '../../../server/domain/data/queries/loaded_rows.ts'
import { queryRows, parseRowQuery, type RowQuery } from '../../../server/domain/data/queries/query_rows.ts'
import { rowSetOf } from '../../../server/domain/data/queries/select.ts'
import type { Scope } from '../../../server/domain/shared/scope.ts'
import { Cursors, ListCursors } from '../../../server/kernel/cursors.ts'
import { ServiceError } from '../../../server/kernel/errors.ts'
import type { Connection } from '../../../server/store/database.ts'
import { scanRowsById } from '../../../server/store/row_scans.ts'
import { mutateJson } from '../mutations.ts'
import { dates, ids, NOW, related, service, sourceId, texts } from '../support/rows_to_query.ts'
import { Broken, type Target } from '../target.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

const WORDS = ['equals', 'does_not_equal', 'contains', 'does_not_contain', 'starts_with', 'ends_with', 'is_empty', 'is_not_empty']
const MORE = ['greater_than', 'less_than', 'greater_than_or_equal_to', 'less_than_or_equal_to', 'before', 'after', 'on_or_before']
const PERIODS = [
  'on_or_after',
  'this_week',
  'past_week',
  'past_month',
  'past_year',
  'next_week',
  'next_month',
  'next_year',
  'status',
]
const condition = (property: string, type: string, more: object): object => ({ filter: { property, [type]: more } })

/** The database, the evaluation in memory, and every query plan select the same rows. */
export const target: Target = {
  seeds: [
    { sorts: [{ property: 'Name', direction: 'ascending' }] },
    {
      sorts: [
        { timestamp: 'created_time', direction: 'descending' },
        { property: 'Words', direction: 'ascending' },
      ],
    },
    condition('Name', 'title', { contains: 'SS' }),
    condition('Text', 'rich_text', { does_not_equal: 'a' }),
    condition('Url', 'url', { is_empty: true }),
    condition('Number', 'number', { greater_than_or_equal_to: 0.1 }),
    condition('Id', 'unique_id', { less_than: 4 }),
    condition('Check', 'checkbox', { equals: true }),
    condition('Select', 'select', { does_not_equal: 'low' }),
    condition('Status', 'status', { equals: 'Done' }),
    condition('Multi', 'multi_select', { contains: 'x' }),
    condition('Date', 'date', { on_or_before: '2026-05-16' }),
    condition('Date', 'date', { past_week: {} }),
    condition('People', 'people', { contains: exampleWorkspace.people[0].id }),
    condition('Files', 'files', { is_not_empty: true }),
    condition('Relation', 'relation', { does_not_contain: related[0] }),
    condition('Verified', 'verification', { status: 'verified' }),
    condition('Author', 'created_by', { contains: 'me' }),
    condition('Words', 'formula', { string: { starts_with: 'a' } }),
    condition('Double', 'formula', { number: { less_than: 1 } }),
    condition('Ready', 'formula', { checkbox: { equals: false } }),
    condition('Later', 'formula', { date: { after: 'today' } }),
    condition('Prices', 'rollup', { any: { number: { is_empty: true } } }),
    condition('Sum', 'rollup', { number: { equals: 2 } }),
    { filter: { timestamp: 'last_edited_time', last_edited_time: { this_week: {} } } },
    { filter: { and: [{ or: [condition('Name', 'title', { equals: 'a' })] }, condition('Number', 'number', { equals: 3 })] } },
    { filter: { and: [{ property: 'Name', title: { equals: 'a' } }, { or: [{ property: 'Number', number: { equals: 3 } }] }] } },
  ].map((seed) => JSON.stringify(seed)),
  words: [
    ...WORDS,
    ...MORE,
    ...PERIODS,
    ...[
      '__proto__',
      'constructor',
      'and',
      'or',
      'property',
      'timestamp',
      'filter',
      'sorts',
      'direction',
      'any',
      'every',
      'none',
      'string',
      'me',
      'verified',
    ],
    ...[
      'title',
      'rich_text',
      'url',
      'number',
      'unique_id',
      'checkbox',
      'select',
      'status',
      'multi_select',
      'date',
      'people',
      'files',
    ],
    ...[
      'relation',
      'verification',
      'created_time',
      'last_edited_time',
      'created_by',
      'formula',
      'rollup',
      'Words',
      'Sum',
      'Prices',
    ],
    ...texts.slice(1),
    ...dates.flatMap((date) => date ?? []),
  ],
  mutate: mutateJson,
  async check(input) {
    const query = queryOf(input)
    if (query) await service.database.read((db) => checkQuery(scopeOf(db), query))
  },
}

/** The query, if the contract accepts it. */
function queryOf(input: string): RowQuery | undefined {
  const body: unknown = isJson(input) ? JSON.parse(input) : undefined
  if (!isObject(body)) return undefined
  try {
    const parts = { path: { data_source_id: sourceId }, query: {}, body }
    const checked = sharedValidator().validate(operations.queryDataSource, parts)
    return checked.body as RowQuery
  } catch (error) {
    return refused(error)
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function refused(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.status !== 400) throw error
}

function scopeOf(db: Connection): Scope {
  return {
    db,
    actor: memberOf(exampleWorkspace.workspace.id, exampleWorkspace.people[0].id, 'owner'),
    now: NOW,
    baseUrl: service.url,
    cursors: new ListCursors(new Cursors(Buffer.alloc(32)), [], () => ['query'], 0),
    version: newestRelease,
    files: undefined as never,
    requireTime: () => undefined,
  }
}

/** The smallest batches along every index. */
const SMALL_STEPS: QueryLimits = {
  ...QUERY_LIMITS,
  candidates: -1,
  batch: 20,
  documents: 4,
  names: 2,
}

async function checkQuery(scope: Scope, query: RowQuery): Promise<void> {
  const dataSource = await requireDataSource(scope, sourceId)
  const read = await parseRowQuery(scope, dataSource, query).catch(refused)
  if (!read) return
  const { criterion } = read
  const rows = await loadRows(scope, dataSource, ids, criterion.needs)
  const passing = new Set([...rows].flatMap(([id, row]) => (criterion.holds(row) ? [id] : [])))
  for (const { id, verdict } of await scanRowsById(scope.db, rowSetOf(scope, dataSource, false), ids, criterion.test, []))
    if (verdict !== 'unknown' && (verdict === 'passes') !== passing.has(id))
      throw new Broken('the database and memory choose the same rows', `${verdict} in the database: row ${ids.indexOf(id)}`)
  const quick = await queryRows(scope, dataSource, query, undefined, 100)
  const slow = await queryRows(scope, dataSource, query, undefined, 100, SMALL_STEPS)
  if (quick.ids.length !== passing.size) throw new Broken('a query gives every row that passes, once')
  if (!isDeepStrictEqual(quick.ids, slow.ids)) throw new Broken('rows come in the same order whatever the plan')
}
