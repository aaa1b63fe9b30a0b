import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { Answer } from '../../harness/answers.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import {
  columnsOf,
  makeDatabase,
  makeRow,
  plainValues,
  readRow,
  valuesOf,
  type MadeDatabase,
} from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

let server: TestServer
let parent: string
let parts: MadeDatabase
let jobs: MadeDatabase
let job: string
const stock = Array.from({ length: 30 }, (_, index) => index)
beforeAll(async () => {
  server = await startTestServer()
  parent = await makePage(server.owner, 'Parent')
  parts = await makeDatabase(server.owner, parent, { Stock: { number: {} } })
  const roll = (name: string, rolled = 'Stock'): object => ({
    rollup: { function: name, relation_property_name: 'Parts', rollup_property_name: rolled },
  })
  jobs = await makeDatabase(server.owner, parent, {
    Note: { rich_text: {} },
    Who: { people: {} },
    Kind: { multi_select: {} },
    Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
    Sum: roll('sum'),
    Original: roll('show_original', 'Name'),
    Median: roll('median'),
    Double: { formula: { expression: 'prop("Sum") * 2' } },
    Site: { location: {} },
  })
  const rows: JsonObject[] = []
  for (const number of stock)
    rows.push(await makeRow(server.owner, parts.sourceId, { Name: [text(`P${number}`)], Stock: { number } }))
  job = idOf(
    await makeRow(server.owner, jobs.sourceId, {
      Note: { rich_text: [text('a'), text('b')] },
      Who: { people: [{ id: story.people[1].id }] },
      Kind: { multi_select: [{ name: 'x' }] },
      Parts: { relation: rows.map((row) => ({ id: idOf(row) })) },
    }),
  )
})
afterAll(() => server.stop())

const item = async (name: string, query: Record<string, string | number> = {}): Promise<Answer> => {
  const id = (await columnsOf(server.owner, jobs.sourceId))[name]?.['id']
  return server.owner.call('retrievePageProperty', { path: { page_id: job, property_id: String(id) }, query })
}

describe('retrievePageProperty of rows', () => {
  it('200 lists of texts, people and links, complete and page by page', async () => {
    expect((await item('Note')).body).toMatchObject({
      type: 'property_item',
      results: [{ type: 'rich_text', rich_text: readText('a') }, { rich_text: readText('b') }],
      property_item: { type: 'rich_text', rich_text: {}, next_url: null },
    })
    expect(resultsOf((await item('Who')).body)).toMatchObject([{ type: 'people', people: { id: story.people[1].id } }])
    expect(resultsOf((await item('Name')).body)).toStrictEqual([])
    const first = await item('Parts', { page_size: 20 })
    expect(first.body).toMatchObject({ has_more: true, property_item: { type: 'relation', relation: {} } })
    const rest = await item('Parts', { page_size: 20, start_cursor: String(first.body['next_cursor']) })
    expect(resultsOf(first.body)).toHaveLength(20)
    expect(resultsOf(rest.body)).toHaveLength(10)
    expectInvalid(await item('Sum', { start_cursor: String(first.body['next_cursor']) }), 'query.start_cursor')
  })

  it('200 a value of one piece is a single item', async () => {
    expect((await item('Kind')).body).toMatchObject({
      object: 'property_item',
      type: 'multi_select',
      multi_select: [{ name: 'x' }],
    })
    expect((await item('Double')).body).toMatchObject({ type: 'formula', formula: { type: 'number', number: 870 } })
  })

  it('200 rollups: results on the last page, values one by one, some not given', async () => {
    const first = await item('Sum', { page_size: 20 })
    expect(at(first.body, 'property_item', 'rollup')).toStrictEqual({ type: 'incomplete', incomplete: {}, function: 'sum' })
    const rest = await item('Sum', { page_size: 20, start_cursor: String(first.body['next_cursor']) })
    expect(at(rest.body, 'property_item', 'rollup')).toStrictEqual({ type: 'number', number: 435, function: 'sum' })
    expect(resultsOf(rest.body)[0]).toMatchObject({ type: 'relation', relation: {} })
    const original = await item('Original', { page_size: 2 })
    expect(at(original.body, 'property_item', 'rollup')).toStrictEqual({ type: 'array', array: [], function: 'show_original' })
    expect(resultsOf(original.body)).toMatchObject([
      { id: 'title', type: 'title', title: readText('P0') },
      { title: readText('P1') },
    ])
    expect(at((await item('Median')).body, 'property_item', 'rollup')).toStrictEqual({
      type: 'unsupported',
      unsupported: {},
      function: 'median',
    })
  })

  it('404 a property that the page does not have', async () => {
    const path = { page_id: job, property_id: 'nope' }
    expectNotFound(await server.owner.call('retrievePageProperty', { path }), 'nope')
  })
})

