import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues, valuesOf } from '../../harness/databases_content.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const stock = Array.from({ length: 30 }, (_, index) => index)
const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const parts = await makeDatabase(server.owner, parent, { Stock: { number: {} } })
const roll = (name: string, rolled = 'Stock'): object => ({
  rollup: { function: name, relation_property_name: 'Parts', rollup_property_name: rolled },
})
const jobs = await makeDatabase(server.owner, parent, {
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
const job = idOf(
  await makeRow(server.owner, jobs.sourceId, {
    Note: { rich_text: [text('a'), text('b')] },
    Who: { people: [{ id: exampleWorkspace.people[1].id }] },
    Kind: { multi_select: [{ name: 'x' }] },
    Parts: { relation: rows.map((row) => ({ id: idOf(row) })) },
  }),
)

const item = async (name: string, query: Record<string, string | number> = {}): Promise<TestResponse> => {
  const id = (await columnsOf(server.owner, jobs.sourceId))[name]?.['id']
  return server.owner.call('retrievePageProperty', { path: { page_id: job, property_id: String(id) }, query })
}

describe('retrievePageProperty of rows', () => {
  it('200 with lists of texts, people and links, complete and page by page', async () => {
    expect((await item('Note')).body).toMatchObject({
      type: 'property_item',
      results: [{ type: 'rich_text', rich_text: readText('a') }, { rich_text: readText('b') }],
      property_item: { type: 'rich_text', rich_text: {}, next_url: null },
    })
    expect(resultsOf((await item('Who')).body)).toMatchObject([{ type: 'people', people: { id: exampleWorkspace.people[1].id } }])
    expect(resultsOf((await item('Name')).body)).toStrictEqual([])
    const first = await item('Parts', { page_size: 20 })
    expect(first.body).toMatchObject({ has_more: true, property_item: { type: 'relation', relation: {} } })
    const rest = await item('Parts', { page_size: 20, start_cursor: String(first.body['next_cursor']) })
    expect(resultsOf(first.body)).toHaveLength(20)
    expect(resultsOf(rest.body)).toHaveLength(10)
    expectInvalid(await item('Sum', { start_cursor: String(first.body['next_cursor']) }), 'query.start_cursor')
  })

  it('200 with a scalar value as a single item', async () => {
    expect((await item('Kind')).body).toMatchObject({
      object: 'property_item',
      type: 'multi_select',
      multi_select: [{ name: 'x' }],
    })
    expect((await item('Double')).body).toMatchObject({ type: 'formula', formula: { type: 'number', number: 870 } })
  })

  it('200 with the result of a rollup on the last page, with original values one by one, and with `unsupported` for a median', async () => {
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

  it('404 when the page does not have the property', async () => {
    const path = { page_id: job, property_id: 'nope' }
    expectNotFound(await server.owner.call('retrievePageProperty', { path }), 'nope')
  })
})

describe('rows of the example workspace', () => {
  it('200 with relations, formulas and rollups of boats, jobs and parts', async () => {
    const { boats, jobs: jobsOf, parts: partsOf, templates } = exampleWorkspace.rows
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
    const body = { parent: { data_source_id: exampleWorkspace.dataSources.repairJobs } }
    const { body: next } = await server.owner.call('createPage', { body })
    expect(plainValues(next)['Ticket']).toStrictEqual({ prefix: 'JOB', number: 7 })
    const path = { data_source_id: exampleWorkspace.dataSources.repairJobs }
    const listed = await server.owner.call('listDataSourceTemplates', { path })
    expect(listed.body['templates']).toMatchObject([
      { id: templates.job, name: 'Job template', is_default: true },
      { id: templates.survey, name: 'Survey template', is_default: false },
    ])
  })
})
