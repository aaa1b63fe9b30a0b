import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { yieldToEventLoop } from '../../../server/kernel/yield_to_event_loop.ts'
import { insertBlocks } from '../../../server/store/blocks.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { rowsRead } from './support/rows_read.ts'
import { storeNotes } from './support/stored_notes.ts'

/** The reads of a query depend on its results, not on the number of notes or pages. */

const MANY = 12_000
const PAGES = 3_100
const START = Date.UTC(2026, 3, 2)
const [, tomas, aiko] = exampleWorkspace.people.map(({ id }) => id) as [string, string, string]
const timeOf = (index: number): string => new Date(START + index * 1_000).toISOString()

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'empty' })
const page = await makePage(server.owner)
/** Titles, edits and creation have three different orders. */
const notes: string[] = []
for (let start = 0; start < MANY; start += 1_000) {
  const portion = Array.from({ length: 1_000 }, (_, number) => start + number).map((index) => ({
    title: `Keel ${String((index * 7) % MANY).padStart(5, '0')}`,
    created: timeOf(index),
    createdBy: index % 2_000 === 5 ? aiko : tomas,
    edited: timeOf((index * 11) % MANY),
  }))
  notes.push(...(await storeNotes(server, page, portion)))
  await yieldToEventLoop()
}
const untitled = await storeNotes(server, page, [{ created: timeOf(-1), createdBy: tomas, edited: timeOf(-1) }])
const indexes = (order: (index: number) => number): number[] =>
  notes.map((_, index) => index).sort((one, other) => order(one) - order(other))
const byTitle = indexes((index) => (index * 7) % MANY)
const byEdit = indexes((index) => (index * 11) % MANY)

/** A tree of pages without notes, except one at its end. */
const shared = await makePage(server.owner)
const seen = await makePage(server.owner, 'Inner', shared)
await server.service.database.write(async (db) => {
  const ranks = generateNKeysBetween('b00', null, PAGES)
  const pages = ranks.map((rank) => ({
    id: randomUUID(),
    type: 'child_page',
    parentType: 'page_id' as const,
    parentId: shared,
    pageId: shared,
    rank,
    content: { title: [] },
    createdTime: START,
    createdBy: exampleWorkspace.bot.id,
  }))
  await insertBlocks(db, exampleWorkspace.workspace.id, pages)
}, exampleWorkspace.workspace.id)
const [only = ''] = await storeNotes(server, seen, [{ title: 'Only', created: timeOf(-2), createdBy: tomas }])
const connection = await makeConnection(server, { capabilities: ['read_content'], grants: [shared] })

const sort = (property: string, direction: string): object => ({ sort: [{ property, direction }], limit: 3 })
const where = (property: string, filter: object): object => ({ operator: 'and', filters: [{ property, filter }] })
const first = (order: readonly number[]): (string | undefined)[] => order.slice(0, 3).map((index) => notes[index])

const ofAll: [string, object, (string | undefined)[]][] = [
  ['by title', sort('title', 'ascending'), first(byTitle)],
  ['by title, descending', sort('title', 'descending'), [only, ...first(byTitle.toReversed())].slice(0, 3)],
  ['by last edit', sort('last_edited_time', 'descending'), first(byEdit.toReversed())],
  ['by last edit, ascending', sort('last_edited_time', 'ascending'), [only, untitled[0], notes[0]]],
  [
    'edited on a day with few edits, by title',
    {
      ...sort('title', 'ascending'),
      filter: where('last_edited_time', { operator: 'date_is', value: { type: 'exact', value: timeOf(-1).slice(0, 10) } }),
    },
    [only, untitled[0]],
  ],
  [
    'created before most notes, by title',
    {
      ...sort('title', 'descending'),
      filter: where('created_time', { operator: 'date_is_before', value: { type: 'exact', value: timeOf(2) } }),
    },
    [only, notes[1], notes[0]],
  ],
  [
    'by a person who created few notes, by title',
    {
      ...sort('title', 'ascending'),
      filter: where('created_by', {
        operator: 'person_contains',
        value: { type: 'exact', value: { table: 'workspace_user', id: aiko } },
      }),
    },
    first(byTitle.filter((index) => index % 2_000 === 5)),
  ],
]

describe('queryMeetingNotes', () => {
  it.each(ofAll)('200 %s, after reading few of many notes', async (_name, body, expected) => {
    const response = await server.owner.call('queryMeetingNotes', { body })
    expect([response.status, resultsOf(response.body).map(idOf)]).toEqual([200, expected])
    const [rows, found] = await rowsRead(server, { seesWholeWorkspace: true, userId: exampleWorkspace.bot.id }, body)
    expect(found).toEqual(expected)
    expect(rows).toBeLessThan(MANY / 4)
  })

  it.each([
    ['the newest first', {}],
    ['by title', sort('title', 'ascending')],
    ['by creator', sort('created_by', 'ascending')],
  ])('200 after reading at most three rows for each page, for a caller with many pages and one note, %s', async (_name, body) => {
    const response = await connection.caller.call('queryMeetingNotes', { body })
    expect([response.status, resultsOf(response.body).map(idOf), response.body['has_more']]).toEqual([200, [only], false])
    const [rows, found] = await rowsRead(server, { seesWholeWorkspace: false, userId: connection.botId }, body)
    expect(found).toEqual([only])
    // The access path through all notes may cost about the same again.
    expect(rows).toBeLessThan(3 * PAGES)
  })

  it.each([
    ['title', byTitle],
    ['last_edited_time', byEdit],
  ] as const)(
    '200 for a connection that acts for a person, sorted by %s, after reading few notes of other people',
    async (property, order) => {
      const actor = { seesWholeWorkspace: true, userId: exampleWorkspace.bot.id, personId: aiko }
      const [rows, found] = await rowsRead(server, actor, sort(property, 'ascending'))
      expect(found).toEqual(first(order.filter((index) => index % 2_000 === 5)))
      expect(rows).toBeLessThan(MANY / 4)
    },
  )
})
