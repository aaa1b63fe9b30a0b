import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertUser } from '../../../server/store/users.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { create as announce, png, upload } from '../../harness/files.ts'
import { at, idOf, resultsOf, textAt, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// Rules about values with references, and about lists of them.

const MANY = 30
const SHOWN = 25

const NOT_GIVEN = ['show_unique', 'unique', 'count_per_group', 'percent_per_group']
const user = (id: string): object => ({ mention: { user: { id } } })
const page = (): object => ({ mention: { page: { id: mentioned } } })

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const mentioned = await makePage(server.owner, 'Heron')
const people = Array.from({ length: MANY }, () => randomUUID())
await server.service.database.write(async (db) => {
  for (const [index, id] of people.entries())
    await insertUser(db, exampleWorkspace.workspace.id, {
      id,
      kind: 'person',
      name: `Person ${index}`,
      avatar_url: null,
      email: `person${index}@northshore.example`,
      role: 'member',
      connection_id: null,
      created_time: index,
    })
})
const boats = await makeDatabase(server.owner, parent, { Length: { number: {} }, Kind: { status: {} } })
const roll = (name: string): object => ({
  rollup: { function: name, relation_property_name: 'Boats', rollup_property_name: 'Kind' },
})
const jobs = await makeDatabase(server.owner, parent, {
  Note: { rich_text: {} },
  Who: { people: {} },
  Hours: { number: {} },
  When: { date: {} },
  Files: { files: {} },
  Ok: { verification: {} },
  Boats: { relation: { data_source_id: boats.sourceId, single_property: {} } },
  Count: roll('count'),
  ...Object.fromEntries(NOT_GIVEN.map((name) => [name, roll(name)])),
})
const job = await makeRow(server.owner, jobs.sourceId, {
  Name: [...people.slice(0, 20).map(user), ...Array.from({ length: 10 }, page), text('end')],
  Note: { rich_text: [...people.map(user), text('end')] },
  Who: { people: people.map((id) => ({ id })) },
  Hours: { number: 3 },
  Boats: { relation: [{ id: idOf(await makeRow(server.owner, boats.sourceId, { Kind: { status: { name: 'Done' } } })) }] },
})

const write = (properties: object): Promise<TestResponse> =>
  server.owner.call('createPage', { body: { parent: { data_source_id: jobs.sourceId }, properties } })
const item = async (
  name: string,
  query: Record<string, string | number> = {},
  pageId = idOf(job),
  caller = server.owner,
): Promise<TestResponse> => {
  const id = (await columnsOf(server.owner, jobs.sourceId))[name]?.['id']
  return caller.call('retrievePageProperty', { path: { page_id: pageId, property_id: String(id) }, query })
}
const namesIn = (items: unknown): string[] => (items as JsonObject[]).map((one) => textAt(one, 'plain_text'))

describe('updatePage: values of rows', () => {
  it('200 with 25 people of a value and 25 mentioned names on a page, and all in the property item', async () => {
    const values = await valuesOf(server.owner, idOf(job))
    expect((values['Who'] as JsonObject[]).map(idOf)).toStrictEqual(people.slice(0, SHOWN))
    const named = people.map((_, index) => (index < SHOWN ? `@Person ${index}` : '@Anonymous'))
    expect(namesIn(values['Note'])).toStrictEqual([...named, 'end'])
    const title = [
      ...named.slice(0, 20),
      ...Array.from({ length: 5 }, () => 'Heron'),
      ...Array.from({ length: 5 }, () => 'Untitled'),
    ]
    expect(namesIn(values['Name'])).toStrictEqual([...title, 'end'])
    expect(resultsOf((await item('Who')).body).map((one) => textAt(one, 'people', 'id'))).toStrictEqual(people)
    expect(resultsOf((await item('Note')).body).map((one) => textAt(one, 'rich_text', 'plain_text'))).toStrictEqual([
      ...people.map((_, index) => `@Person ${index}`),
      'end',
    ])
  })

  it("200 with as much of each user as the connection's capabilities allow", async () => {
    const shown = async (...more: ('read_user_without_email' | 'read_user_with_email')[]): Promise<unknown> => {
      const { caller } = await makeConnection(server, { capabilities: ['read_content', ...more], grants: [parent] })
      return at((await valuesOf(caller, idOf(job)))['Who'] as JsonObject[], 0)
    }
    expect(await shown()).toStrictEqual({ object: 'user', id: people[0] })
    const named = await shown('read_user_without_email')
    expect(named).toMatchObject({ name: 'Person 0', person: {} })
    expect(JSON.stringify(named)).not.toContain('@northshore')
    expect(JSON.stringify(await shown('read_user_with_email'))).toContain('person0@northshore.example')
  })

  it("200 with an upload as a file with a signed link, under the sent name or the upload's name", async () => {
    const id = await upload(server.owner, png, 'dock.png')
    const { body } = await write({ Files: { files: [{ name: 'Dock', file_upload: { id } }, { file_upload: { id } }] } })
    expect(plainValues(body)['Files']).toMatchObject([
      { name: 'Dock', type: 'file', file: { url: expect.stringContaining(server.url) } },
      { name: 'dock.png', type: 'file' },
    ])
  })

  it('200 with hosted files kept when sent back, and 400 for those of another page', async () => {
    const id = await upload(server.owner, png, 'dock.png')
    const { body } = await write({ Files: { files: [{ file_upload: { id } }] } })
    const files = plainValues(body)['Files'] as JsonObject[]
    const update = (page: JsonObject, list: object[]): Promise<TestResponse> =>
      server.owner.call('updatePage', { path: { page_id: idOf(page) }, body: { properties: { Files: { files: list } } } })
    const more = { name: 'plan', external: { url: 'https://example.org/plan.pdf' } }
    const changed = await update(body, [...files, more])
    expect(plainValues(changed.body)['Files']).toMatchObject([
      { name: 'dock.png', type: 'file' },
      { name: 'plan', type: 'external' },
    ])
    const other = await makeRow(server.owner, jobs.sourceId)
    expectInvalid(await update(other, files), 'body.properties.Files.files[0].file.url')
    expect((await valuesOf(server.owner, idOf(other)))['Files']).toStrictEqual([])
  })

  it.each<[string, object]>([
    ['Z and a time zone at offset zero', { start: '2026-01-01T10:00:00Z', time_zone: 'UTC' }],
    ['no offset and a time zone', { start: '2026-05-01T10:00:00', time_zone: 'Asia/Kathmandu' }],
  ])('200 for a date with %s', async (_what, date) => {
    expect((await write({ When: { date } })).status).toBe(200)
  })

  it('400 for impossible dates, verifications and uploads', async () => {
    const date = { start: '2026-05-01T10:00:00+02:00', time_zone: 'Europe/Lisbon' }
    expectInvalid(await write({ When: { date } }), 'body.properties.When.date.time_zone')
    const chosen = { state: 'verified', verified_by: { id: people[0] } }
    const row = await makeRow(server.owner, jobs.sourceId)
    const update = { path: { page_id: idOf(row) }, body: { properties: { Ok: { verification: chosen } } } }
    expectInvalid(await server.owner.call('updatePage', update), 'body.properties.Ok.verification.verified_by')
    const verification = { state: 'verified', verified_on: '2026-05-01' }
    expectInvalid(await write({ Ok: { verification } }), 'body.properties.Ok.verification.verified_on')
    const id = idOf(await announce(server.owner, { filename: 'late.png' }))
    expectInvalid(await write({ Files: { files: [{ file_upload: { id } }] } }), 'body.properties.Files.files[0].file_upload.id')
    expectInvalid(await write({ Who: { people: [] }, Hours: { number: '3' } }), 'body.properties.Hours.number')
  })
})

describe('retrievePageProperty: items of rows', () => {
  it('200 with a next_url that has the undashed id and the requested page size', async () => {
    const first = await item('Who', { page_size: 20 })
    const url = textAt(first.body, 'property_item', 'next_url')
    expect(url).toContain(`${server.url}/v1/pages/${idOf(job).replaceAll('-', '')}/properties/`)
    expect(new URL(url).searchParams.get('page_size')).toBe('20')
    expect(new URL(url).searchParams.get('start_cursor')).toBe(first.body['next_cursor'])
    const rest = await item('Who', { page_size: 20, start_cursor: textAt(first.body, 'next_cursor') })
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null, property_item: { next_url: null } })
  })

  it('200 for a percent-encoded id, and for title as the title property', async () => {
    const id = String((await columnsOf(server.owner, jobs.sourceId))['Hours']?.['id'])
    for (const written of [id, `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`]) {
      const path = { page_id: idOf(job), property_id: written }
      expect((await server.owner.call('retrievePageProperty', { path })).body).toMatchObject({ id, type: 'number', number: 3 })
    }
    const path = { page_id: idOf(job), property_id: 'title' }
    expect((await server.owner.call('retrievePageProperty', { path })).body).toMatchObject({ property_item: { id: 'title' } })
  })

  it('200 with no results and a count of 0 for a rollup without related pages', async () => {
    const row = await makeRow(server.owner, jobs.sourceId)
    const { body } = await item('Count', {}, idOf(row))
    expect(resultsOf(body)).toStrictEqual([])
    expect(at(body, 'property_item', 'rollup')).toStrictEqual({ type: 'number', number: 0, function: 'count' })
  })

  it.each(NOT_GIVEN)('200 with the values of a %s rollup, but `unsupported` as its result', async (name) => {
    const { body } = await item(name)
    expect(resultsOf(body)).toHaveLength(1)
    expect(at(body, 'property_item', 'rollup')).toStrictEqual({ type: 'unsupported', unsupported: {}, function: name })
  })

  it('200 with valid paging ignored for a single item, and 400 for invalid paging', async () => {
    const cursor = textAt((await item('Who', { page_size: 1 })).body, 'next_cursor')
    for (const query of [{ page_size: 1 }, { start_cursor: 'garbage' }, { start_cursor: cursor, page_size: 100 }])
      for (const [name, value] of Object.entries({ Hours: { number: 3 }, Files: { files: [] }, When: { date: null } })) {
        const { status, body } = await item(name, query)
        expect([status, body]).toMatchObject([200, { object: 'property_item', ...value }])
      }
    for (const size of [0, 101]) expectInvalid(await item('Who', { page_size: size }), 'query.page_size')
  })

  it('400 for a cursor of another page or property', async () => {
    const cursor = textAt((await item('Who', { page_size: 1 })).body, 'next_cursor')
    expectInvalid(await item('Note', { start_cursor: cursor }), 'query.start_cursor')
    const row = await makeRow(server.owner, jobs.sourceId)
    expectInvalid(await item('Who', { start_cursor: cursor }, idOf(row)), 'query.start_cursor')
  })

  it('404 when the page is not visible, and for any property but the title outside a data source', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [mentioned] })
    expectNotFound(await item('Who', {}, idOf(job), caller), idOf(job))
    expectError(await item('Who', {}, mentioned), 404, 'object_not_found')
  })
})
