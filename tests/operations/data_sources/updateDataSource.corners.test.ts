import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const made = (properties: object = {}, page = parent): Promise<MadeDatabase> => makeDatabase(server.owner, page, properties)
const changeColumns = ({ sourceId }: MadeDatabase, properties: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties } })
const update = (id: string, body: object): Promise<TestResponse> =>
  server.owner.call('updatePage', { path: { page_id: id }, body })
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

async function change(of: MadeDatabase, properties: object): Promise<void> {
  const { status, text: response } = await changeColumns(of, properties)
  expect(status, response).toBe(200)
}

async function column({ sourceId }: MadeDatabase, name: string): Promise<JsonObject> {
  return (await columnsOf(server.owner, sourceId))[name] ?? {}
}

/** Names of the options in each group of a status, in order. */
async function groupsOf(of: MadeDatabase, name: string): Promise<string[][]> {
  const { options, groups } = (await column(of, name))['status'] as JsonObject
  const names = new Map((options as JsonObject[]).map((option) => [option['id'], String(option['name'])]))
  return (groups as JsonObject[]).map(({ option_ids: ids }) => (ids as string[]).map((id) => names.get(id) ?? ''))
}

async function query({ sourceId }: MadeDatabase, filter: object): Promise<string[]> {
  const { body } = await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: { filter } })
  return resultsOf(body).map(idOf)
}

describe('updateDataSource: options', () => {
  it('400 when a status option gets the name of another one, and 200 when it keeps its own name', async () => {
    const jobs = await made({ Stage: { status: {} } })
    const [first, , last] = at(await column(jobs, 'Stage'), 'status', 'options') as JsonObject[]
    const rename = (id: unknown, name: string): Promise<TestResponse> =>
      changeColumns(jobs, { Stage: { status: { options: [{ id, name }] } } })
    expectInvalid(await rename(last?.['id'], 'Not started'), 'body.properties.Stage.status.options[0].name')
    expect((await rename(last?.['id'], 'Finished')).status).toBe(200)
    expect((await rename(first?.['id'], 'Not started')).status).toBe(200)
    expect(await groupsOf(jobs, 'Stage')).toStrictEqual([['Not started'], ['In progress'], ['Finished']])
  })

  it('400 for more than a hundred status options, counting old and new ones', async () => {
    const jobs = await made({ Stage: { status: {} } })
    const add = (from: number, count: number): Promise<TestResponse> =>
      changeColumns(jobs, { Stage: { status: { options: times(count).map((index) => ({ name: `o${from + index}` })) } } })
    expect((await add(0, 97)).status).toBe(200)
    expectInvalid(await add(97, 1), 'body.properties.Stage.status.options.length')
  })

  it('200 with entries of option_ids matched by id before name, unless an option names a group itself', async () => {
    const jobs = await made({ Stage: { status: { options: [{ name: 'a', group: 'To-do' }] } } })
    const id = String(at(await column(jobs, 'Stage'), 'status', 'options', 0, 'id'))
    await change(jobs, {
      Stage: {
        status: {
          options: [{ name: id }, { name: 'c', group: 'In progress' }],
          groups: [{ name: 'Complete', option_ids: [id, 'c'] }],
        },
      },
    })
    expect(await groupsOf(jobs, 'Stage')).toStrictEqual([[id], ['c'], ['a']])
  })

  it('200 with a deleted option also removed from rows that are restored from the trash', async () => {
    const jobs = await made({ Tags: { multi_select: { options: [{ name: 'hull' }] } } })
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { Tags: { multi_select: [{ name: 'hull' }] } }))
    await update(row, { in_trash: true })
    await change(jobs, { Tags: { multi_select: { options: [] } } })
    await update(row, { in_trash: false })
    expect((await valuesOf(server.owner, row))['Tags']).toStrictEqual([])
    expect(await query(jobs, { property: 'Tags', multi_select: { is_not_empty: true } })).toStrictEqual([])
  })
})

