import { expect, it } from 'vitest'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, plainValues } from '../../harness/databases_content.ts'
import { idOf, resultsOf, textAt, type Json } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Values whose order is easily confused: rows are created and named in the order `a` to `d`; all except `d` have values. */

const server = await serverOfFile()
const made = await makeDatabase(server.owner, await makePage(server.owner), {
  Hours: { number: {} },
  Step: {
    status: {
      options: [
        { name: 'Afloat', group: 'Complete' },
        { name: 'Caulking', group: 'In progress' },
        { name: 'Waiting', group: 'To-do' },
      ],
    },
  },
  Berth: { date: {} },
  Edited: { last_edited_time: {} },
  Rush: { formula: { expression: 'if(prop("Hours") > 5, true, if(prop("Hours") > 1, false, empty()))' } },
})
const sourceId = made.sourceId
const rows: Record<string, object> = {
  a: {
    Hours: { number: 7 },
    Step: { status: { name: 'Afloat' } },
    Berth: { date: { start: '2026-05-01', end: '2026-05-09' } },
  },
  b: {
    Hours: { number: 3 },
    Step: { status: { name: 'Waiting' } },
    Berth: { date: { start: '2026-05-01', end: '2026-05-05' } },
  },
  c: { Hours: { number: 8 }, Step: { status: { name: 'Caulking' } }, Berth: { date: { start: '2026-05-01' } } },
  d: { Step: { status: { name: 'Waiting' } } },
}
const ids: string[] = []
for (const [name, values] of Object.entries(rows)) {
  server.clock.advance(60_000)
  ids.push(idOf(await makeRow(server.owner, sourceId, { Name: [text(name)], ...values })))
}
// Edited again: c, then a.
for (const location of [2, 0]) {
  server.clock.advance(60_000)
  const body = { properties: { Name: { title: [text('abcd'.charAt(location))] } }, icon: { type: 'emoji', emoji: '⚓' } }
  expect((await server.owner.call('updatePage', { path: { page_id: ids[location] ?? '' }, body })).status).toBe(200)
}

async function names(sorts: readonly object[]): Promise<string> {
  const response = await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: { sorts } })
  expect(response.status, response.text).toBe(200)
  return resultsOf(response.body)
    .map((row) => textAt(plainValues(row)['Name'] as Json, 0, 'plain_text'))
    .join('')
}

it.each<[what: string, by: object, ascending: string, descending: string]>([
  ['false sorts before true, and empty values sort last', { property: 'Rush' }, 'bcad', 'cabd'],
  ['a status sorts by its group, then newest first', { property: 'Step' }, 'dbca', 'acdb'],
  ['ranges with equal starts sort by their ends, and a single day ends first', { property: 'Berth' }, 'cbad', 'abcd'],
  ['a property with the time of the last edit sorts by the last edit', { property: 'Edited' }, 'bdca', 'acdb'],
  ['the timestamp of the last edit sorts by the last edit', { timestamp: 'last_edited_time' }, 'bdca', 'acdb'],
  ['the property name last_edited_time sorts by the last edit', { property: 'last_edited_time' }, 'bdca', 'acdb'],
  ['the timestamp of the creation sorts by creation', { timestamp: 'created_time' }, 'abcd', 'dcba'],
])('queryDataSource: 200: %s', async (_what, by, ascending, descending) => {
  for (const more of [[], [{ timestamp: 'created_time', direction: 'descending' }]]) {
    expect(await names([{ ...by, direction: 'ascending' }, ...more])).toBe(ascending)
    expect(await names([{ ...by, direction: 'descending' }, ...more])).toBe(descending)
  }
})
