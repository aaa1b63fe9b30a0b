import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues, readRow, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { noTexts, textTypes } from '../../harness/text_types.ts'
import { columnsOfEveryType } from './support/columns_of_every_type.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const made = await makeDatabase(server.owner, parent, columnsOfEveryType)

const write = (properties: object): Promise<TestResponse> =>
  server.owner.call('createPage', { body: { parent: { data_source_id: made.sourceId }, properties } })
const update = (id: string, properties: object): Promise<TestResponse> =>
  server.owner.call('updatePage', { path: { page_id: id }, body: { properties } })
const person = exampleWorkspace.people[1].id

describe('createPage, updatePage and retrievePage of rows', () => {
  it('200 with every column in schema order for an empty row', async () => {
    const row = await makeRow(server.owner, made.sourceId)
    const time = new Date(server.clock.now()).toISOString()
    expect(row['parent']).toStrictEqual({ type: 'data_source_id', data_source_id: made.sourceId, database_id: made.id })
    const bot = { object: 'user', id: exampleWorkspace.bot.id, type: 'bot', bot: {} }
    const values = plainValues(row)
    expect(values).toMatchObject({
      Name: [],
      Text: [],
      Number: null,
      Select: null,
      Multi: [],
      Status: { name: 'Not started', color: 'default' },
      Date: null,
      Check: false,
      Url: null,
      Email: null,
      ...noTexts,
      People: [],
      Files: [],
      Place: null,
      Verified: { state: 'unverified', date: null, verified_by: null },
      Created: time,
      Author: bot,
      Edited: time,
      Editor: bot,
      Button: {},
    })
    expect(values['Id']).toMatchObject({ prefix: 'JOB' })
    expect(Object.keys(values)).toStrictEqual(
      Object.keys(await columnsOf(server.owner, made.sourceId)).filter((name) => name !== 'Location' && name !== 'Visited'),
    )
  })

  it.each<[string, string, unknown, unknown]>([
    ['Text', 'rich_text', [text('a'), text('b', { annotations: { bold: true } })], [readText('a'), { plain_text: 'b' }]],
    ['Number', 'number', -1.5, -1.5],
    ['Number', 'number', 0, 0],
    ['Select', 'select', { name: 'a', color: 'blue' }, { name: 'a', color: 'red' }],
    ['Select', 'select', { name: 'new', color: 'blue', description: 'n' }, { name: 'new', color: 'blue' }],
    ['Multi', 'multi_select', [{ name: 'x' }, { name: 'y' }, { name: 'x' }], [{ name: 'x' }, { name: 'y' }]],
    ['Status', 'status', { name: 'Done' }, { name: 'Done', color: 'green' }],
    ['Date', 'date', { start: '2026-05-01' }, { start: '2026-05-01', end: null, time_zone: null }],
    [
      'Date',
      'date',
      { start: '2026-05-01T10:00:00', end: '2026-05-02T10:00:00', time_zone: 'Europe/Lisbon' },
      { start: '2026-05-01T10:00:00.000+01:00', end: '2026-05-02T10:00:00.000+01:00', time_zone: null },
    ],
    [
      'Date', // a time that clocks skip
      'date',
      { start: '2024-03-31T02:30', time_zone: 'Europe/Rome' },
      { start: '2024-03-31T03:30:00.000+02:00', end: null, time_zone: null },
    ],
    ['Check', 'checkbox', true, true],
    ['Url', 'url', 'https://example.org', 'https://example.org'],
    ['Email', 'email', 'x'.repeat(200), 'x'.repeat(200)],
    ['Phone', 'phone_number', 'call me', 'call me'],
    ...textTypes.map(({ type, column, value }): [string, string, string, string] => [column, type, value, value]),
    ['People', 'people', [{ id: person }, { id: person }], [{ object: 'user', id: person }]],
    [
      'Files',
      'files',
      [{ name: 'plan', external: { url: 'https://example.org/p.pdf' } }],
      [{ name: 'plan', type: 'external', external: { url: 'https://example.org/p.pdf' } }],
    ],
    [
      'Place',
      'place',
      { lat: 38.7, lon: -9.14, name: 'North pier' },
      { lat: 38.7, lon: -9.14, name: 'North pier', address: null, aws_place_id: null, google_place_id: null },
    ],
    [
      'Verified',
      'verification',
      { state: 'verified', date: { start: '2026-05-01T09:00:00+02:00', end: '2027-08-01T09:00:00Z' } },
      {
        state: 'verified',
        date: { start: '2026-05-01T07:00:00.000Z', end: '2027-08-01T09:00:00.000Z', time_zone: null },
        verified_by: { id: exampleWorkspace.bot.id },
      },
    ],
    ['Verified', 'verification', { state: 'verified' }, { state: 'verified', date: null }],
  ])('200 for %s: a value of type %s is written, read, replaced and cleared', async (name, type, written, read) => {
    const made = await write({ [name]: { [type]: written } })
    expect(plainValues(made.body)[name]).toMatchObject(read as object)
    const id = idOf(made.body)
    const other = await makeRow(server.owner, String(at(made.body, 'parent', 'data_source_id')))
    const set = await update(idOf(other), { [String((made.body['properties'] as never)[name]['id'])]: { type, [type]: written } })
    expect(plainValues(set.body)[name]).toMatchObject(read as object)
    const empty: Record<string, unknown> = {
      rich_text: [],
      multi_select: [],
      people: [],
      files: [],
      checkbox: false,
      verification: { state: 'unverified' },
    }
    const cleared = await update(id, { [name]: { [type]: type in empty ? empty[type] : null } })
    expect(plainValues(cleared.body)[name]).toStrictEqual(plainValues(await readRow(server.owner, idOf(await fresh())))[name])
  })

  const fresh = (): Promise<ReturnType<typeof Object>> => makeRow(server.owner, made.sourceId)

  it('200 with a verification that expires after its date', async () => {
    const verified = {
      state: 'verified',
      date: { start: '2026-05-01T09:00:00Z', end: new Date(server.clock.now() + 1000).toISOString() },
    }
    const { body } = await write({ Verified: { verification: verified } })
    expect(plainValues(body)['Verified']).toMatchObject({ state: 'verified' })
    server.clock.advance(1000)
    expect((await valuesOf(server.owner, idOf(body)))['Verified']).toMatchObject({ state: 'expired' })
  })

  it('200 for an expired verification sent back, and 400 for another or a new one', async () => {
    const date = { start: '2026-05-01T09:00:00Z', end: new Date(server.clock.now() + 1000).toISOString() }
    const { body } = await write({ Verified: { verification: { state: 'verified', date } } })
    server.clock.advance(60_000)
    const path = { page_id: idOf(body) }
    const before = await server.owner.call('retrievePage', { path })
    const verified = at(before.body, 'properties', 'Verified')
    const expired = at(verified, 'verification') as Record<string, unknown>
    const again = await server.owner.call('updatePage', { path, body: { properties: { Verified: verified } } })
    expect({ ...again.body, request_id: null }).toStrictEqual({ ...before.body, request_id: null })
    for (const other of [{ state: 'expired' }, { ...expired, date: { ...date, end: '2026-05-02T09:00:00Z' } }]) {
      const response = await server.owner.call('updatePage', {
        path,
        body: { properties: { Verified: { verification: other } } },
      })
      expectInvalid(response, 'body.properties.Verified.verification.state')
    }
    expectInvalid(await write({ Verified: { verification: expired } }), 'body.properties.Verified.verification.state')
  })

  it('200 with a new option that is in the schema immediately and can be chosen by id later', async () => {
    const { body } = await write({ Select: { select: { name: 'fresh', color: 'pink', description: 'd' } } })
    const options = at((await columnsOf(server.owner, made.sourceId))['Select'], 'select', 'options')
    const added = (options as { name: string; id: string }[]).find(({ name }) => name === 'fresh')
    expect(added).toMatchObject({ color: 'pink', description: 'd' })
    expect(plainValues(body)['Select']).toStrictEqual({ id: added?.id, name: 'fresh', color: 'pink' })
    expect(plainValues((await write({ Select: { select: { id: added?.id } } })).body)['Select']).toMatchObject({ name: 'fresh' })
    expectInvalid(await write({ Select: { select: { id: added?.id, name: 'a' } } }), 'body.properties.Select.select.name')
    expectInvalid(await write({ Select: { select: { id: 'nope' } } }), 'body.properties.Select.select.id')
  })

  it('200 with unique ids that increase by one, even for concurrent rows', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Id: { unique_id: {} } })
    const rows = await Promise.all(Array.from({ length: 12 }, () => makeRow(server.owner, sourceId)))
    const numbers = rows.map((row) => at(row, 'properties', 'Id', 'unique_id', 'number') as number)
    expect(numbers.toSorted((a, b) => a - b)).toStrictEqual(Array.from({ length: 12 }, (_, index) => index + 1))
  })

  it('200 without reusing a unique number, whatever happens to its row', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Id: { unique_id: {} } })
    const first = await makeRow(server.owner, sourceId)
    await server.owner.call('updatePage', { path: { page_id: idOf(first) }, body: { in_trash: true } })
    const second = await makeRow(server.owner, sourceId)
    await server.owner.call('movePage', { path: { page_id: idOf(second) }, body: { parent: { page_id: parent } } })
    const numbers = [first, second, await makeRow(server.owner, sourceId)].map((row) =>
      at(row, 'properties', 'Id', 'unique_id', 'number'),
    )
    expect(numbers).toStrictEqual([1, 2, 3])
  })

  it('200 for values by name or by plain or percent-encoded id, preferring names; 400 when the case of a name differs', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { A: { number: {} }, Text: { rich_text: {} } })
    const id = String((await columnsOf(server.owner, sourceId))['A']?.['id'])
    const decoded = decodeURIComponent(id)
    const encoded = [...decoded].map((character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`).join('')
    for (const [key, number] of [id, decoded, encoded, 'A'].map((key, index) => [key, index] as const))
      expect(plainValues(await makeRow(server.owner, sourceId, { [key]: { number } }))['A'], key).toBe(number)
    const create = (properties: object): Promise<TestResponse> =>
      server.owner.call('createPage', { body: { parent: { data_source_id: sourceId }, properties } })
    expectInvalid(await create({ a: { number: 1 } }), 'body.properties.a')
    const body = { properties: { Text: { name: decoded } } }
    expect((await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })).status).toBe(200)
    const named = plainValues(await makeRow(server.owner, sourceId, { [decoded]: { rich_text: [text('by name')] } }))
    expect([named['A'], named[decoded]]).toStrictEqual([null, [readText('by name')]])
  })

  it('403 for a new option when the data source is read-only', async () => {
    const { sourceId, id } = await makeDatabase(server.owner, parent, { Select: { select: { options: [{ name: 'a' }] } } })
    const row = idOf(await makeRow(server.owner, sourceId))
    const member = await makeMember(server, person)
    await server.service.database.write(async (db) => {
      await setMemberAccess(db, exampleWorkspace.workspace.id, id, person, 'read', 1)
      await setMemberAccess(db, exampleWorkspace.workspace.id, row, person, 'edit', 1)
    })
    const choose = (name: string): Promise<TestResponse> =>
      member.call('updatePage', { path: { page_id: row }, body: { properties: { Select: { select: { name } } } } })
    expect((await choose('a')).status).toBe(200)
    expectError(await choose('new'), 403, 'restricted_resource')
    expect(plainValues(await readRow(server.owner, row))['Select']).toMatchObject({ name: 'a' })
  })

  it('200 with both sides of a two-way relation linked, and 25 links shown on a page', async () => {
    const boats = await makeDatabase(server.owner, parent)
    const jobs = await makeDatabase(server.owner, parent, {
      Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
    })
    const [heron, kittiwake] = [await makeRow(server.owner, boats.sourceId), await makeRow(server.owner, boats.sourceId)]
    const job = await makeRow(server.owner, jobs.sourceId, { Boat: { relation: [{ id: idOf(heron) }, { id: idOf(heron) }] } })
    expect(plainValues(job)['Boat']).toStrictEqual([{ id: idOf(heron) }])
    expect((await valuesOf(server.owner, idOf(heron)))['Jobs']).toStrictEqual([{ id: idOf(job) }])
    await update(idOf(job), { Boat: { relation: [{ id: idOf(kittiwake) }] } })
    expect((await valuesOf(server.owner, idOf(heron)))['Jobs']).toStrictEqual([])
    expect((await valuesOf(server.owner, idOf(kittiwake)))['Jobs']).toStrictEqual([{ id: idOf(job) }])
    await update(idOf(kittiwake), { Jobs: { relation: [] } })
    expect((await valuesOf(server.owner, idOf(job)))['Boat']).toStrictEqual([])
    const many = await Promise.all(Array.from({ length: 26 }, () => makeRow(server.owner, jobs.sourceId)))
    const links = many.map((row) => ({ id: idOf(row) }))
    const { body } = await update(idOf(heron), { Jobs: { relation: links } })
    expect(at(body, 'properties', 'Jobs')).toMatchObject({ relation: links.slice(0, 25), has_more: true })
    const fewer = await update(idOf(heron), { Jobs: { relation: links.slice(1), has_more: true } })
    expect(at(fewer.body, 'properties', 'Jobs')).toMatchObject({ relation: links.slice(1), has_more: false })
  })

  it('200 without a relation to a data source that is not shared', async () => {
    const hidden = await makeDatabase(server.owner, await makePage(server.owner, 'Elsewhere'))
    const { sourceId, id } = await makeDatabase(server.owner, parent, {
      To: { relation: { data_source_id: hidden.sourceId, single_property: {} } },
    })
    const row = await makeRow(server.owner, sourceId)
    const stranger = await makeConnection(server, { capabilities: ['read_content'], grants: [id] })
    expect(Object.keys(await valuesOf(stranger.caller, idOf(row)))).toStrictEqual(['Name'])
    expect(Object.keys(await columnsOf(stranger.caller, sourceId))).toStrictEqual(['Name'])
  })

  it('200 for a database with one data source as the parent, filter_properties by id and name, and values in the form of responses', async () => {
    const { body } = await server.owner.call('createPage', {
      body: { parent: { database_id: made.id }, properties: { title: { title: [text('By database')] } } },
      query: { filter_properties: ['title', 'nope', 'Number'] },
    })
    expect(body['parent']).toMatchObject({ data_source_id: made.sourceId })
    expect(Object.keys(body['properties'] as object)).toStrictEqual(['Name', 'Number'])
    const {
      Created: _c,
      Author: _a,
      Edited: _e,
      Editor: _r,
      Id: _i,
      Button: _b,
      Verified: _v,
      ...writable
    } = (await readRow(server.owner, idOf(body)))['properties'] as Record<string, object>
    const same = await update(idOf(body), { ...writable, Status: { status: null } })
    expect(plainValues(same.body)['Name']).toStrictEqual([readText('By database')])
    expect(plainValues(same.body)['Status']).toMatchObject({ name: 'Not started' })
  })

  it('200 with a new edit time for a change, but not for an equal value', async () => {
    const { body } = await write({ Number: { number: 1 } })
    server.clock.advance(1000)
    const same = await update(idOf(body), { Number: { number: 1 } })
    expect(same.body['last_edited_time']).toBe(body['last_edited_time'])
    const other = await update(idOf(body), { Number: { number: 2 } })
    expect(other.body['last_edited_time']).toBe(new Date(server.clock.now()).toISOString())
    expect(plainValues(other.body)['Edited']).toBe(other.body['last_edited_time'])
  })
})