describe('updateDataSource: columns whose type changes', () => {
  const formula = { formula: { expression: '1' } }

  it('200 with the former values after several computed types, and with the settings of the last change', async () => {
    const jobs = await made({ A: { number: {} }, B: { number: {} }, To: { checkbox: {} } })
    await change(jobs, { To: { relation: { data_source_id: jobs.sourceId, single_property: {} } } })
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { A: { number: 5 }, B: { number: 7 } }))
    await change(jobs, { A: formula })
    await change(jobs, { A: { created_time: {} } })
    await change(jobs, {
      B: { rollup: { function: 'count', relation_property_name: 'To', rollup_property_name: 'Name' } },
    })
    await change(jobs, { A: { number: { format: 'euro' } }, B: { number: {} } })
    expect(await valuesOf(server.owner, row)).toMatchObject({ A: 5, B: 7 })
    expect((await column(jobs, 'A'))['number']).toStrictEqual({ format: 'euro' })
    expect(await query(jobs, { property: 'B', number: { equals: 7 } })).toStrictEqual([row])
  })

  it('200 with values converted even in rows that are in the trash', async () => {
    const jobs = await made({ A: { rich_text: {} } })
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { A: { rich_text: [text('12')] } }))
    await update(row, { in_trash: true })
    await change(jobs, { A: { number: {} } })
    await update(row, { in_trash: false })
    expect((await valuesOf(server.owner, row))['A']).toBe(12)
    expect(await query(jobs, { property: 'A', number: { equals: 12 } })).toStrictEqual([row])
  })

  it('200 with up to a hundred options, of up to a hundred characters, created from texts', async () => {
    const options = times(99).map((index) => ({ name: `o${index}` }))
    const jobs = await made({ A: { rich_text: {} }, B: { select: { options } } })
    const long = 'x'.repeat(101)
    const rows = [long, 'more'].map((content) => makeRow(server.owner, jobs.sourceId, { A: { rich_text: [text(content)] } }))
    const [first, second] = (await Promise.all(rows)).map(idOf)
    await change(jobs, { A: { select: { options } } })
    const values = [await valuesOf(server.owner, first ?? ''), await valuesOf(server.owner, second ?? '')].map(({ A }) => A)
    expect(at(await column(jobs, 'A'), 'select', 'options')).toHaveLength(100)
    expect(values.filter((value) => value === null)).toHaveLength(1)
    const kept = await made({ A: { rich_text: {} } })
    const row = idOf(await makeRow(server.owner, kept.sourceId, { A: { rich_text: [text(long)] } }))
    await change(kept, { A: { select: {} } })
    expect((await valuesOf(server.owner, row))['A']).toMatchObject({ name: 'x'.repeat(100) })
  })

  it('200 with related pages converted to the titles that the caller can see', async () => {
    const boats = await made()
    const [open, closed] = await Promise.all(
      ['Heron', 'Secret'].map((name) => makeRow(server.owner, boats.sourceId, { Name: [text(name)] })),
    )
    const jobs = await made({ Boat: { relation: { data_source_id: boats.sourceId, single_property: {} } } })
    const relation = [open, closed].map((page) => ({ id: idOf(page) }))
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { Boat: { relation } }))
    const person = exampleWorkspace.people[1].id
    const member = await makeMember(server, person)
    await server.service.database.write((db) =>
      setMemberAccess(db, exampleWorkspace.workspace.id, idOf(closed), person, 'none', 1),
    )
    expect((await changeColumns(jobs, { Boat: { url: {} } }, member)).status).toBe(200)
    expect((await valuesOf(server.owner, row))['Boat']).toBe('Heron')
  })

  it('400 for a second column of unique ids; 200 with numbering that continues after the first one has another type', async () => {
    const jobs = await made({ Id: { unique_id: { prefix: 'job' } }, Text: { rich_text: {} } })
    const row = idOf(await makeRow(server.owner, jobs.sourceId))
    expectInvalid(await changeColumns(jobs, { Text: { unique_id: {} } }), 'body.properties.Text')
    await change(jobs, { Id: { unique_id: { prefix: 'task' } } })
    expect((await valuesOf(server.owner, row))['Id']).toStrictEqual({ prefix: 'TASK', number: 1 })
    await change(jobs, { Id: { url: {} } })
    expect((await valuesOf(server.owner, row))['Id']).toBe('TASK-1')
    const template = idOf(await makeRow(server.owner, jobs.sourceId))
    await server.service.database.write((db) =>
      insertTemplate(db, exampleWorkspace.workspace.id, jobs.sourceId, { id: template, isDefault: false, createdTime: 1 }),
    )
    await change(jobs, { Text: { unique_id: {} } })
    expect((await valuesOf(server.owner, row))['Text']).toStrictEqual({ prefix: null, number: 2 })
    expect((await valuesOf(server.owner, template))['Text']).toStrictEqual({ prefix: null, number: null })
  })
})

