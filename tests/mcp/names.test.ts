import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { makePage } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { assistantOf } from './support/assistant.ts'

const server = await serverOfFile()
const assistant = await assistantOf(server.url, TOKEN)

const home = await makePage(server.owner, 'Harbour')
const { sourceId: berths } = await makeDatabase(server.owner, home, { Depth: { number: {} } })
const { sourceId: boats } = await makeDatabase(server.owner, home, {
  Berth: { relation: { data_source_id: berths, single_property: {} } },
})
const titles = ['North quay', 'Quay, inner', 'Twin', 'Twin', 'twin', 'Tug to tug']
const rows = titles.map((title, index) => ({ title, values: { Depth: index + 1 } }))
const { ids } = await assistant.json('create_rows', { data_source: berths, rows })
const [north, inner, twin, otherTwin, lowerTwin] = ids as string[]

async function newBoat(Berth: unknown): Promise<unknown> {
  const created = await assistant.json('create_rows', { data_source: boats, rows: [{ title: 'Tern', values: { Berth } }] })
  const [id] = created['ids'] as string[]
  const { values } = await assistant.json('update_page', { page: id, title: 'Tern' })
  return (values as { Berth?: unknown }).Berth
}

describe('a relation in the MCP tools', () => {
  it.each<[string, unknown, (string | undefined)[]]>([
    ['a title', ' north QUAY ', [north]],
    ['a title with a comma', 'Quay, inner', [inner]],
    ['titles and ids', ['North quay', inner], [north, inner]],
    ['the title with the same case, when others differ in case', 'twin', [lowerTwin]],
    ['ids with commas', `${north}, ${inner}`, [north, inner]],
  ])('accepts %s', async (_what, written, expected) => {
    expect(await newBoat(written)).toEqual(expected)
  })

  it('lists the candidates with their values when several rows have the title', async () => {
    const refusal = await assistant.refusal('create_rows', { data_source: boats, rows: [{ values: { Berth: ['Twin'] } }] })
    expect(refusal).toContain('rows[0].values.Berth[0]: several rows have the title "Twin". Give the id of one: ')
    for (const candidate of [`${twin} {"Depth":3}`, `${otherTwin} {"Depth":4}`]) expect(refusal).toContain(candidate)
    expect(refusal).not.toContain(lowerTwin)
  })

  it.each([
    ['that no row has', 'South quay'],
    ['with which a row only begins and ends', 'tug'],
  ])('refuses a title %s, and names the related data source', async (_what, written) => {
    const page = String(await assistant.json('create_rows', { data_source: boats, rows: [{}] }).then((made) => made['ids']))
    const refusal = await assistant.refusal('update_page', { page, values: { Berth: written } })
    expect(refusal).toContain(`values.Berth[0]: no row of the related data source ${berths} has the title "${written}".`)
  })

  it('finds rows by the title of a related row', async () => {
    await assistant.json('create_rows', { data_source: boats, rows: [{ title: 'Heron', values: { Berth: 'Quay, inner' } }] })
    const found = await assistant.json('query_rows', {
      data_source: boats,
      where: [
        { property: 'Berth', condition: 'contains', value: 'quay, inner' },
        { property: 'Name', condition: 'equals', value: 'Heron' },
      ],
    })
    expect(found['rows']).toMatchObject([{ title: 'Heron', Berth: [inner] }])
  })

  it('can name 50 different titles in one call', async () => {
    const values = { Berth: Array.from({ length: 51 }, (_title, index) => (index === 0 ? 'North quay' : `Berth ${index}`)) }
    const list = values.Berth.slice(1).map((title) => ({ title }))
    await assistant.json('create_rows', { data_source: berths, rows: list })
    const refusal = await assistant.refusal('create_rows', { data_source: boats, rows: [{ values }] })
    expect(refusal).toContain('rows[0].values.Berth[50]: one call can name 50 related rows by title.')
    const repeated = { Berth: [...values.Berth.slice(0, 50), 'North quay'] }
    expect(await newBoat(repeated.Berth)).toHaveLength(26)
  })
})

describe('a person in the MCP tools', async () => {
  const user = { object: 'user', type: 'person', person: {}, avatar_url: null }
  const source = {
    ...{
      object: 'data_source',
      id: boats,
      parent: { type: 'database_id', database_id: boats },
      title: [],
      description: [],
      in_trash: false,
    },
    properties: { Who: { id: 'who', name: 'Who', type: 'people', people: {}, description: null } },
  }
  let pages = 0
  /** An API with an endless list of users: Anna many times, Dora once. */
  const endless = createServer((request, response) => {
    const isUsers = request.url?.startsWith('/v1/users') === true
    const results = ['Anna', pages === 0 ? 'Dora' : 'Berta'].map((name, index) => ({ ...user, id: `${pages}-${index}`, name }))
    if (isUsers) pages += 1
    const list = { object: 'list', type: 'user', user: {}, results, has_more: true, next_cursor: String(pages) }
    response.setHeader('Content-Type', 'application/json').end(JSON.stringify(isUsers ? list : source))
  })
  await once(endless.listen(0, '127.0.0.1'), 'listening')
  afterAll(() => void endless.close())
  const { port } = endless.address() as AddressInfo
  const reader = await assistantOf(`http://127.0.0.1:${port}`, TOKEN)

  it.each([
    ['Clara', 'rows[1].values.Who: nobody among the first 40 users has that name or email address: "Clara".'],
    ['Anna', 'rows[1].values.Who: 20 people have that name: "Anna". Give the id of one: 0-0 (person), '],
  ])('is searched once, on at most 20 pages of users, for all values of a call: %s', async (Who, message) => {
    pages = 0
    const rowsOf = [{ values: { Who: 'Dora' } }, { values: { Who } }]
    expect(await reader.refusal('create_rows', { data_source: boats, rows: rowsOf })).toContain(message)
    expect(pages).toBe(20)
  })
})
