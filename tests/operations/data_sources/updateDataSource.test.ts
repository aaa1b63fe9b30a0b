import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const update = (id: string, body: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: id }, body })
const change = (id: string, properties: object): Promise<TestResponse> => update(id, { properties })
const made = (properties: object = {}, more: object = {}): ReturnType<typeof makeDatabase> =>
  makeDatabase(server.owner, parent, properties, more)
const column = async (id: string, name: string): Promise<JsonObject> => {
  const found = (await columnsOf(server.owner, id))[name]
  if (!found) throw new Error(`no column ${name}`)
  return found
}

describe('updateDataSource: columns', () => {
  it('200 when columns are added, renamed, changed, retyped and deleted in one request, with ids kept', async () => {
    const { sourceId } = await made({ Hours: { number: {} }, Old: { url: {} }, Note: { rich_text: {} }, Gone: { date: {} } })
    const before = await columnsOf(server.owner, sourceId)
    const { status, body } = await change(sourceId, {
      Tags: { multi_select: { options: [{ name: 'urgent', color: 'red' }] } },
      Hours: { name: 'Billable hours' },
      [String(before['Old']?.['id'])]: { name: 'New', description: 'A link' },
      Note: { number: { format: 'euro' } },
      Gone: null,
    })
    expect(status).toBe(200)
    expect(Object.keys(body['properties'] as object)).toStrictEqual(['Name', 'Billable hours', 'New', 'Note', 'Tags'])
    expect(body['properties']).toMatchObject({
      'Billable hours': { id: before['Hours']?.['id'], type: 'number' },
      New: { id: before['Old']?.['id'], description: 'A link' },
      Note: { id: before['Note']?.['id'], type: 'number', number: { format: 'euro' } },
    })
  })

  it('200 without change for an empty map and for columns in the form of responses', async () => {
    const { sourceId } = await made({
      Hours: { number: {} },
      Kind: { select: { options: [{ name: 'a' }] } },
      Stage: { status: {} },
    })
    const { body } = await update(sourceId, {})
    server.clock.advance(1000)
    expect((await change(sourceId, {})).body['last_edited_time']).toBe(body['last_edited_time'])
    const { Hours, Kind } = await columnsOf(server.owner, sourceId)
    const same = await change(sourceId, { Hours, Kind })
    expect(same.status).toBe(200)
    expect(same.body['last_edited_time']).toBe(body['last_edited_time'])
    server.clock.advance(1000)
    const changed = await change(sourceId, { Hours: { description: 'x' } })
    expect(changed.body['last_edited_time']).toBe(new Date(server.clock.now()).toISOString())
  })

  it('200 for columns that swap names, and for a renamed title, which stays the title', async () => {
    const { sourceId } = await made({ A: { url: {} }, B: { email: {} } })
    await change(sourceId, { A: { name: 'B' }, B: { name: 'A' }, title: { name: 'Job' } })
    expect(await columnsOf(server.owner, sourceId)).toMatchObject({
      A: { type: 'email' },
      B: { type: 'url' },
      Job: { id: 'title' },
    })
  })

  it('200 with omitted settings kept, and null ones cleared', async () => {
    const { sourceId } = await made({ N: { number: { format: 'euro' } }, U: { unique_id: { prefix: 'A' } } })
    await change(sourceId, { N: { number: {} }, U: { unique_id: {} } })
    expect(await columnsOf(server.owner, sourceId)).toMatchObject({
      N: { number: { format: 'euro' } },
      U: { unique_id: { prefix: 'A' } },
    })
    await change(sourceId, { U: { unique_id: { prefix: null } } })
    expect((await column(sourceId, 'U'))['unique_id']).toStrictEqual({ prefix: null })
  })

  it('200 with the options of a select replaced; rows lose an option that is no longer listed', async () => {
    const { sourceId } = await made({ Kind: { select: { options: [{ name: 'a', color: 'red' }, { name: 'b' }] } } })
    const row = await makeRow(server.owner, sourceId, { Kind: { select: { name: 'a' } } })
    const other = await makeRow(server.owner, sourceId, { Kind: { select: { name: 'b' } } })
    const a = at(await column(sourceId, 'Kind'), 'select', 'options', 0)
    await change(sourceId, { Kind: { select: { options: [{ name: 'c' }, { name: 'a', description: 'first' }] } } })
    expect(at(await column(sourceId, 'Kind'), 'select', 'options')).toMatchObject([
      { name: 'c' },
      { ...(a as object), description: 'first' },
    ])
    expect((await valuesOf(server.owner, idOf(row)))['Kind']).toMatchObject({ name: 'a' })
    expect((await valuesOf(server.owner, idOf(other)))['Kind']).toBeNull()
    await change(sourceId, { Kind: { select: {} } })
    expect(at(await column(sourceId, 'Kind'), 'select', 'options', 1)).toMatchObject({ name: 'a' })
  })

  it('200 with new options of a status merged into existing ones', async () => {
    const { sourceId } = await made({ Stage: { status: {} } })
    const row = await makeRow(server.owner, sourceId)
    const first = at(await column(sourceId, 'Stage'), 'status', 'options', 0, 'id')
    const options = [{ id: first, name: 'Waiting', color: 'pink' }, { name: 'Parked' }, { name: 'Dropped', group: 'Complete' }]
    await change(sourceId, { Stage: { status: { options } } })
    const stage = await column(sourceId, 'Stage')
    expect((at(stage, 'status', 'options') as JsonObject[]).map(({ name }) => name)).toStrictEqual([
      'Waiting',
      'In progress',
      'Done',
      'Parked',
      'Dropped',
    ])
    expect(at(stage, 'status', 'groups', 0, 'option_ids')).toStrictEqual([first, at(stage, 'status', 'options', 3, 'id')])
    expect(at(stage, 'status', 'groups', 2, 'option_ids', 1)).toBe(at(stage, 'status', 'options', 4, 'id'))
    expect((await valuesOf(server.owner, idOf(row)))['Stage']).toMatchObject({ name: 'Waiting', color: 'pink' })
  })

  it.each<[string, object, object, object, Json | object]>([
    ['number → rich_text', { number: {} }, { number: 4.5 }, { rich_text: {} }, [readText('4.5')]],
    ['select → url', { select: {} }, { select: { name: 'a' } }, { url: {} }, 'a'],
    ['multi_select → email', { multi_select: {} }, { multi_select: [{ name: 'a' }, { name: 'b' }] }, { email: {} }, 'a, b'],
    ['rich_text → number', { rich_text: {} }, { rich_text: [text('12.5 hours')] }, { number: {} }, 12.5],
    ['rich_text without a number → number', { rich_text: {} }, { rich_text: [text('hours')] }, { number: {} }, null],
    ['url → date', { url: {} }, { url: '2026-05-01' }, { date: {} }, { start: '2026-05-01', end: null, time_zone: null }],
    ['url without a date → date', { url: {} }, { url: 'soon' }, { date: {} }, null],
    ['phone_number → checkbox', { phone_number: {} }, { phone_number: 'YES' }, { checkbox: {} }, true],
    ['email with an unknown word → checkbox', { email: {} }, { email: 'perhaps' }, { checkbox: {} }, false],
    ['rich_text → select', { rich_text: {} }, { rich_text: [text('oak')] }, { select: {} }, { name: 'oak' }],
    [
      'rich_text → multi_select',
      { rich_text: {} },
      { rich_text: [text('a, b,a')] },
      { multi_select: {} },
      [{ name: 'a' }, { name: 'b' }],
    ],
    ['rich_text → status', { rich_text: {} }, { rich_text: [text('Done')] }, { status: {} }, { name: 'Done' }],
    [
      'rich_text with an unknown option → status',
      { rich_text: {} },
      { rich_text: [text('x')] },
      { status: {} },
      { name: 'Not started' },
    ],
    ['select → multi_select', { select: {} }, { select: { name: 'a' } }, { multi_select: {} }, [{ name: 'a' }]],
    [
      'multi_select → select',
      { multi_select: {} },
      { multi_select: [{ name: 'a' }, { name: 'b' }] },
      { select: {} },
      { name: 'a' },
    ],
    ['select → status', { select: {} }, { select: { name: 'a' } }, { status: {} }, { name: 'a' }],
    [
      'email → people',
      { email: {} },
      { email: 'tomas@northshore.example' },
      { people: {} },
      [{ id: exampleWorkspace.people[1].id }],
    ],
    ['people → files', { people: {} }, { people: [{ id: exampleWorkspace.people[1].id }] }, { files: {} }, []],
    [
      'people → rich_text',
      { people: {} },
      { people: [{ id: exampleWorkspace.people[1].id }] },
      { rich_text: {} },
      [readText(exampleWorkspace.people[1].id)],
    ],
    ['number → date', { number: {} }, { number: 5 }, { date: {} }, null],
    ['checkbox → rich_text', { checkbox: {} }, { checkbox: true }, { rich_text: {} }, [readText('Yes')]],
    ['date → rich_text', { date: {} }, { date: { start: '2026-05-01' } }, { rich_text: {} }, [readText('2026-05-01')]],
  ])('200 with converted values: %s', async (_what, from, value, to, read) => {
    const { sourceId } = await made({ Col: { ...from, description: 'kept' } })
    const row = await makeRow(server.owner, sourceId, { Col: value })
    const { id } = await column(sourceId, 'Col')
    const { body } = await change(sourceId, { Col: to })
    expect(at(body, 'properties', 'Col')).toMatchObject({ id, description: 'kept', type: Object.keys(to)[0] })
    const found = (await valuesOf(server.owner, idOf(row)))['Col']
    if (typeof read === 'object' && read !== null) expect(found).toMatchObject(read)
    else expect(found).toStrictEqual(read)
  })

  it('200 for a column that becomes a formula, hiding its values until the type is restored', async () => {
    const { sourceId } = await made({ Col: { select: {} } })
    const row = await makeRow(server.owner, sourceId, { Col: { select: { name: 'oak', color: 'brown' } } })
    await change(sourceId, { Col: { formula: { expression: '1 + 1' } } })
    expect((await valuesOf(server.owner, idOf(row)))['Col']).toStrictEqual({ type: 'number', number: 2 })
    await change(sourceId, { Col: { select: {} } })
    expect((await valuesOf(server.owner, idOf(row)))['Col']).toMatchObject({ name: 'oak', color: 'brown' })
  })

  it('200 for a new column of unique ids, which numbers the rows by age', async () => {
    const { sourceId } = await made()
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) {
      server.clock.advance(1000)
      ids.push(idOf(await makeRow(server.owner, sourceId)))
    }
    await change(sourceId, { No: { unique_id: { prefix: 'x' } } })
    ids.push(idOf(await makeRow(server.owner, sourceId)))
    for (const [index, id] of ids.entries())
      expect((await valuesOf(server.owner, id))['No']).toStrictEqual({ prefix: 'X', number: index + 1 })
  })

  it('400 and 404, and no change, for invalid column changes', async () => {
    const { sourceId } = await made({
      A: { url: {} },
      Kind: { select: { options: [{ name: 'a', color: 'red' }] } },
      U: { unique_id: {} },
    })
    const before = JSON.stringify(await columnsOf(server.owner, sourceId))
    const option = at(await column(sourceId, 'Kind'), 'select', 'options', 0, 'id')
    const location = 'body.properties'
    const options = (...list: object[]): object => ({ Kind: { select: { options: list } } })
    const cases: [object, string][] = [
      [{ Name: null }, `${location}.Name`],
      [{ title: null }, `${location}.title`],
      [{ Name: { url: {} } }, `${location}.Name`],
      [{ A: { title: {} } }, `${location}.A`],
      [{ More: { title: {} } }, `${location}.More`],
      [{ More: { name: 'x' } }, `${location}.More`],
      [{ More: {} }, `${location}.More`],
      [{ A: { id: 'zzzz', url: {} } }, `${location}.A.id`],
      [{ A: { name: 'Kind' } }, `${location}.A.name`],
      [{ More: { name: 'A', url: {} } }, `${location}.More.name`],
      [{ More: { unique_id: {} } }, `${location}.More`],
      [{ A: { unique_id: {} } }, `${location}.A`],
      [{ More: { button: {} } }, `${location}.More`],
      [{ A: { verification: {} } }, `${location}.A`],
      [options({ id: option, name: 'b' }), `${location}.Kind.select.options[0].name`],
      [options({ name: 'a', color: 'blue' }), `${location}.Kind.select.options[0].color`],
      [options({ id: 'nope' }), `${location}.Kind.select.options[0]`],
      [options({ name: 'x' }, { name: 'x' }), `${location}.Kind.select.options[1].name`],
      [{ More: { relation: {} } }, `${location}.More.relation`],
      [{ A: { description: '' } }, `${location}.A.description.length`],
      [{ More: { formula: { expression: 'prop("Nope")' } } }, `${location}.More.formula.expression`],
      [{ More: { formula: { expression: 'prop("More")' } } }, `${location}.More.formula.expression`],
      [{ More: { formula: { expression: '1 +' } } }, `${location}.More.formula.expression`],
    ]
    for (const [properties, where] of cases)
      expectError(await change(sourceId, { Good: { url: {} }, ...properties }), 400, 'validation_error', where)
    expectError(await change(sourceId, { Good: { url: {} }, Nope: null }), 404, 'object_not_found', 'Nope')
    const missing = randomUUID()
    expectNotFound(await change(sourceId, { More: { relation: { data_source_id: missing, single_property: {} } } }), missing)
    expect(JSON.stringify(await columnsOf(server.owner, sourceId))).toBe(before)
  })

  it('400 for a schema of more than 500 columns or 50 KB', async () => {
    const many = Object.fromEntries(Array.from({ length: 499 }, (_, index) => [`c${index}`, { url: {} }]))
    const { sourceId } = await made(many)
    expectInvalid(await change(sourceId, { One: { url: {} } }), 'body.properties')
    const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`c${index}`, { description: 'x'.repeat(280) }]))
    const response = await change(sourceId, wide)
    expectInvalid(response, 'body.properties')
    expect(response.body['message']).toContain('largest property is')
  })
})