describe('updateDataSource: the schema as a whole', () => {
  it('400 when the opposite property would exceed the schema limits of the target', async () => {
    const full = await made(Object.fromEntries(times(499).map((index) => [`c${index}`, { url: {} }])))
    const jobs = await made()
    const To = { relation: { data_source_id: full.sourceId, dual_property: {} } }
    expectInvalid(await changeColumns(jobs, { To }), 'body.properties')
    expect(await column(jobs, 'To')).toStrictEqual({})
    await change(full, { c0: null })
    await change(jobs, { To })
  })

  it('200 for a new column beside hidden ones, and for an opposite, which counts as an edit of the other database', async () => {
    const hidden = await made({}, await makePage(server.owner, 'Elsewhere'))
    const jobs = await made({ Hidden: { relation: { data_source_id: hidden.sourceId, single_property: {} } } })
    const guest = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [jobs.id] })
    const response = await changeColumns(jobs, { Mine: { url: {} } }, guest.caller)
    expect(response.body['properties']).toHaveProperty('Mine')
    expect(Object.keys(await columnsOf(server.owner, jobs.sourceId))).toStrictEqual(['Name', 'Hidden', 'Mine'])
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    await change(jobs, { Hidden: { relation: { dual_property: {} } } })
    const { body } = await server.owner.call('retrieveDatabase', { path: { database_id: hidden.id } })
    expect(Date.parse(String(body['last_edited_time']))).toBeGreaterThan(before)
  })

  it('400 when a rollup makes formulas depend on themselves', async () => {
    const jobs = await made()
    await change(jobs, { To: { relation: { data_source_id: jobs.sourceId, single_property: {} } }, N: { number: {} } })
    const roll = (name: string): object => ({
      rollup: { function: 'count', relation_property_name: 'To', rollup_property_name: name },
    })
    await change(jobs, { Count: roll('N') })
    await change(jobs, { F: { formula: { expression: 'prop("Count") + 1' } } })
    expect((await changeColumns(jobs, { Count: roll('F') })).status).toBe(400)
    expect(at(await column(jobs, 'Count'), 'rollup', 'rollup_property_name')).toBe('N')
  })
})

describe('updateDataSource: many rows', () => {
  it('400 when several relations change their target at once', async () => {
    const [boats, yards] = [await made(), await made()]
    const to = ({ sourceId }: MadeDatabase): object => ({ relation: { data_source_id: sourceId, single_property: {} } })
    const jobs = await made({ A: to(boats), B: to(boats) })
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 125001 where id = ?', jobs.sourceId),
    )
    expectInvalid(await changeColumns(jobs, { A: to(yards), B: to(yards) }), 'body.properties')
    await change(jobs, { A: to(yards) })
  })
})

