import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertBlocks, type NewBlock } from '../../../server/store/blocks.ts'
import { insertCells } from '../../../server/store/cells.ts'
import { addToRowCount } from '../../../server/store/data_sources.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/**
 * A query returns at most 10,000 rows. There are 10,001; all except the newest have the wood `oak`. They are inserted through the store,
 * because requests would take minutes.
 */

const LIMIT = 10_000
const INCOMPLETE = { type: 'incomplete', incomplete_reason: 'query_result_limit_reached' }

const server = await serverOfFile()
const wood = { select: { options: [{ name: 'oak' }] } }
const sourceId = (await makeDatabase(server.owner, await makePage(server.owner), { Wood: wood })).sourceId
const column = (await columnsOf(server.owner, sourceId))['Wood']
const blocks = Array.from({ length: LIMIT + 1 }, (_, index): NewBlock => ({
  id: randomUUID(),
  type: 'child_page',
  parentType: 'data_source_id',
  parentId: sourceId,
  pageId: null,
  rank: `b${index}`,
  content: { title: [] },
  createdTime: server.clock.now() + Math.floor(index / 50),
  createdBy: exampleWorkspace.bot.id,
}))
const cells = blocks.slice(0, LIMIT).map(({ id, createdTime }) => ({
  owner: { pageId: id, dataSourceId: sourceId, inTrash: false, createdTime },
  cell: { propertyId: idOf(column), position: 0, textKey: textAt(column, 'select', 'options', 0, 'id') },
}))
await server.service.database.write(async (db) => {
  await insertBlocks(db, exampleWorkspace.workspace.id, blocks)
  const rows = blocks.map(({ id }) => [exampleWorkspace.workspace.id, id, 0, 0])
  await db.insert({ table: 'pages', columns: ['workspace_id', 'id', 'is_locked', 'is_archived'], rows })
  await insertCells(db, exampleWorkspace.workspace.id, cells)
  await addToRowCount(db, exampleWorkspace.workspace.id, sourceId, blocks.length)
})

const query = (body: object): Promise<TestResponse> =>
  server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, query: 'filter_properties=title', body })

/** All pages of a query: their number, their total rows, and the status of each. */
async function walk(filter?: object): Promise<{ pages: number; rows: number; statuses: unknown[] }> {
  const given = new Set<string>()
  const statuses: unknown[] = []
  for (let cursor: unknown; cursor !== null;) {
    const { status, body } = await query({
      page_size: 100,
      ...(filter && { filter }),
      ...(cursor === undefined ? {} : { start_cursor: cursor }),
    })
    expect(status).toBe(200)
    for (const row of resultsOf(body)) given.add(idOf(row))
    statuses.push(body['request_status'])
    cursor = body['next_cursor']
    expect(body['has_more']).toBe(cursor !== null)
  }
  return { pages: statuses.length, rows: given.size, statuses }
}

describe('queryDataSource with more rows than a query returns', () => {
  it('200 for the pages up to 10,000 rows, of which only the last is marked as incomplete', async () => {
    const { pages, rows, statuses } = await walk()
    expect({ pages, rows }).toStrictEqual({ pages: LIMIT / 100, rows: LIMIT })
    expect(statuses.pop()).toStrictEqual(INCOMPLETE)
    expect(new Set(statuses)).toStrictEqual(new Set([undefined]))
  })

  it('200 without an incomplete page when a filter matches exactly 10,000 rows', async () => {
    const { rows, statuses } = await walk({ property: 'Wood', select: { equals: 'oak' } })
    expect(rows).toBe(LIMIT)
    expect(new Set(statuses)).toStrictEqual(new Set([undefined]))
  })

  it('200 without an incomplete page when a filter matches few rows', async () => {
    const filter = { timestamp: 'created_time', created_time: { after: new Date(server.clock.now() + 150).toISOString() } }
    const few = await query({ filter })
    expect(few.body['has_more']).toBe(true)
    expect(few.body).not.toHaveProperty('request_status')
    expect(at(few.body, 'results', 0, 'id')).toBe(
      blocks
        .filter(({ createdTime }) => createdTime === blocks.at(-1)?.createdTime)
        .map(({ id }) => id)
        .toSorted()[0],
    )
  })
})
