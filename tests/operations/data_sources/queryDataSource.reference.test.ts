import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import type { PagePropertiesRequest, QueryFilter, QuerySorts } from '../../../generated/types.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { memberOf } from '../../../server/domain/shared/actor.ts'
import { requireDataSource } from '../../../server/domain/data/data_sources/load.ts'
import { createPage } from '../../../server/domain/data/pages/pages.ts'
import { positionTexts, parsePosition } from '../../../server/domain/data/queries/positions.ts'
import type { QueryLimits } from '../../../server/domain/data/queries/limits.ts'
import { timeLimited } from '../../../server/domain/data/queries/query.ts'
import { queryRows, type QueryPosition } from '../../../server/domain/data/queries/query_rows.ts'
import type { Scope } from '../../../server/domain/shared/scope.ts'
import { Cursors, ListCursors } from '../../../server/kernel/cursors.ts'
import type { Connection } from '../../../server/store/database.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, type MadeDatabase } from '../../harness/databases_content.ts'
import { idOf } from '../../harness/json.ts'
import { isLongRun } from '../../harness/long_runs.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { select, type Model, type ModelColumn, type ModelDate, type ModelRow, type ModelValue } from './reference/evaluator.ts'
import { dates, filters, numbers, sorts, texts } from './reference/generators.ts'

/** The service returns the same rows as the simplest possible evaluator, in the same order, page by page, whatever the query plan. */

const ROWS = 60
/** Divisible by 4. */
const RUNS = isLongRun ? 200 : 40
const OPTIONS = ['low', 'high', 'x', 'y', 'z']
const STATUSES = ['Not started', 'In progress', 'Done']

const columns: readonly ModelColumn[] = [
  { name: 'Name', type: 'title' },
  { name: 'Text', type: 'rich_text' },
  { name: 'Url', type: 'url' },
  { name: 'Email', type: 'email' },
  { name: 'Phone', type: 'phone_number' },
  { name: 'Number', type: 'number' },
  { name: 'Check', type: 'checkbox' },
  { name: 'Select', type: 'select', options: OPTIONS },
  { name: 'Status', type: 'status', options: STATUSES },
  { name: 'Multi', type: 'multi_select', options: OPTIONS },
  { name: 'Date', type: 'date' },
  { name: 'People', type: 'people' },
  { name: 'Files', type: 'files' },
  { name: 'Relation', type: 'relation' },
  { name: 'Verified', type: 'verification' },
  { name: 'Id', type: 'unique_id' },
  { name: 'Created', type: 'created_time' },
  { name: 'Edited', type: 'last_edited_time' },
  { name: 'Author', type: 'created_by' },
]

/** Everything at once, or the smallest batches along every index. */
const plans: Record<string, QueryLimits> = {
  'with few candidates': {
    rows: 10_000,
    candidates: 1_000,
    group: [2_000, 20_000],
    batch: 8_000,
    documents: 100,
    names: 200,
  },
  'along indexes, in small steps': {
    rows: 10_000,
    candidates: -1,
    group: [2, 3],
    batch: 20,
    documents: 4,
    names: 2,
  },
  'in each group along the next sort': {
    rows: 10_000,
    candidates: -1,
    group: [0, 1_000],
    batch: 30,
    documents: 100,
    names: 200,
  },
}

let server: TestServer
let made: MadeDatabase
let mentioned: string
let related: readonly string[]
const authors = [exampleWorkspace.people[0].id, exampleWorkspace.people[1].id]
const models: Model[] = []

const model = fc.record({
  Name: fc.oneof(fc.constant(''), texts),
  Text: fc.oneof(fc.constant(''), texts),
  Url: fc.oneof(fc.constant(null), texts),
  Email: fc.oneof(fc.constant(null), texts),
  Phone: fc.oneof(fc.constant(null), texts),
  Number: fc.oneof(fc.constant(null), numbers),
  Check: fc.boolean(),
  Select: fc.constantFrom(null, ...OPTIONS),
  Status: fc.constantFrom(...STATUSES),
  Multi: fc.uniqueArray(fc.constantFrom(...OPTIONS), { maxLength: 3 }),
  Date: fc.oneof(fc.constant(null), dates),
  People: fc.uniqueArray(fc.constantFrom(0, 1), { maxLength: 2 }),
  Files: fc.array(
    texts.map((name) => name.slice(0, 50)),
    { maxLength: 2 },
  ),
  Relation: fc.uniqueArray(fc.constantFrom(0, 1, 2), { maxLength: 3 }),
  Verified: fc.constantFrom('no', 'yes', 'past', 'future'),
  /** Whether the text ends with a mention of a page. */
  mentions: fc.boolean(),
  minutes: fc.integer({ min: 0, max: 6 }),
})
type Made = typeof model extends fc.Arbitrary<infer T> ? T : never

