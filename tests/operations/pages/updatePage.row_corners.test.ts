import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues, valuesOf, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const made = (properties: object = {}, page = parent): Promise<MadeDatabase> => makeDatabase(server.owner, page, properties)
const oneWay = ({ sourceId }: MadeDatabase): object => ({ relation: { data_source_id: sourceId, single_property: {} } })
const links = (...ids: string[]): object => ({ relation: ids.map((id) => ({ id })) })
const create = ({ sourceId }: MadeDatabase, properties: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('createPage', { body: { parent: { data_source_id: sourceId }, properties } })
const update = (id: string, properties: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePage', { path: { page_id: id }, body: { properties } })
const move = (id: string, { sourceId }: MadeDatabase): Promise<TestResponse> =>
  server.owner.call('movePage', { path: { page_id: id }, body: { parent: { data_source_id: sourceId } } })
const query = async ({ sourceId }: MadeDatabase, filter: object): Promise<string[]> =>
  resultsOf((await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: { filter } })).body).map(idOf)
const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

async function makeTemplate({ sourceId }: MadeDatabase, properties: object): Promise<string> {
  const id = idOf(await makeRow(server.owner, sourceId, properties))
  await server.service.database.write((db) =>
    insertTemplate(db, exampleWorkspace.workspace.id, sourceId, { id, isDefault: false, createdTime: server.clock.now() }),
  )
  return id
}

describe('updatePage: written values', () => {
  it('400 when one property is given by its name and its id', async () => {
    const jobs = await made({ Hours: { number: {} } })
    const id = String((await columnsOf(server.owner, jobs.sourceId))['Hours']?.['id'])
    expectInvalid(await create(jobs, { Hours: { number: 1 }, [id]: { number: 2 } }), `body.properties.${id}`)
  })

  it('200 with several new options in one value, even if one is named twice', async () => {
    const jobs = await made({ Tags: { multi_select: {} } })
    const { body } = await create(jobs, { Tags: { multi_select: ['hull', 'mast', 'hull'].map((name) => ({ name })) } })
    expect(plainValues(body)['Tags']).toMatchObject([{ name: 'hull' }, { name: 'mast' }])
    expect(at((await columnsOf(server.owner, jobs.sourceId))['Tags'], 'multi_select', 'options')).toHaveLength(2)
  })

  it('400 for the 101st option, and for options beyond a schema of 50 KB', async () => {
    const full = await made({ Kind: { select: { options: times(100).map((index) => ({ name: `o${index}` })) } } })
    expectInvalid(await create(full, { Kind: { select: { name: 'one more' } } }), 'body.properties.Kind.select.name')
    expect((await create(full, { Kind: { select: { name: 'o99' } } })).status).toBe(200)
    const described = times(135).map((index) => [`c${index}`, { url: {}, description: 'x'.repeat(280) }] as const)
    const large = await made({ Tags: { multi_select: {} }, ...Object.fromEntries(described) })
    const names = times(60).map((index) => ({ name: `${index}`.padEnd(80, 'x') }))
    expectInvalid(await create(large, { Tags: { multi_select: names } }), 'body.properties')
    expect((await create(large, { Tags: { multi_select: names.slice(0, 3) } })).status).toBe(200)
  })

  it('200 for a new option, which counts as an edit of data source and database', async () => {
    const jobs = await made({ Kind: { select: {} } })
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    await create(jobs, { Kind: { select: { name: 'hull' } } })
    const { body: database } = await server.owner.call('retrieveDatabase', { path: { database_id: jobs.id } })
    const { body: source } = await server.owner.call('retrieveDataSource', { path: { data_source_id: jobs.sourceId } })
    for (const { last_edited_time: edited } of [database, source]) expect(Date.parse(String(edited))).toBeGreaterThan(before)
  })

  it('200 for a caller who cannot see a relation, with the values of that relation kept', async () => {
    const hidden = await made({}, await makePage(server.owner, 'Elsewhere'))
    const jobs = await made({ To: oneWay(hidden), Kind: { select: {} }, Hours: { number: {} } })
    const to = idOf(await makeRow(server.owner, hidden.sourceId))
    const job = idOf(await makeRow(server.owner, jobs.sourceId, { To: links(to) }))
    const guest = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [jobs.id] })
    expect((await update(job, { Kind: { select: { name: 'new' } }, Hours: { number: 3 } }, guest.caller)).status).toBe(200)
    expect(await valuesOf(server.owner, job)).toMatchObject({ To: [{ id: to }], Kind: { name: 'new' }, Hours: 3 })
    expect(await query(jobs, { property: 'To', relation: { contains: to } })).toStrictEqual([job])
  })

  it('200 after which queryDataSource finds the new title, and not the old one', async () => {
    const jobs = await made()
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { Name: { title: [text('Paint')] } }))
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    const { body } = await update(row, { Name: { title: [text('Caulk')] } })
    expect(Date.parse(String(body['last_edited_time']))).toBeGreaterThan(before)
    expect(await query(jobs, { property: 'Name', title: { equals: 'Caulk' } })).toStrictEqual([row])
    expect(await query(jobs, { property: 'Name', title: { equals: 'Paint' } })).toStrictEqual([])
  })

  it('200 for a title that contains only a mention, which counts as not empty', async () => {
    const jobs = await made()
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { Name: { title: [{ mention: { page: { id: parent } } }] } }))
    expect(await query(jobs, { property: 'Name', title: { is_not_empty: true } })).toStrictEqual([row])
    expect(await query(jobs, { property: 'Name', title: { is_empty: true } })).toStrictEqual([])
  })
})

