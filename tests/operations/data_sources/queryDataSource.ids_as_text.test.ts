import { describe, expect, it } from 'vitest'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, readRow } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { findAll } from '../search/support.ts'

/** An engine may store ids in another form than text. A text that only looks like an id is still a text. */
const UUID = '5df6f817-b099-4bcf-a0ec-6db25097c0ff'

const server = await serverOfFile()
const { sourceId } = await makeDatabase(server.owner, await makePage(server.owner), { Note: { rich_text: {} } })
const notes = { alone: UUID, within: `see ${UUID}, page 2`, first: `${UUID} is lost`, none: 'a tide table' }
const rows = new Map<string, string>()
for (const [name, note] of Object.entries(notes)) {
  const { owner } = server
  rows.set(name, idOf(await makeRow(owner, sourceId, { Note: { rich_text: [text(note)] }, Name: { title: [text(note)] } })))
}
const nameOf = new Map([...rows].map(([name, id]) => [id, name]))

async function query(body: object): Promise<(string | undefined)[]> {
  const response = await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body })
  expect(response.status, response.text).toBe(200)
  return resultsOf(response.body).map((row) => nameOf.get(idOf(row)))
}

describe.each(['Note', 'Name'])('queryDataSource: texts that look like ids, in %s', (property) => {
  const type = property === 'Note' ? 'rich_text' : 'title'

  it.each([
    ['equals', UUID, ['alone']],
    ['does_not_equal', UUID, ['first', 'none', 'within']],
    ['contains', UUID, ['alone', 'first', 'within']],
    ['contains', UUID.slice(9, 18), ['alone', 'first', 'within']],
    ['does_not_contain', UUID, ['none']],
    ['starts_with', UUID, ['alone', 'first']],
    ['starts_with', UUID.slice(0, 12), ['alone', 'first']],
    ['ends_with', UUID, ['alone']],
    ['ends_with', UUID.slice(-5), ['alone']],
  ])('200 with the matching rows for %s %s', async (condition, operand, expected) => {
    expect((await query({ filter: { property, [type]: { [condition]: operand } } })).toSorted()).toEqual(expected)
  })

  it('200 with such texts sorted among others, and unchanged', async () => {
    expect(await query({ sorts: [{ property, direction: 'ascending' }] })).toEqual(['alone', 'first', 'none', 'within'])
    expect(at(await readRow(server.owner, rows.get('alone') ?? ''), 'properties', property, type, 0, 'plain_text')).toBe(UUID)
  })
})

it('search: 200 with a title that looks like an id', async () => {
  expect((await findAll(server.owner, { query: UUID })).toSorted()).toEqual(
    ['alone', 'within', 'first'].map((name) => rows.get(name)).toSorted(),
  )
})
