import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, readRow, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// Rules for both databases and data sources, or for the combination of them.

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const database = (id: string, body: object): Promise<TestResponse> =>
  server.owner.call('updateDatabase', { path: { database_id: id }, body })
const source = (id: string, body: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: id }, body })
const change = (id: string, properties: object): Promise<TestResponse> => source(id, { properties })
const made = (properties: object = {}): ReturnType<typeof makeDatabase> => makeDatabase(server.owner, parent, properties)
const viewsOf = async (query: Record<string, string>): Promise<string[]> =>
  resultsOf((await server.owner.call('listDatabaseViews', { query })).body).map(idOf)
const parentless = '0b8e6f0c-4f3e-4c55-9a0d-6f2c1c7d1e01'
const NAME = { Name: { title: {} } }

describe('rules of schemas', () => {
  it('200 with a table view for each data source, and a new one when a data source moves', async () => {
    const [here, there] = [await made(), await made()]
    const [first] = await viewsOf({ database_id: here.id })
    const view = await server.owner.call('retrieveView', { path: { view_id: String(first) } })
    expect(view.body).toMatchObject({ name: 'Default view', type: 'table', data_source_id: here.sourceId })
    const second = await server.owner.call('createDataSource', { body: { parent: { database_id: here.id }, properties: NAME } })
    expect(await viewsOf({ database_id: here.id })).toHaveLength(2)
    const before = await viewsOf({ data_source_id: idOf(second.body) })
    await source(idOf(second.body), { parent: { database_id: there.id } })
    expect(await viewsOf({ database_id: here.id })).toHaveLength(2)
    expect(await viewsOf({ database_id: there.id })).toHaveLength(2)
    expect(await viewsOf({ data_source_id: idOf(second.body) })).toStrictEqual(expect.arrayContaining(before))
  })

  it('200 for a member who creates a database at the top of the workspace; 404 for other members who retrieve it', async () => {
    const tokenOf = (personId: string): Promise<string> =>
      server.service.database
        .write((db) => createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId }, server.clock.now()))
        .then(({ token }) => token)
    const [tomas, aiko] = [
      server.caller(await tokenOf(exampleWorkspace.people[1].id)),
      server.caller(await tokenOf(exampleWorkspace.people[2].id)),
    ]
    const { body } = await tomas.call('createDatabase', { body: { parent: { workspace: true } } })
    const read = (caller: typeof tomas): Promise<TestResponse> =>
      caller.call('retrieveDatabase', { path: { database_id: idOf(body) } })
    expect((await read(tomas)).status).toBe(200)
    expectNotFound(await read(aiko), idOf(body))
  })

  it('200 for a schema change, which counts as an edit of data source and database, not of rows', async () => {
    const { id, sourceId } = await made()
    const row = await makeRow(server.owner, sourceId)
    const writer = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [parent] })
    server.clock.advance(1000)
    const now = new Date(server.clock.now()).toISOString()
    const { body } = await source(sourceId, { properties: { Hours: { number: {} } } }, writer.caller)
    expect(body).toMatchObject({ last_edited_time: now, last_edited_by: { id: writer.botId } })
    expect((await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body['last_edited_time']).toBe(now)
    expect((await readRow(server.owner, idOf(row)))['last_edited_time']).toBe(row['last_edited_time'])
  })

  it('200 for a removed property and its values, which a new property of the same name does not get back', async () => {
    const { sourceId } = await made({ Hours: { number: {} } })
    const row = await makeRow(server.owner, sourceId, { Hours: { number: 4 } })
    const before = (await columnsOf(server.owner, sourceId))['Hours']?.['id']
    await change(sourceId, { Hours: null })
    expect(Object.keys(await valuesOf(server.owner, idOf(row)))).toStrictEqual(['Name'])
    await change(sourceId, { Hours: { number: {} } })
    expect((await columnsOf(server.owner, sourceId))['Hours']?.['id']).not.toBe(before)
    expect((await valuesOf(server.owner, idOf(row)))['Hours']).toBeNull()
  })

  it('200 for the next change of a row, which drops values of removed columns', async () => {
    const { sourceId } = await made({
      Hours: { number: {} },
      Text: { rich_text: {} },
      Kept: { number: {} },
      Hidden: { number: {} },
    })
    const values = { Hours: { number: 4 }, Text: { rich_text: [text('old words')] }, Kept: { number: 1 }, Hidden: { number: 7 } }
    const row = idOf(await makeRow(server.owner, sourceId, values))
    await change(sourceId, { Hours: null, Text: null, Hidden: { formula: { expression: '1' } } })
    await server.owner.call('updatePage', { path: { page_id: row }, body: { properties: { Kept: { number: 2 } } } })
    const stored = await server.service.database.read((db) =>
      db.get({ row_values: 'text' }, 'select row_values from pages where id = ?', row),
    )
    expect(Object.values(JSON.parse(stored?.row_values ?? '{}') as object).toSorted()).toStrictEqual([2, 7])
    await change(sourceId, { Hidden: { number: {} } })
    expect(await valuesOf(server.owner, row)).toMatchObject({ Kept: 2, Hidden: 7 })
  })

  it('200 for a column by name or by plain or percent-encoded id, preferring names', async () => {
    const { sourceId } = await made({ A: { number: {} }, B: { number: {} } })
    const id = String((await columnsOf(server.owner, sourceId))['A']?.['id'])
    await change(sourceId, { B: { name: id } })
    const byName = await makeRow(server.owner, sourceId, { [id]: { number: 1 } })
    expect(await valuesOf(server.owner, idOf(byName))).toMatchObject({ A: null, [id]: 1 })
    await change(sourceId, { [id]: { name: 'B' } })
    const encoded = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
    const byId = await makeRow(server.owner, sourceId, { [encoded]: { number: 2 } })
    expect(await valuesOf(server.owner, idOf(byId))).toMatchObject({ A: 2, B: null })
  })

  it.each(['object', 'archived', 'more'])('400 for %s as a member of the body', async (key) => {
    const { id, sourceId } = await shared()
    expectInvalid(await database(id, { [key]: null }), `body.${key}`)
    expectInvalid(await source(sourceId, { [key]: null }), `body.${key}`)
  })

  it.each<[string, object[], string]>([
    ['101 runs', Array.from({ length: 101 }, () => text('x')), 'title.length'],
    ['a run of 2001 characters', [text('x'.repeat(2001))], 'title[0].text.content.length'],
  ])('400 for a title of %s', async (_what, title, location) => {
    const { id, sourceId } = await shared()
    expectInvalid(await database(id, { title }), `body.${location}`)
    expectInvalid(await source(sourceId, { title }), `body.${location}`)
    const body = { parent: { database_id: id }, properties: NAME, title }
    expectInvalid(await server.owner.call('createDataSource', { body }), `body.${location}`)
  })

  it.each<[string, object, string]>([
    ['a description of 281 characters', { A: { description: 'x'.repeat(281) } }, 'A.description.length'],
    ['an empty name', { A: { name: '' } }, 'A.name.length'],
    ['two types of settings', { More: { url: {}, email: {} } }, 'More.email'],
    ['a type that differs from its settings', { A: { type: 'email', url: {} } }, 'A.type'],
    ['an unknown number format', { N: { number: { format: 'doubloon' } } }, 'N.number.format'],
    ['an unknown color', { K: { select: { options: [{ name: 'x', color: 'teal' }] } } }, 'K.select.options[0].color'],
    ['an option without id and name', { K: { select: { options: [{ color: 'red' }] } } }, 'K.select.options[0].name'],
    ['an option with a comma', { K: { select: { options: [{ name: 'a,b' }] } } }, 'K.select.options[0].name'],
    ['an empty option', { K: { select: { options: [{ name: '' }] } } }, 'K.select.options[0].name.length'],
    ['101 options', { K: { select: { options: many(101) } } }, 'K.select.options.length'],
    ['101 options of a status, existing ones included', { S: { status: { options: many(98) } } }, 'S.status.options.length'],
    ['an unknown option of a status', { S: { status: { options: [{ id: 'nope' }] } } }, 'S.status.options[0]'],
    [
      'another color of an option',
      { M: { multi_select: { options: [{ name: 'a', color: 'blue' }] } } },
      'M.multi_select.options[0].color',
    ],
    ['an invalid prefix', { U: { unique_id: { prefix: 'a b' } } }, 'U.unique_id.prefix'],
    ['a long prefix', { U: { unique_id: { prefix: 'x'.repeat(11) } } }, 'U.unique_id.prefix.length'],
    ['an unknown rollup function', { R: { rollup: { function: 'mode' } } }, 'R.rollup.function'],
    [
      'a rollup without a relation',
      { R: { rollup: { function: 'count', relation_property_name: 'A', rollup_property_name: 'A' } } },
      'R.rollup',
    ],
    ['a database id in a relation', { R: { relation: { database_id: parentless, single_property: {} } } }, 'R.relation'],
    ['a cycle of formulas', { F: formula('prop("G")'), G: formula('prop("F")') }, 'F.formula.expression'],
    ['an unknown function', { F: formula('1 + nope(2)') }, 'F.formula.expression'],
  ])('400, and no change, for a column change with %s', async (_what, properties, location) => {
    const { sourceId } = await shared()
    const before = await columnsOf(server.owner, sourceId)
    const response = await change(sourceId, { Good: { url: {} }, ...properties })
    expectError(response, 400, 'validation_error', `body.properties.${location}`)
    expect(await columnsOf(server.owner, sourceId)).toStrictEqual(before)
  })

  it.each(['', 'x'.repeat(2001)])('400 when a column name does not have 1 to 2000 characters: %j', async (name) => {
    const { id, sourceId } = await shared()
    expectInvalid(await change(sourceId, { [name]: { url: {} } }), 'body.properties')
    const body = { parent: { database_id: id }, properties: { ...NAME, [name]: { url: {} } } }
    expectInvalid(await server.owner.call('createDataSource', { body }), 'body.properties')
  })

  it('400 for a formula, naming the character at which parsing fails', async () => {
    const { sourceId } = await shared()
    expect((await change(sourceId, { F: formula('1 + nope(2)') })).body['message']).toMatch(/\b4\b|\b5\b/)
  })

  it("404 when a relation's data source is not shared", async () => {
    const { id, sourceId } = await made()
    const hidden = await makeDatabase(server.owner, await makePage(server.owner, 'Elsewhere'))
    const { caller } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [id] })
    const To = { relation: { data_source_id: hidden.sourceId, single_property: {} } }
    expectNotFound(await source(sourceId, { properties: { To } }, caller), hidden.sourceId)
  })

  it('400 when values of several columns change at once in many rows', async () => {
    const { sourceId } = await made({ A: { rich_text: {} }, B: { rich_text: {} } })
    await makeRow(server.owner, sourceId, { A: { rich_text: [text('1')] }, B: { rich_text: [text('2')] } })
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 125001 where id = ?', sourceId),
    )
    const both = { A: { number: {} }, B: { number: {} } }
    const response = await change(sourceId, both)
    expectInvalid(response, 'body.properties')
    expect(response.body['message']).toContain('125001 rows')
    expect((await columnsOf(server.owner, sourceId))['A']).toMatchObject({ type: 'rich_text' })
    for (const [name, config] of Object.entries(both)) expect((await change(sourceId, { [name]: config })).status).toBe(200)
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 125000 where id = ?', sourceId),
    )
    expect((await change(sourceId, { A: { url: {} }, B: { url: {} } })).status).toBe(200)
    expect(at((await columnsOf(server.owner, sourceId))['B'], 'type')).toBe('url')
  })
})

function formula(expression: string): object {
  return { formula: { expression } }
}

function many(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ name: `o${index}` }))
}

/** One database for all refused requests. */
let common: ReturnType<typeof makeDatabase> | undefined
function shared(): ReturnType<typeof makeDatabase> {
  return (common ??= made({
    A: { url: {} },
    N: { number: {} },
    K: { select: {} },
    M: { multi_select: { options: [{ name: 'a', color: 'red' }] } },
    S: { status: {} },
    U: { unique_id: {} },
  }))
}