describe('movePage of rows', () => {
  it('200 values go along where name and type are the same; to a page only the title', async () => {
    const other = await makeDatabase(server.owner, parent, {
      Kind: { multi_select: { options: [{ name: 'x', color: 'red' }] } },
      Stage: { status: {} },
      Sum: { number: {} },
    })
    const row = idOf(
      await makeRow(server.owner, jobs.sourceId, { Name: [text('Wander')], Kind: { multi_select: [{ name: 'x' }] } }),
    )
    const move = (to: object): Promise<Answer> => server.owner.call('movePage', { path: { page_id: row }, body: { parent: to } })
    const { body } = await move({ data_source_id: other.sourceId })
    expect(body['parent']).toMatchObject({ data_source_id: other.sourceId, database_id: other.id })
    expect(plainValues(body)).toMatchObject({
      Name: [readText('Wander')],
      Kind: [{ name: 'x', color: 'red' }],
      Stage: { name: 'Not started' },
      Sum: null,
    })
    expect((await move({ page_id: parent })).body['properties']).toStrictEqual({
      title: { id: 'title', type: 'title', title: [readText('Wander')] },
    })
    expect((await move({ page_id: other.id })).body['parent']).toMatchObject({ data_source_id: other.sourceId })
    expect((await valuesOf(server.owner, row))['Kind']).toStrictEqual([])
    expectNotFound(await move({ data_source_id: other.id }), other.id)
    const inside = await makeDatabase(server.owner, row)
    expectError(await move({ data_source_id: inside.sourceId }), 400, 'validation_error', 'body.parent.data_source_id')
    expectInvalid(await move({ page_id: inside.id }), 'body.parent.page_id')
    const another = { parent: { database_id: other.id }, properties: { Name: { title: {} } } }
    const second = idOf((await server.owner.call('createDataSource', { body: another })).body)
    const several = await move({ page_id: other.id })
    expectError(several, 400, 'validation_error')
    expect(several.body['additional_data']).toMatchObject({ child_data_source_ids: [other.sourceId, second] })
  })

  it('406 a full data source takes no more rows, but its own may be moved where they are', async () => {
    const full = await makeDatabase(server.owner, parent)
    const own = idOf(await makeRow(server.owner, full.sourceId))
    const [page, row] = [await makePage(server.owner, 'Stays out'), idOf(await makeRow(server.owner, parts.sourceId))]
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 250000 where id = ?', full.sourceId),
    )
    const before = await readRow(server.owner, row)
    for (const id of [page, row])
      for (const parent of [{ data_source_id: full.sourceId }, { page_id: full.id }]) {
        const answer = await server.owner.call('movePage', { path: { page_id: id }, body: { parent } })
        expectError(answer, 406, 'row_limit_exceeded', full.sourceId)
      }
    expect({ ...(await readRow(server.owner, row)), request_id: null }).toStrictEqual({ ...before, request_id: null })
    const same = { path: { page_id: own }, body: { parent: { data_source_id: full.sourceId } } }
    expect((await server.owner.call('movePage', same)).status).toBe(200)
    const leaves = { path: { page_id: own }, body: { parent: { page_id: page } } }
    expect((await server.owner.call('movePage', leaves)).status).toBe(200)
    const body = { parent: { data_source_id: full.sourceId } }
    expect((await server.owner.call('movePage', { path: { page_id: row }, body })).status).toBe(200)
  })
})