beforeAll(async () => {
  server = await startTestServer()
  const parent = await makePage(server.owner, 'Parent')
  mentioned = await makePage(server.owner, 'Slipway')
  const target = await makeDatabase(server.owner, parent)
  related = await Promise.all(
    ['b', 'A', 'é'].map(async (name) => idOf(await makeRow(server.owner, target.sourceId, { Name: { title: [text(name)] } }))),
  )
  const options = OPTIONS.map((name) => ({ name }))
  made = await makeDatabase(server.owner, parent, {
    ...Object.fromEntries(columns.flatMap(({ name, type }) => (type === 'title' ? [] : [[name, { [type]: {} }]]))),
    Select: { select: { options } },
    Multi: { multi_select: { options } },
    Relation: { relation: { data_source_id: target.sourceId, single_property: {} } },
  })
  const samples = fc.sample(model, { numRuns: ROWS, seed: 7 })
  const start = server.clock.now()
  await server.service.database.write(async (db) => {
    const rows: ModelRow[] = []
    for (const [index, sample] of samples.entries()) {
      const author = authors[index % 2] ?? ''
      const created = start + sample.minutes * 60_000
      const scope = { ...scopeOf(db, author), db, now: created }
      const page = await createPage(
        scope,
        { parent: { data_source_id: made.sourceId }, properties: written(sample) },
        undefined,
        undefined,
      )
      rows.push({ id: page.id, created, edited: created, author, values: valuesOf(sample, index + 1) })
    }
    models.push({ columns, rows, now: start, names: { ...namesOfPeople(), ...namesOfPages() } })
  })
})
afterAll(() => server.stop())

function scopeOf<Db extends Connection>(db: Db, userId: string): Scope & { readonly db: Db } {
  const cursors = new ListCursors(new Cursors(Buffer.alloc(32)), [userId], () => ['query'], 0)
  const actor = memberOf(exampleWorkspace.workspace.id, userId, 'owner')
  return {
    db,
    actor,
    now: server.clock.now(),
    baseUrl: server.url,
    cursors,
    version: newestRelease,
    files: undefined as never,
    requireTime: () => undefined,
  }
}

const namesOfPeople = (): Record<string, string> => Object.fromEntries(exampleWorkspace.people.map(({ id, name }) => [id, name]))
const namesOfPages = (): Record<string, string> =>
  Object.fromEntries(['b', 'A', 'é'].map((name, index) => [related[index] ?? '', name]))

const PERIODS = {
  yes: {},
  past: { date: { start: '2026-01-01T00:00:00Z', end: '2026-05-16T04:30:00Z' } },
  future: { date: { start: '2026-01-01T00:00:00Z', end: '2026-05-16T04:30:00.001Z' } },
}

function written(row: Made): PagePropertiesRequest {
  const mention = row.mentions ? [{ type: 'mention' as const, mention: { type: 'page' as const, page: { id: mentioned } } }] : []
  return {
    Name: { title: [{ text: { content: row.Name } }] },
    Text: { rich_text: [{ text: { content: row.Text } }, ...mention] },
    Url: { url: row.Url },
    Email: { email: row.Email },
    Phone: { phone_number: row.Phone },
    Number: { number: row.Number },
    Check: { checkbox: row.Check },
    Select: { select: row.Select === null ? null : { name: row.Select } },
    Status: { status: { name: row.Status } },
    Multi: { multi_select: row.Multi.map((name) => ({ name })) },
    Date: { date: row.Date },
    People: { people: row.People.map((location) => ({ id: authors[location] ?? '' })) },
    Files: { files: row.Files.map((name) => ({ name, external: { url: 'https://yard.example/x' } })) },
    Relation: { relation: row.Relation.map((location) => ({ id: related[location] ?? '' })) },
    Verified: { verification: row.Verified === 'no' ? { state: 'unverified' } : { state: 'verified', ...PERIODS[row.Verified] } },
  }
}