describe('updateDataSource and updateDatabase: moves', () => {
  const source = ({ sourceId }: MadeDatabase, body: object): Promise<TestResponse> =>
    server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
  const edited = async ({ id }: MadeDatabase): Promise<number> =>
    Date.parse(String((await server.owner.call('retrieveDatabase', { path: { database_id: id } })).body['last_edited_time']))

  it('400 when a data source moves into a database below one of its own rows', async () => {
    const jobs = await made()
    const inside = await made({}, idOf(await makeRow(server.owner, jobs.sourceId)))
    expectInvalid(await source(jobs, { parent: { database_id: inside.id } }), 'body.parent.database_id')
  })

  it('200 for a move or a shared title, which count as edits of the databases involved', async () => {
    const [from, to] = [await made(), await made()]
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    await source(from, { title: [text('Renamed')] })
    expect(await edited(from)).toBeGreaterThan(before)
    const between = server.clock.now()
    server.clock.advance(3_600_000)
    expect((await source(from, { parent: { database_id: to.id } })).status).toBe(200)
    for (const database of [from, to]) expect(await edited(database)).toBeGreaterThan(between)
  })

  it('200 with the data sources of a trashed database, even one that was trashed earlier', async () => {
    const jobs = await made()
    const named = async (): Promise<unknown> =>
      (await server.owner.call('retrieveDatabase', { path: { database_id: jobs.id } })).body['data_sources']
    await source(jobs, { in_trash: true })
    expect(await named()).toStrictEqual([])
    await server.owner.call('deleteBlock', { path: { block_id: jobs.id } })
    expect(await named()).toMatchObject([{ id: jobs.sourceId }])
  })

  it('200 for a member who moves a database to the top of the workspace; 404 for other members who then retrieve it', async () => {
    const [mover, other] = [
      await makeMember(server, exampleWorkspace.people[1].id),
      await makeMember(server, exampleWorkspace.people[2].id),
    ]
    const { id } = await made()
    const read = async (caller: typeof mover): Promise<number> =>
      (await caller.call('retrieveDatabase', { path: { database_id: id } })).status
    expect([await read(mover), await read(other)]).toStrictEqual([200, 200])
    const body = { parent: { type: 'workspace', workspace: true } }
    const response = await mover.call('updateDatabase', { path: { database_id: id }, body })
    expect(response.status, response.text).toBe(200)
    expect([await read(mover), await read(other)]).toStrictEqual([200, 404])
  })

  it('400 for a change of a data source or database below a trashed page', async () => {
    const page = await makePage(server.owner, 'Goes')
    const jobs = await made({}, page)
    await update(page, { in_trash: true })
    for (const response of [
      await source(jobs, { title: [text('x')] }),
      await server.owner.call('updateDatabase', { path: { database_id: jobs.id }, body: { title: [text('x')] } }),
    ])
      expect(response.status, response.text).toBe(400)
  })

  it('200 with a separate title for a database with two data sources; a move counts as an edit of both pages', async () => {
    const [from, to] = [await makePage(server.owner, 'From'), await makePage(server.owner, 'To')]
    const jobs = await made({}, from)
    const database = (body: object): Promise<TestResponse> =>
      server.owner.call('updateDatabase', { path: { database_id: jobs.id }, body })
    await server.owner.call('createDataSource', {
      body: { parent: { database_id: jobs.id }, properties: { Name: { title: {} } } },
    })
    await database({ title: [text('Yard')] })
    const { body } = await server.owner.call('retrieveDataSource', { path: { data_source_id: jobs.sourceId } })
    expect(at(body, 'title', 0, 'plain_text')).toBe('Repairs')
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    await database({ parent: { page_id: to } })
    for (const id of [from, to]) {
      const page = await server.owner.call('retrievePage', { path: { page_id: id } })
      expect(Date.parse(String(page.body['last_edited_time']))).toBeGreaterThan(before)
    }
  })
})
