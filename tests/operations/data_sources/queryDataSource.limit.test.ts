import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { insertBlocks, type NewBlock } from '../../../server/store/blocks.ts'
import { insertCells } from '../../../server/store/cells.ts'
import { addToRowCount } from '../../../server/store/data_sources.ts'
import type { Answer } from '../../harness/answers.ts'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** One query gives 10,000 rows. Here are 10,001, all but the newest of the wood oak. Made by the store: by HTTP it would take minutes. */

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
  createdBy: story.bot.id,
}))
const cells = blocks.slice(0, LIMIT).map(({ id, createdTime }) => ({
  owner: { pageId: id, dataSourceId: sourceId, inTrash: false, createdTime },
  cell: { propertyId: idOf(column), position: 0, textKey: textAt(column, 'select', 'options', 0, 'id') },
}))
await server.service.database.write(async (db) => {
  await insertBlocks(db, story.workspace.id, blocks)
  const rows = blocks.map(({ id }) => [story.workspace.id, id, 0, 0])
  await db.insert({ table: 'pages', columns: ['workspace_id', 'id', 'is_locked', 'is_archived'], rows })
  await insertCells(db, story.workspace.id, cells)
  await addToRowCount(db, story.workspace.id, sourceId, blocks.length)
})

const query = (body: object): Promise<Answer> =>
  server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, query: 'filter_properties=title', body })

describe('more rows than a query returns', () => {
  it('200 incomplete on every page, and the last page ends after 10,000 rows', async () => {
    const given = new Set<string>()
    let pages = 0
    for (let cursor: unknown; cursor !== null; pages += 1) {
      const { status, body } = await query({ page_size: 100, ...(cursor === undefined ? {} : { start_cursor: cursor }) })
      expect(status).toBe(200)
      expect(body['request_status']).toStrictEqual(INCOMPLETE)
      for (const row of resultsOf(body)) given.add(idOf(row))
      cursor = body['next_cursor']
      expect(body['has_more']).toBe(cursor !== null)
    }
    expect({ pages, rows: given.size }).toStrictEqual({ pages: LIMIT / 100, rows: LIMIT })
  })

  it.each<[what: string, filter: object]>([
    ['a condition that all rows match', { property: 'Name', title: { is_empty: true } }],
    [
      'one of two that all rows match',
      {
        or: [
          { property: 'Wood', select: { is_empty: true } },
          { property: 'Name', title: { is_empty: true } },
        ],
      },
    ],
  ])('200 incomplete with %s', async (_what, filter) => {
    expect((await query({ filter })).body).toMatchObject({ has_more: true, request_status: INCOMPLETE })
  })

  it('200 complete when a filter leaves exactly the maximum', async () => {
    for (const select of [{ equals: 'oak' }, { is_not_empty: true }]) {
      const { body } = await query({ filter: { property: 'Wood', select } })
      expect(body['has_more']).toBe(true)
      expect(body).not.toHaveProperty('request_status')
    }
  })

  it('200 complete when a filter leaves few', async () => {
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