describe('names and computed values in rows', () => {
  it('200 with the names of last editor and verifier', async () => {
    const jobs = await made({ Editor: { last_edited_by: {} }, Ok: { verification: {} }, Hours: { number: {} } })
    const [edited, verified] = [
      idOf(await makeRow(server.owner, jobs.sourceId)),
      idOf(await makeRow(server.owner, jobs.sourceId)),
    ]
    const { id, name } = exampleWorkspace.people[1]
    const member = await makeMember(server, id)
    expect((await update(edited, { Hours: { number: 1 } }, member)).status).toBe(200)
    expect((await valuesOf(server.owner, edited))['Editor']).toMatchObject({ id, name })
    expect((await update(verified, { Ok: { verification: { state: 'verified' } } }, member)).status).toBe(200)
    await update(verified, { Hours: { number: 2 } })
    expect((await valuesOf(server.owner, verified))['Ok']).toMatchObject({ state: 'verified', verified_by: { id, name } })
  })

  it('200 with a formula of a unique number, and a rollup that counts completed rows', async () => {
    const jobs = await made({
      Id: { unique_id: { prefix: 'JOB' } },
      Stage: { status: {} },
      Text: { formula: { expression: 'prop("Id")' } },
    })
    const To = oneWay(jobs)
    await server.owner.call('updateDataSource', { path: { data_source_id: jobs.sourceId }, body: { properties: { To } } })
    const Done = { rollup: { function: 'count_per_group', relation_property_name: 'To', rollup_property_name: 'Stage' } }
    await server.owner.call('updateDataSource', { path: { data_source_id: jobs.sourceId }, body: { properties: { Done } } })
    const stages = ['Done', 'Not started', 'Done'].map((name) =>
      makeRow(server.owner, jobs.sourceId, { Stage: { status: { name } } }),
    )
    const ids = (await Promise.all(stages)).map(idOf)
    const row = await makeRow(server.owner, jobs.sourceId, { To: links(...ids) })
    expect(plainValues(row)).toMatchObject({ Text: { string: 'JOB-4' }, Done: { number: 2 } })
  })

  it('200 with a rollup over the rows visible to the member, or `unsupported` once its function does not fit the property', async () => {
    const jobs = await made({ Hours: { number: {} } })
    const change = (properties: object): Promise<TestResponse> =>
      server.owner.call('updateDataSource', { path: { data_source_id: jobs.sourceId }, body: { properties } })
    await change({ To: oneWay(jobs) })
    await change({ Sum: { rollup: { function: 'sum', relation_property_name: 'To', rollup_property_name: 'Hours' } } })
    const hours = (number: number): Promise<JsonObject> => makeRow(server.owner, jobs.sourceId, { Hours: { number } })
    const [open, closed] = [idOf(await hours(3)), idOf(await hours(5))]
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { To: links(open, closed) }))
    const { id } = exampleWorkspace.people[1]
    const member = await makeMember(server, id)
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, closed, id, 'none', 1))
    expect((await valuesOf(member, row))['Sum']).toMatchObject({ number: 3 })
    expect((await valuesOf(server.owner, row))['Sum']).toMatchObject({ number: 8 })
    await change({ Hours: { url: {} } })
    await change({ More: { formula: { expression: 'prop("Sum") + 1' } } })
    const { Sum, More } = await valuesOf(server.owner, row)
    expect(Sum).toStrictEqual({ type: 'unsupported', unsupported: {}, function: 'sum' })
    expect(More).toStrictEqual({ type: 'unsupported', unsupported: {} })
  })

  it('200 with a row found by the text of an equation', async () => {
    const jobs = await made({ Note: { rich_text: {} } })
    const Note = { rich_text: [{ equation: { expression: 'E = mc^2' } }] }
    const row = idOf(await makeRow(server.owner, jobs.sourceId, { Note }))
    expect(await query(jobs, { property: 'Note', rich_text: { contains: 'mc^2' } })).toStrictEqual([row])
    expect(await query(jobs, { property: 'Note', rich_text: { is_empty: true } })).toStrictEqual([])
  })
})