describe('updateDataSource: relations, rollups, formulas', () => {
  it('200 for a relation changed from one-way to two-way and back, with the values of both sides kept', async () => {
    const boats = await made({}, { title: [text('Boats')] })
    const jobs = await made(
      { Boat: { relation: { data_source_id: boats.sourceId, single_property: {} } } },
      { title: [text('Jobs')] },
    )
    const heron = await makeRow(server.owner, boats.sourceId)
    const job = await makeRow(server.owner, jobs.sourceId, { Boat: { relation: [{ id: idOf(heron) }] } })
    await change(jobs.sourceId, { Boat: { relation: { dual_property: {} } } })
    expect((await valuesOf(server.owner, idOf(heron)))['Related to Jobs (Boat)']).toStrictEqual([{ id: idOf(job) }])
    await change(boats.sourceId, { 'Related to Jobs (Boat)': { name: 'Work' } })
    expect(at(await column(jobs.sourceId, 'Boat'), 'relation', 'dual_property', 'synced_property_name')).toBe('Work')
    const pair = (await column(jobs.sourceId, 'Boat'))['relation']
    await change(jobs.sourceId, { Boat: { relation: { data_source_id: boats.sourceId, dual_property: {} } } })
    expect((await column(jobs.sourceId, 'Boat'))['relation']).toStrictEqual(pair)
    await change(jobs.sourceId, { Boat: { relation: { single_property: {} } } })
    expect((await column(boats.sourceId, 'Work'))['relation']).toMatchObject({ type: 'single_property' })
    expect((await valuesOf(server.owner, idOf(heron)))['Work']).toStrictEqual([{ id: idOf(job) }])
    const id = (await column(boats.sourceId, 'Work'))['id']
    await change(jobs.sourceId, { Boat: { relation: { dual_property: { synced_property_id: id } } } })
    await change(jobs.sourceId, { Boat: null })
    expect((await column(boats.sourceId, 'Work'))['relation']).toMatchObject({ type: 'single_property' })
  })

  it('200 for a relation with a new target, which clears the values, and for a relation to its own data source', async () => {
    const [boats, parts] = [await made(), await made()]
    const jobs = await made({ To: { relation: { data_source_id: boats.sourceId, dual_property: {} } } })
    const heron = await makeRow(server.owner, boats.sourceId)
    const job = await makeRow(server.owner, jobs.sourceId, { To: { relation: [{ id: idOf(heron) }] } })
    await change(jobs.sourceId, { To: { relation: { data_source_id: parts.sourceId } } })
    expect((await valuesOf(server.owner, idOf(job)))['To']).toStrictEqual([])
    expect((await column(jobs.sourceId, 'To'))['relation']).toMatchObject({
      data_source_id: parts.sourceId,
      type: 'dual_property',
    })
    const self = { relation: { data_source_id: jobs.sourceId, dual_property: { synced_property_name: 'Parts of' } } }
    expect((await change(jobs.sourceId, { Subtasks: self })).status).toBe(200)
    const sub = await makeRow(server.owner, jobs.sourceId, { 'Parts of': { relation: [{ id: idOf(job) }] } })
    expect((await valuesOf(server.owner, idOf(job)))['Subtasks']).toStrictEqual([{ id: idOf(sub) }])
  })

  it('200 with formulas that survive renames and are returned as sent', async () => {
    const { sourceId } = await made({ Hours: { number: {} }, Cost: { formula: { expression: 'prop("Hours") * 40' } } })
    const row = await makeRow(server.owner, sourceId, { Hours: { number: 2 } })
    expect((await valuesOf(server.owner, idOf(row)))['Cost']).toStrictEqual({ type: 'number', number: 80 })
    await change(sourceId, { Hours: { name: 'Time' } })
    expect((await column(sourceId, 'Cost'))['formula']).toStrictEqual({ expression: 'prop("Time") * 40' })
    expect((await valuesOf(server.owner, idOf(row)))['Cost']).toStrictEqual({ type: 'number', number: 80 })
    expectInvalid(
      await change(sourceId, { A: { formula: { expression: 'prop("Nope")' } } }),
      'body.properties.A.formula.expression',
    )
    await change(sourceId, { Time: null })
    expect((await valuesOf(server.owner, idOf(row)))['Cost']).toStrictEqual({ type: 'unsupported', unsupported: {} })
  })

  it('200 with rollups that are current after every change of a related row', async () => {
    const parts = await made({ Stock: { number: {} }, Ok: { checkbox: {} } })
    const jobs = await made({
      Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
      Sum: { rollup: { function: 'sum', relation_property_name: 'Parts', rollup_property_name: 'Stock' } },
      All: { rollup: { function: 'show_original', relation_property_name: 'Parts', rollup_property_name: 'Name' } },
      Double: { formula: { expression: 'prop("Sum") * 2' } },
    })
    const bolt = await makeRow(server.owner, parts.sourceId, { Name: [text('Bolt')], Stock: { number: 3 } })
    const nut = await makeRow(server.owner, parts.sourceId, { Stock: { number: 4 } })
    const job = await makeRow(server.owner, jobs.sourceId, { Parts: { relation: [{ id: idOf(bolt) }, { id: idOf(nut) }] } })
    const sum = async (): Promise<unknown> => (await valuesOf(server.owner, idOf(job)))['Sum']
    expect(await sum()).toStrictEqual({ type: 'number', number: 7, function: 'sum' })
    expect((await valuesOf(server.owner, idOf(job)))['All']).toMatchObject({
      type: 'array',
      array: [{ type: 'title', title: [readText('Bolt')] }, { title: [] }],
    })
    await server.owner.call('updatePage', { path: { page_id: idOf(bolt) }, body: { properties: { Stock: { number: 10 } } } })
    expect(await sum()).toMatchObject({ number: 14 })
    expect((await valuesOf(server.owner, idOf(job)))['Double']).toStrictEqual({ type: 'number', number: 28 })
    await server.owner.call('updatePage', { path: { page_id: idOf(nut) }, body: { in_trash: true } })
    expect(await sum()).toMatchObject({ number: 10 })
    await change(parts.sourceId, { Stock: null })
    expect(await sum()).toStrictEqual({ type: 'unsupported', unsupported: {}, function: 'sum' })
    const wrong = { function: 'sum', relation_property_name: 'Parts', rollup_property_name: 'Ok' }
    expectInvalid(await change(jobs.sourceId, { Bad: { rollup: wrong } }), 'body.properties.Bad.rollup')
    expectInvalid(
      await change(jobs.sourceId, { Bad: { rollup: { ...wrong, rollup_property_name: 'Nope' } } }),
      'body.properties.Bad.rollup',
    )
  })
})
