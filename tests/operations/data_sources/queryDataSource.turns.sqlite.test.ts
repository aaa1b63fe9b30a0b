import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import type { PagePropertiesRequest, QueryFilter, QuerySorts } from '../../../generated/types.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { memberOf } from '../../../server/domain/shared/actor.ts'
import { requireDataSource } from '../../../server/domain/data/data_sources/load.ts'
import { createPage } from '../../../server/domain/data/pages/pages.ts'
import type { QueryLimits } from '../../../server/domain/data/queries/limits.ts'
import { queryRows } from '../../../server/domain/data/queries/query_rows.ts'
import type { Scope } from '../../../server/domain/shared/scope.ts'
import { Cursors, ListCursors } from '../../../server/kernel/cursors.ts'
import type { Connection } from '../../../server/store/database.ts'
import type { RowOf, RowShape } from '../../../server/store/row_shape.ts'
import type { Sql } from '../../../server/store/sql.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, type MadeDatabase } from '../../harness/databases_content.ts'
import { observed } from '../../harness/observed.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/**
 * SQLite runs inside the process and blocks other requests meanwhile. So a query reads a limited number of rows between turns of the event
 * loop. The test counts the rows that the engine returns or counts between two turns, with limits far below the real ones; the time for a
 * row does not matter.
 */

const ROWS = 240
const limits: QueryLimits = {
  rows: 60,
  candidates: 12,
  group: [20, 60],
  batch: 60,
  documents: 5,
  names: 5,
}
/** The most rows in one turn: a batch, or a count up to the maximum of a query, and the few rows of schemas and names around it. */
const ROWS_PER_TURN = limits.rows + limits.batch + 20

let server: TestServer
let made: MadeDatabase
function scopeOf(db: Connection): Scope {
  const cursors = new ListCursors(new Cursors(Buffer.alloc(32)), [], () => ['query'], 0)
  const actor = memberOf(exampleWorkspace.workspace.id, exampleWorkspace.people[0].id, 'owner')
  const now = server.clock.now()
  return { db, actor, now, baseUrl: server.url, cursors, version: newestRelease, files: undefined as never }
}

/** Counts rows between turns of the event loop. */
class Turns {
  #rows = 0
  #isWatching = true
  most = 0
  all = 0