describe('queryDataSource: dates', () => {
  it('200 sorted by the end for two dates with the same start', async () => {
    const jobs = await made({ When: { date: {} }, Span: { formula: { expression: 'prop("When")' } } })
    const [long, short] = await Promise.all(
      ['2026-05-09', '2026-05-03'].map((end) =>
        makeRow(server.owner, jobs.sourceId, { When: { date: { start: '2026-05-02', end } } }),
      ),
    )
    const ordered = async (property: string, direction: string): Promise<string[]> => {
      const body = { sorts: [{ property, direction }] }
      const response = await server.owner.call('queryDataSource', { path: { data_source_id: jobs.sourceId }, body })
      return resultsOf(response.body).map(idOf)
    }
    for (const property of ['When', 'Span']) {
      expect(await ordered(property, 'ascending')).toStrictEqual([idOf(short), idOf(long)])
      expect(await ordered(property, 'descending')).toStrictEqual([idOf(long), idOf(short)])
    }
  })
})

describe('movePage to another data source', () => {
  it('200 with links kept when the relation has the same target, and the other side updated', async () => {
    const [boats, yards] = [await made(), await made()]
    const pair = (name: string): object => ({
      relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: name } },
    })
    const jobs = await made({ Boat: pair('Jobs'), Yard: oneWay(yards), Hours: { number: {} } })
    const done = await made({ Boat: pair('Done'), Yard: oneWay(boats), Hours: { rich_text: {} } })
    const [boat, yard] = [idOf(await makeRow(server.owner, boats.sourceId)), idOf(await makeRow(server.owner, yards.sourceId))]
    const values = { Boat: links(boat), Yard: links(yard), Hours: { number: 8 } }
    const row = idOf(await makeRow(server.owner, jobs.sourceId, values))
    expect((await move(row, done)).status).toBe(200)
    expect(await valuesOf(server.owner, row)).toMatchObject({ Boat: [{ id: boat }], Yard: [], Hours: [] })
    expect(await valuesOf(server.owner, boat)).toMatchObject({ Jobs: [], Done: [{ id: row }] })
    expect(await query(done, { property: 'Boat', relation: { contains: boat } })).toStrictEqual([row])
    expect(await query(jobs, { property: 'Hours', number: { is_not_empty: true } })).toStrictEqual([])
  })

  it('200 for a moved row that is the last within the limit, and 406 for a new row beyond it', async () => {
    const [jobs, other] = [await made(), await made()]
    const row = idOf(await makeRow(server.owner, other.sourceId))
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 249999 where id = ?', jobs.sourceId),
    )
    expect((await move(row, jobs)).status).toBe(200)
    expectError(await create(jobs, {}), 406, 'row_limit_exceeded', jobs.sourceId)
  })
})

it('createPage: 400 when the parent database is in the trash, with that reason', async () => {
  const { id, sourceId } = await made()
  await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { in_trash: true } })
  await server.owner.call('deleteBlock', { path: { block_id: id } })
  const response = await server.owner.call('createPage', { body: { parent: { database_id: id }, properties: {} } })
  expectInvalid(response, 'body.parent')
  expect(response.body['message']).toContain('trash')
})

describe('templates of rows', () => {
  it('200 without templates in the trash, which are listed again when restored', async () => {
    const jobs = await made()
    const template = await makeTemplate(jobs, {})
    const path = { data_source_id: jobs.sourceId }
    const listed = async (): Promise<string[]> =>
      resultsOf((await server.owner.call('listDataSourceTemplates', { path })).body).map(idOf)
    for (const in_trash of [true, false]) {
      await server.owner.call('updatePage', { path: { page_id: template }, body: { in_trash } })
      expect(await listed()).toStrictEqual(in_trash ? [] : [template])
    }
  })

  it('200 from retrievePageProperty with the links of a template', async () => {
    const boats = await made()
    const jobs = await made({ Boat: oneWay(boats) })
    const boat = idOf(await makeRow(server.owner, boats.sourceId))
    const template = await makeTemplate(jobs, { Boat: links(boat) })
    const property = String((await columnsOf(server.owner, jobs.sourceId))['Boat']?.['id'])
    const { body } = await server.owner.call('retrievePageProperty', { path: { page_id: template, property_id: property } })
    expect(resultsOf(body)).toMatchObject([{ type: 'relation', relation: { id: boat } }])
  })

  it('200 with only those links of the template that the member can see', async () => {
    const boats = await made()
    const jobs = await made({ Boat: oneWay(boats), Hours: { number: {} } })
    const [open, closed] = [idOf(await makeRow(server.owner, boats.sourceId)), idOf(await makeRow(server.owner, boats.sourceId))]
    const template = await makeTemplate(jobs, { Boat: links(closed, open), Hours: { number: 8 }, Name: { title: [text('T')] } })
    const person = exampleWorkspace.people[1].id
    const member: Caller = await makeMember(server, person)
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, closed, person, 'none', 1))
    const chosen = { template: { type: 'template_id', template_id: template } }
    const row: JsonObject = await makeRow(member, jobs.sourceId, {}, chosen)
    const values = await until(async () => {
      const read = await valuesOf(server.owner, idOf(row))
      return read['Hours'] === null ? undefined : read
    })
    expect(values['Boat']).toStrictEqual([{ id: open }])
  })
})
