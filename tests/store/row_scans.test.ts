import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertBlocks, type NewBlock } from '../../server/store/blocks.ts'
import { insertCells, pagesLinkedTo } from '../../server/store/cells.ts'
import type { Connection, Transaction } from '../../server/store/database.ts'
import type { RowSet } from '../../server/store/access_paths.ts'
import { ANY_ROW, sqlOfTest, type RowTest } from '../../server/store/row_tests.ts'
import { countRowsAlong, hasMoreRowsAlong, scanRows } from '../../server/store/row_scans.ts'
import type { RowOf, RowShape } from '../../server/store/row_shape.ts'
import { sql, type Sql } from '../../server/store/sql.ts'
import { serverOfFile } from '../harness/server.ts'
import { observed } from '../harness/observed.ts'
import { on } from '../harness/databases.ts'

/** The cost of a query batch depends on the rows that it examines, not on their total number; and no batch sorts. */

const LARGE = 10_000
const STEP = 50
const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()

interface Planted {
  readonly rows: RowSet
  readonly ids: readonly string[]
}

/** Rows with a number, a date, a text and an option; many share a creation time. */
async function plant(db: Transaction, count: number): Promise<Planted> {
  const dataSourceId = randomUUID()
  const blocks = Array.from({ length: count }, (_, index): NewBlock => ({
    id: randomUUID(),
    type: 'child_page',
    parentType: 'data_source_id',
    parentId: dataSourceId,
    pageId: null,
    rank: `b${index}`,
    content: { title: [] },
    createdTime: 1_000 + Math.floor(index / 10),
    createdBy: exampleWorkspace.bot.id,
  }))
  await insertBlocks(db, workspaceId, blocks)
  const cells = blocks.flatMap(({ id: pageId, createdTime }, index) => {
    const owner = { pageId, dataSourceId, inTrash: false, createdTime }
    return [
      { owner, cell: { propertyId: 'numb', position: 0, numberKey: index % 100 } },
      { owner, cell: { propertyId: 'date', position: 0, numberKey: index, endKey: index + (index % 2) } },
      { owner, cell: { propertyId: 'text', position: 0, textKey: `k${index}`, text: `text ${index}` } },
      { owner, cell: { propertyId: 'opti', position: 0, textKey: `o${index % 2}` } },
    ]
  })
  await insertCells(db, workspaceId, cells)
  return { rows: { workspaceId, dataSourceId, inTrash: false }, ids: blocks.map(({ id }) => id) }
}

const numbers = { along: 'numbers', propertyId: 'numb' } as const
const dates = { along: 'dates', propertyId: 'date' } as const
const texts = { along: 'texts', propertyId: 'text' } as const
const options = { along: 'texts', propertyId: 'opti' } as const
const tested: RowTest & { readonly kind: 'all' } = {
  kind: 'all',
  tests: [
    { kind: 'number', propertyId: 'numb', along: 'numbers', bounds: [{ operator: '>=', value: 10 }] },
    { kind: 'keys', propertyId: 'opti', keys: ['o1', 'o2', 'o3'] },
    { kind: 'author', column: 'created_by', userId: exampleWorkspace.bot.id },
  ],
}
/** A test of one key, by the index of texts. */
const testedByIndex: RowTest = { kind: 'all', tests: [{ kind: 'keys', propertyId: 'opti', keys: ['o1'] }, ...tested.tests] }
const both = ['ascending', 'descending'] as const