function valuesOf(row: Made, number: number): Record<string, ModelValue> {
  const { mentions, minutes: _minutes, Verified: verified, ...same } = row
  const until = verified === 'yes' || verified === 'no' ? null : Date.parse(PERIODS[verified].date.end)
  return {
    ...same,
    Text: row.Text + (mentions ? 'Slipway' : ''),
    Date: row.Date as ModelDate | null,
    People: row.People.map((location) => authors[location] ?? ''),
    Relation: row.Relation.map((location) => related[location] ?? ''),
    Verified: verified === 'no' ? null : { until },
    Id: number,
  }
}

interface Found {
  readonly ids: string[]
  /** For each page, whether it reported that more rows match than a query returns. */
  readonly incomplete: boolean[]
}

/** Every row of a query, page by page. */
async function run(filter: object | undefined, order: readonly object[], pageSize: number, limits: QueryLimits): Promise<Found> {
  return server.service.database.read(async (db) => {
    const scope = scopeOf(db, authors[0] ?? '')
    const dataSource = await requireDataSource(scope, made.sourceId)
    const query = { filter: filter as QueryFilter | undefined, sorts: order as QuerySorts }
    const found: Found = { ids: [], incomplete: [] }
    for (let from: QueryPosition | undefined; ;) {
      const page = await queryRows(scope, dataSource, query, from, pageSize, limits)
      found.ids.push(...page.ids)
      found.incomplete.push(page.isIncomplete)
      if (!page.next) return found
      from = parsePosition(positionTexts(page.next))
    }
  })
}

function knownModel(): Model {
  const [known] = models
  if (!known) throw new Error('no data')
  return known
}

/** A text with mentions is sorted by the text around them, so it is filtered but not sorted. */
const sorted = columns.filter(({ name }) => name !== 'Text')
const elements = (): string[] => [...authors, ...related, randomUUID()]
const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined, freq: 20 })

describe.each(Object.entries(plans))('a query %s', (_name, limits) => {
  it('returns the same rows in the same order as the reference', async () => {
    const cases = fc.tuple(maybe(filters(columns, elements())), sorts(sorted), fc.constantFrom(3, 10, 25, 100))
    await fc.assert(
      fc.asyncProperty(cases, async ([filter, order, pageSize]) => {
        const expected = select(knownModel(), filter, order).map(({ id }) => id)
        const { ids, incomplete } = await run(filter, order, pageSize, limits)
        expect(ids).toStrictEqual(expected)
        expect(incomplete).not.toContain(true)
      }),
      { numRuns: RUNS },
    )
  })

  it.each(['Number', 'Id', 'Date', 'Created'])(
    'sorts by %s together with filters on numbers, ids and dates',
    async (property) => {
      for (const filter of [
        { property: 'Number', number: { less_than: 1 } },
        { property: 'Id', unique_id: { greater_than: ROWS / 2 } },
        { property: 'Date', date: { before: '2026-05-16' } },
      ]) {
        const order = [{ property, direction: 'ascending' as const }]
        const expected = select(knownModel(), filter, order).map(({ id }) => id)
        expect((await run(filter, order, 10, limits)).ids).toStrictEqual(expected)
      }
    },
  )

  it('ends after the maximum number of rows, and marks the last page as incomplete', async () => {
    const cases = fc.tuple(maybe(filters(sorted, elements())), sorts(sorted), fc.constantFrom(3, 7, 10, 100))
    const few = { ...limits, rows: 20 }
    await fc.assert(
      fc.asyncProperty(cases, async ([filter, order, pageSize]) => {
        const expected = select(knownModel(), filter, order).map(({ id }) => id)
        const { ids, incomplete } = await run(filter, order, pageSize, few)
        expect(ids).toStrictEqual(expected.slice(0, few.rows))
        expect(incomplete.pop()).toBe(expected.length > few.rows)
        expect(incomplete).not.toContain(true)
      }),
      { numRuns: RUNS / 4 },
    )
  })
})

it('a query that takes too long fails with service_unavailable and retry_guidance', async () => {
  const snapshot = server.service.database.read(async (db) => {
    const scope = timeLimited(scopeOf(db, authors[0] ?? ''), 'queryDataSource', -1)
    return queryRows(scope, await requireDataSource(scope, made.sourceId), {}, undefined, 10)
  })
  await expect(snapshot).rejects.toMatchObject({
    code: 'service_unavailable',
    additionalData: { endpoint_name: 'queryDataSource', retry_guidance: expect.arrayContaining([expect.any(String)]) as unknown },
  })
})
