import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { Actor } from '../../../server/domain/shared/actor.ts'
import { makeConnection, type TestConnection } from '../../harness/connections.ts'
import { appendOne, block, makePage } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { rowsRead } from './support/rows_read.ts'
import { storeNotes } from './support/stored_notes.ts'

/** A connection that sees few notes does not read all the others, in any sort order. */

const UNSEEN = 4_000
const tomas = exampleWorkspace.people[1].id

let server: TestServer
let connection: TestConnection
let seen: string[]
beforeAll(async () => {
  server = await startTestServer()
  const [hidden, shared, moved] = [await makePage(server.owner), await makePage(server.owner), await makePage(server.owner)]
  await storeNotes(
    server,
    hidden,
    Array.from({ length: UNSEEN }, (_, index) => ({
      title: `Keel ${index}`,
      created: new Date(Date.UTC(2026, 3, 2) + index * 1_000).toISOString(),
      createdBy: tomas,
    })),
  )
  const inner = await makePage(server.owner, 'Inner', shared)
  const { sourceId } = await makeDatabase(server.owner, inner)
  const row = idOf(await makeRow(server.owner, sourceId))
  const trashed = await makePage(server.owner, 'Trashed', shared)
  const before = { created: '2026-04-01T09:00Z', createdBy: tomas }
  seen = [
    ...(await storeNotes(server, shared, [{ ...before, title: 'Mast', created: '2026-04-01T08:00Z' }])),
    ...(await storeNotes(server, inner, [{ ...before, title: 'Anchor' }])),
    ...(await storeNotes(server, row, [{ ...before, title: 'Oar', created: '2026-06-01T09:00Z' }])),
    ...(await storeNotes(server, moved, [{ ...before, title: 'Buoy', created: '2026-04-01T07:00Z' }])),
  ]
  await storeNotes(server, trashed, [{ ...before, title: 'Gone' }])
  await server.owner.call('deleteBlock', { path: { block_id: trashed } })
  await server.owner.call('movePage', { path: { page_id: moved }, body: { parent: { page_id: inner } } })
  await appendOne(server.owner, shared, block('toggle', 'Nothing'))
  connection = await makeConnection(server, { capabilities: ['read_content'], grants: [shared] })
})
afterAll(() => server.stop())

const orders: [string, object, number[]][] = [
  ['the newest first', {}, [2, 1, 0, 3]],
  ['the oldest first', { sort: [{ property: 'created_time', direction: 'ascending' }] }, [3, 0, 1, 2]],
  ['by title', { sort: [{ property: 'title', direction: 'ascending' }] }, [1, 3, 0, 2]],
  [
    'filtered by title and time',
    {
      filter: {
        operator: 'and',
        filters: [
          { property: 'title', filter: { operator: 'string_contains', value: { type: 'exact', value: 'o' } } },
          { property: 'created_time', filter: { operator: 'date_is_before', value: { type: 'exact', value: '2026-05-01' } } },
        ],
      },
    },
    [1, 3],
  ],
]

const rowsOf = (body: object, actor: Partial<Actor>): Promise<[rows: number, found: string[]]> =>
  rowsRead(server, { userId: connection.botId, ...actor }, body)

describe('queryMeetingNotes', () => {
  it.each(orders)('200 with the few visible notes among thousands, %s', async (_order, body, numbers) => {
    const response = await connection.caller.call('queryMeetingNotes', { body })
    expect([response.status, response.body['has_more']]).toEqual([200, false])
    expect(resultsOf(response.body).map(idOf)).toEqual(numbers.map((number) => seen[number]))
  })

  it.each(orders)('200 after the service has read few of the hidden notes, %s', async (_order, body, numbers) => {
    const [rows, found] = await rowsOf(body, {})
    expect(found).toEqual(numbers.map((number) => seen[number]))
    expect(rows).toBeLessThan(UNSEEN / 3)
  })

  it("200 for a connection that acts for a person, with only that person's notes, after reading few hidden ones", async () => {
    const [rows, found] = await rowsOf({}, { personId: tomas })
    expect(found).toEqual([2, 1, 0, 3].map((number) => seen[number]))
    expect(rows).toBeLessThan(UNSEEN / 3)
    expect((await rowsOf({}, { personId: exampleWorkspace.people[2].id }))[1]).toEqual([])
  })
})