type Statement = (db: Connection, planted: Planted) => Promise<unknown>
const steps: Record<string, Statement> = Object.fromEntries([
  ...both.flatMap((direction) =>
    Object.entries({ numbers, dates, texts, creation: { along: 'creation' }, edits: { along: 'edits' } } as const).flatMap(
      ([name, path]): [string, Statement][] => [
        [
          `${name}, ${direction}`,
          (db, { rows }) => scanRows(db, rows, path, { afterKey: undefined, direction, bounds: [] }, tested, [], STEP),
        ],
        [
          `${name}, ${direction}, with a test of one key`,
          (db, { rows }) => scanRows(db, rows, path, { afterKey: undefined, direction, bounds: [] }, testedByIndex, [], STEP),
        ],
        [
          `${name}, ${direction}, beyond a key`,
          (db, { rows }) => {
            const key = { numbers: [50], dates: [100, 100], texts: ['k15'], creation: [1_010], edits: [1_010] }[name] ?? []
            return scanRows(
              db,
              rows,
              path,
              { afterKey: key, direction, bounds: [] },
              ANY_ROW,
              [{ propertyId: 'text', column: 'text_key' }],
              STEP,
            )
          },
        ],
      ],
    ),
  ),
  ...Object.entries({ numbers, options }).map(([name, path]): [string, Statement] => [
    `${name}, rows of one key`,
    (db, { rows, ids }) =>
      scanRows(
        db,
        rows,
        path,
        { key: [name === 'numbers' ? 7 : 'o1'], after: { created: 1_015, id: ids[0] ?? '' } },
        tested,
        [],
        STEP,
      ),
  ]),
  [
    'rows of one moment',
    (db, { rows, ids }) =>
      scanRows(db, rows, { along: 'creation' }, { key: [1_001], after: { created: 1_001, id: ids[0] ?? '' } }, ANY_ROW, [], STEP),
  ],
  ['a count along an index', (db, { rows }) => countRowsAlong(db, rows, options, { key: ['o1'] }, STEP)],
  ['whether there are more along an index', (db, { rows }) => hasMoreRowsAlong(db, rows, options, { key: ['o1'] }, STEP)],
  ['which of 50 pages lead to one', (db, { ids }) => pagesLinkedTo(db, workspaceId, ids.slice(0, STEP), 'opti', 'o1')],
] satisfies [string, Statement][])

describe('steps of a query', () => {
  on('sqlite', it)('find rows by an index, without a sort', async () => {
    await expect(
      server.service.database.write(async (db) => {
        const planted = await plant(db, 50)
        for (const [name, statement] of Object.entries(steps)) {
          const plans: string[] = []
          const explained = async <S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> => {
            const plan = await db.all({ detail: 'text' }, sql`explain query plan ${statement}`)
            plans.push(...plan.map(({ detail }) => detail))
            return db.all(shape, statement)
          }
          const watched = observed(db, {
            all: explained,
            get: async (shape, statement) => (await explained(shape, statement))[0],
          })
          await statement(watched, planted)
          expect(plans.length, name).toBeGreaterThan(0)
          // If you are here because a plan is refused: the statement scans all rows or sorts them. It needs an index, or a condition on the
          // first columns of one.
          for (const detail of plans) {
            expect(detail, name).not.toMatch(/TEMP B-TREE FOR (?:LAST|ORDER|RIGHT)|SCAN (?:cells|blocks|r|t|s|b|c)\b/)
          }
        }
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
  })

  on('postgresql', it)('read as few rows of a large data source as of a small one', async () => {
    const counted = async (db: Connection): Promise<number> => {
      const found = await db.get(
        { count: 'integer' },
        `select coalesce(sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0)), 0) as count from pg_stat_xact_user_tables`,
      )
      return found?.count ?? 0
    }
    await expect(
      server.service.database.write(async (db) => {
        const planted = [await plant(db, 500), await plant(db, LARGE)]
        // As autovacuum does: without statistics the engine expects a single row, for which every plan costs the same.
        await db.run('analyze blocks')
        await db.run('analyze cells')
        for (const [name, statement] of Object.entries(steps)) {
          const costs: number[] = []
          for (const one of planted) {
            const before = await counted(db)
            await statement(db, one)
            costs.push((await counted(db)) - before)
          }
          const [inSmall = 0, inLarge = 0] = costs
          expect(inLarge, `${name}: ${inSmall} rows in a small one, ${inLarge} in a large one`).toBeLessThanOrEqual(
            inSmall * 1.5 + 20,
          )
        }
        throw new Error('enough')
      }),
    ).rejects.toThrow('enough')
  })
})

/** SQLite compares each operand of an `or` chain with the others, for each test of a statement. */
it('a condition on many keys compiles to as few SQL operators as a condition on one key', () => {
  const rows = { workspaceId, dataSourceId: randomUUID(), inTrash: false }
  const operators = (count: number): number => {
    const keys = Array.from({ length: count }, (_, index) => `o${index}`)
    const { sql, parameters } = sqlOfTest({ kind: 'keys', propertyId: 'opti', keys }, rows, {
      id: 'r.id',
      created: 'r.created_time',
      tie: undefined,
      block: 'r',
    })
    expect(parameters.filter((value) => keys.includes(String(value)))).toEqual(keys)
    return sql.match(/\b(?:and|or|in)\b|=/g)?.length ?? 0
  }
  expect(operators(100)).toBe(operators(1))
})