  constructor() {
    const turn = (): void => {
      this.#rows = 0
      if (this.#isWatching) setImmediate(turn)
    }
    setImmediate(turn)
  }

  looked(rows: number): void {
    this.#rows += rows
    this.all += rows
    this.most = Math.max(this.most, this.#rows)
  }

  stop(): void {
    this.#isWatching = false
  }
}

function counting(db: Connection, turns: Turns): Connection {
  return observed(db, {
    async all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> {
      const rows = await db.all(shape, statement)
      const examined = statement.sql.endsWith('where f.verdict <> 0') ? Number(statement.parameters.at(-1)) : 0
      turns.looked(Math.max(rows.length, examined))
      return rows
    },
    async get<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S> | undefined> {
      const { sql, parameters } = statement
      const row = await db.get(shape, statement)
      const skipped = sql.endsWith('offset ?') ? Number(parameters.at(-1)) : 0
      const counts = row && sql.includes('limit ?') ? [Reflect.get(row, 'count'), Reflect.get(row, 'looked')] : []
      const counted = counts.find((count) => typeof count === 'number') ?? 0
      turns.looked(1 + skipped + counted)
      return row
    },
  })
}

const by = (property: string, direction: 'ascending' | 'descending' = 'ascending'): QuerySorts => [{ property, direction }]
const many = (count: number, filter: (index: number) => object): object[] =>
  Array.from({ length: count }, (_, index) => filter(index))

// PostgreSQL runs in another process: the event loop turns during its statements.
describe('other requests are served during a query', () => {
  beforeAll(async () => {
    server = await startTestServer()
    const parent = await makePage(server.owner, 'Parent')
    const target = await makeDatabase(server.owner, parent)
    made = await makeDatabase(server.owner, parent, {
      Text: { rich_text: {} },
      Number: { number: {} },
      Kind: { select: { options: [{ name: 'a' }, { name: 'b' }] } },
      Day: { date: {} },
      Check: { checkbox: {} },
      To: { relation: { data_source_id: target.sourceId, single_property: {} } },
      Who: { people: {} },
      Twice: { formula: { expression: 'prop("Number") * 2' } },
      Names: { rollup: { function: 'show_original', relation_property_name: 'To', rollup_property_name: 'Name' } },
    })
    await server.service.database.write(async (db) => {
      const scope = { ...scopeOf(db), db }
      const row = (sourceId: string, properties: PagePropertiesRequest): ReturnType<typeof createPage> =>
        createPage(scope, { parent: { data_source_id: sourceId }, properties }, undefined, undefined)
      const title = (content: string): PagePropertiesRequest => ({ Name: { title: [{ text: { content } }] } })
      const related: string[] = []
      for (let index = 0; index < ROWS / 4; index += 1) related.push((await row(target.sourceId, title(`Page ${index}`))).id)
      const mention = { type: 'mention' as const, mention: { type: 'page' as const, page: { id: parent } } }
      for (let index = 0; index < ROWS; index += 1)
        await row(made.sourceId, {
          ...title(`Row ${index % 7}`),
          Text: { rich_text: [{ text: { content: `Text ${index % 5}` } }, ...(index % 2 === 0 ? [mention] : [])] },
          Number: { number: index % 50 },
          Kind: { select: { name: index % 2 === 0 ? 'a' : 'b' } },
          Day: { date: { start: '2026-05-16' } },
          Check: { checkbox: index % 3 === 0 },
          To: {
            relation: [related[index % related.length], related[(index * 7) % related.length]].map((id) => ({ id: id ?? '' })),
          },
          Who: { people: [{ id: exampleWorkspace.people[index % 3]?.id ?? '' }] },
        })
    })
  })
  afterAll(() => server.stop())

  it.each<[string, { filter?: object; sorts?: QuerySorts }, limit?: number]>([
    ['that matches no row', { filter: { property: 'Name', title: { contains: 'zebra' } } }],
    ['evaluated by an index', { filter: { property: 'Number', number: { greater_than: 1 } } }],
    ['that reads half of the rows', { filter: { property: 'Text', rich_text: { ends_with: 'zebra' } } }],
    ['that reads all rows', { filter: { property: 'Twice', formula: { number: { greater_than: 1_000 } } } }],
    ['that reads related pages', { filter: { property: 'Names', rollup: { any: { rich_text: { equals: 'zebra' } } } } }],
    ['in the order of an index', { sorts: by('Number', 'descending') }],
    ['in the order of long groups', { sorts: [...by('Day', 'descending'), ...by('Name'), ...by('Number')] }],
    ['in the order of options', { sorts: [...by('Kind', 'descending'), ...by('Text')] }],
    ['in the order of names', { sorts: by('Who') }],
    ['in the order of titles of related pages', { sorts: by('To', 'descending') }],
    ['in the order of formulas', { sorts: by('Twice') }],
    ['in the order of rollups', { sorts: by('Names') }],
    [
      'with a hundred conditions',
      { filter: { and: many(100, (index) => ({ property: 'Number', number: { less_than: 100 + index } })) } },
    ],
    [
      'with a thousand conditions',
      {
        filter: { or: many(10, () => ({ or: many(100, (index) => ({ property: 'Number', number: { equals: 100 + index } })) })) },
      },
    ],
    ['with a hundred sorts', { sorts: many(100, (index) => by(index % 2 === 0 ? 'Kind' : 'Check')[0] ?? {}) as QuerySorts }],
    ['for all rows at once, as of a view', { sorts: by('Text') }, 59],
  ])('%s', async (_what, { filter, sorts }, limit = 10) => {
    const turns = new Turns()
    await server.service.database.read(async (db) => {
      const scope = scopeOf(counting(db, turns))
      const dataSource = await requireDataSource(scope, made.sourceId)
      await queryRows(scope, dataSource, { filter: filter as QueryFilter | undefined, sorts }, undefined, limit, limits)
    })
    turns.stop()
    expect(turns.all).toBeGreaterThan(10)
    expect(turns.most).toBeLessThanOrEqual(ROWS_PER_TURN)
  })

  it('and the query reads few rows of a large group in the order of the next sort, and all rows of a small group', async () => {
    const taken = async (group: QueryLimits['group']): Promise<number> => {
      let rows = 0
      await server.service.database.read(async (db) => {
        const counted = observed(db, {
          async all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> {
            const found = await db.all(shape, statement)
            rows += found.length
            return found
          },
        })
        const sorts = [...by('Kind'), ...by('Number', 'descending')]
        const dataSource = await requireDataSource(scopeOf(db), made.sourceId)
        const { ids } = await queryRows(scopeOf(counted), dataSource, { sorts }, undefined, 5, { ...limits, group })
        expect(ids).toHaveLength(5)
      })
      return rows
    }
    expect(await taken([ROWS / 4, ROWS])).toBeLessThan(ROWS / 8)
    expect(await taken([ROWS / 2 + 1, ROWS])).toBeGreaterThanOrEqual(ROWS / 2)
  })

  it('but not when one batch is larger than the whole data source', async () => {
    const turns = new Turns()
    await server.service.database.read(async (db) => {
      const scope = scopeOf(counting(db, turns))
      const wide: QueryLimits = { ...limits, batch: 10_000 }
      const filter = { property: 'Name', title: { contains: 'zebra' } }
      await queryRows(scope, await requireDataSource(scope, made.sourceId), { filter }, undefined, ROWS, wide)
    })
    turns.stop()
    expect(turns.most).toBeGreaterThanOrEqual(ROWS)
  })
})