describe('listDataSourceTemplates', () => {
  it('200 templates by age and name; they are no rows; the default one fills new rows', async () => {
    const list = (query: Record<string, string | number> = {}, caller = server.owner): Promise<Answer> =>
      caller.call('listDataSourceTemplates', { path: { data_source_id: parts.sourceId }, query })
    expect({ ...(await list()).body, request_id: null }).toMatchObject({ templates: [], has_more: false, next_cursor: null })
    const ids: string[] = []
    for (const name of ['Intake form', 'Survey'])
      ids.push(idOf(await makeRow(server.owner, parts.sourceId, { Name: [text(name)] })))
    await server.service.database.write(async (db) => {
      for (const [index, id] of ids.entries())
        await insertTemplate(db, story.workspace.id, parts.sourceId, { id, isDefault: index === 1, createdTime: index })
    })
    expect((await list()).body['templates']).toStrictEqual([
      { id: ids[0], name: 'Intake form', is_default: false },
      { id: ids[1], name: 'Survey', is_default: true },
    ])
    expect((await list({ name: 'SURV' })).body['templates']).toMatchObject([{ id: ids[1] }])
    const first = await list({ page_size: 1 })
    expect(first.body).toMatchObject({ templates: [{ id: ids[0] }], has_more: true })
    expect((await list({ page_size: 1, start_cursor: String(first.body['next_cursor']) })).body).toMatchObject({
      templates: [{ id: ids[1] }],
    })
    const filled = await server.owner.call('createPage', {
      body: { parent: { data_source_id: parts.sourceId }, template: { type: 'default' } },
    })
    expect(filled.status).toBe(200)
    const body = { parent: { data_source_id: jobs.sourceId }, template: { type: 'default' } }
    expectInvalid(await server.owner.call('createPage', { body }), 'body.template')
    expectInvalid(await list({ page_size: 0 }), 'query.page_size')
    expectInvalid(await list({ start_cursor: 'nope' }), 'query.start_cursor')
    expectError(await list({}, server.caller(undefined)), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    expectError(await list({}, writer.caller), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expectNotFound(await list({}, stranger.caller), parts.sourceId)
  })
})

describe('the demo workspace', () => {
  it('200 tracks jobs and the parts they need, with a formula and a rollup', async () => {
    const { boats, jobs: jobsOf, parts: partsOf, templates } = story.rows
    expect(await valuesOf(server.owner, jobsOf.keelBolts)).toMatchObject({
      Status: { name: 'In progress' },
      Total: { type: 'number', number: 580.8 },
      Ticket: { prefix: 'JOB', number: 1 },
      Boat: [{ id: boats.heron }],
      'Boat launch': { type: 'date', date: { start: '2026-05-16' } },
    })
    expect(await valuesOf(server.owner, boats.heron)).toMatchObject({
      Jobs: [{ id: jobsOf.keelBolts }, { id: jobsOf.mast }, { id: jobsOf.bilgePump }],
      Berth: { name: 'Berth 14' },
    })
    expect(await valuesOf(server.owner, partsOf.keelBolt)).toMatchObject({
      Jobs: [{ id: jobsOf.keelBolts }],
      'Cost of jobs': { type: 'number', number: 480 },
    })
    const body = { parent: { data_source_id: story.dataSources.repairJobs } }
    const { body: next } = await server.owner.call('createPage', { body })
    expect(plainValues(next)['Ticket']).toStrictEqual({ prefix: 'JOB', number: 7 })
    const path = { data_source_id: story.dataSources.repairJobs }
    const listed = await server.owner.call('listDataSourceTemplates', { path })
    expect(listed.body['templates']).toMatchObject([
      { id: templates.job, name: 'Job template', is_default: true },
      { id: templates.survey, name: 'Survey template', is_default: false },
    ])
  })
})
