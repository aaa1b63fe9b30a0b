import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, plainValues, valuesOf } from '../../harness/databases_content.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile } from '../../harness/server.ts'
import { findAll } from '../search/support.ts'

const person = exampleWorkspace.people[1].id
const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const boats = await makeDatabase(server.owner, parent)
const heron = idOf(await makeRow(server.owner, boats.sourceId))
const jobs = await makeDatabase(server.owner, parent, {
  Job: { title: {} },
  Note: { rich_text: {} },
  Hours: { number: {} },
  Kind: { select: { options: [{ name: 'hull', color: 'blue' }] } },
  Tags: { multi_select: {} },
  Stage: { status: {} },
  Who: { people: {} },
  Urgent: { checkbox: {} },
  Id: { unique_id: {} },
  Ok: { verification: {} },
  Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
})
const template = await makeTemplate('Lapwing overhaul', {
  Note: {
    rich_text: [text('Begun '), { mention: { template_mention: { template_mention_date: 'today' } } }],
  },
  Hours: { number: 8 },
  Kind: { select: { name: 'hull' } },
  Tags: { multi_select: [{ name: 'yearly' }] },
  Stage: { status: { name: 'In progress' } },
  Who: { people: [{ id: person }] },
  Urgent: { checkbox: true },
  Ok: { verification: { state: 'verified' } },
  Boat: { relation: [{ id: heron }] },
})

async function makeTemplate(title: string, values: object, sourceId = jobs.sourceId): Promise<string> {
  const id = idOf(await makeRow(server.owner, sourceId, { title: { title: [text(title)] }, ...values }))
  await server.service.database.write((db) =>
    insertTemplate(db, exampleWorkspace.workspace.id, sourceId, { id, isDefault: true, createdTime: server.clock.now() }),
  )
  return id
}

/**
 * Waits until an empty property has a value.
 * @returns the values of the page
 */
async function filled(page: JsonObject, name: string): Promise<Record<string, unknown>> {
  const before = JSON.stringify(plainValues(page)[name])
  await until(async () => {
    const values = await valuesOf(server.owner, idOf(page))
    return JSON.stringify(values[name]) === before ? undefined : true
  })
  // The last read may have begun before the end: each of its statements sees only what is committed by then.
  return valuesOf(server.owner, idOf(page))
}

const cellsOf = async (id: string): Promise<string[]> =>
  (
    await server.service.database.read((db) =>
      db.all({ text: 'text?' }, 'select text from cells where page_id = ? and text is not null order by text', id),
    )
  ).map((cell) => String(cell.text))

const chosen = { template: { type: 'default' } }
const today = (): string => new Date(server.clock.now()).toISOString().slice(0, 10)

describe('createPage and updatePage with a template of a data source', () => {
  it('200 with the title and values of the template, by which queries and search find the row', async () => {
    const row = await makeRow(server.owner, jobs.sourceId, {}, chosen)
    expect(plainValues(row)).toMatchObject({ Job: [], Hours: null, Stage: { name: 'Not started' }, Boat: [] })
    const values = await filled(row, 'Hours')
    expect(values).toMatchObject({
      Job: [readText('Lapwing overhaul')],
      Note: [{ plain_text: 'Begun ' }, { mention: { type: 'date', date: { start: today() } } }],
      Hours: 8,
      Kind: { name: 'hull', color: 'blue' },
      Tags: [{ name: 'yearly' }],
      Stage: { name: 'In progress' },
      Who: [{ id: person }],
      Urgent: true,
      Ok: { state: 'unverified' },
      Boat: [{ id: heron }],
    })
    expect(at(row, 'properties', 'Id', 'unique_id', 'number')).toBe(at(values['Id'] as JsonObject, 'number'))
    expect((await valuesOf(server.owner, heron))['Jobs']).toContainEqual({ id: idOf(row) })
    expect(await cellsOf(idOf(row))).toContain('lapwing overhaul')
    expect(await findAll(server.owner, { query: 'lapwing' })).toContain(idOf(row))
  })

  it('200 with the values that the request sets by name or id, or clears, instead of those of the template', async () => {
    const row = await makeRow(
      server.owner,
      jobs.sourceId,
      {
        Job: { title: [] },
        Note: { rich_text: [text('Mine')] },
        Hours: { number: 1 },
        Kind: { select: null },
        Tags: { multi_select: [] },
        Stage: { status: { name: 'Done' } },
        Who: { people: [] },
        Boat: { relation: [] },
      },
      chosen,
    )
    expect(await filled(row, 'Urgent')).toMatchObject({
      Job: [],
      Note: [readText('Mine')],
      Hours: 1,
      Kind: null,
      Tags: [],
      Stage: { name: 'Done' },
      Who: [],
      Urgent: true,
      Boat: [],
    })
    expect(await cellsOf(idOf(row))).not.toContain('lapwing overhaul')
  })

  it('200 from an update that fills in values that the row lacks', async () => {
    const row = await makeRow(server.owner, jobs.sourceId, { Job: { title: [text('Own')] }, Hours: { number: 2 } })
    await server.owner.call('updatePage', {
      path: { page_id: idOf(row) },
      body: { template: { type: 'template_id', template_id: template } },
    })
    expect(await filled(row, 'Kind')).toMatchObject({ Job: [readText('Own')], Hours: 2, Kind: { name: 'hull' } })
  })

  it('200 with only equally named values of the same type if the template belongs to another data source, and only the title if either is a plain page', async () => {
    const other = await makeDatabase(server.owner, parent, {
      Hours: { rich_text: {} },
      Kind: { select: { options: [{ name: 'hull', color: 'red' }] } },
      Tags: { multi_select: {} },
      Urgent: { checkbox: {} },
    })
    const byId = { template: { type: 'template_id', template_id: template } }
    const row = await makeRow(server.owner, other.sourceId, {}, byId)
    expect(await filled(row, 'Urgent')).toMatchObject({
      Name: [readText('Lapwing overhaul')],
      Hours: [],
      Kind: { name: 'hull', color: 'red' },
      Tags: [],
      Urgent: true,
    })
    const { body: page } = await server.owner.call('createPage', { body: { parent: { page_id: parent }, ...byId } })
    expect(await filled(page, 'title')).toStrictEqual({ title: [readText('Lapwing overhaul')] })
    const plain = await makePage(server.owner, 'Plain')
    const fromPage = await makeRow(server.owner, jobs.sourceId, {}, { template: { type: 'template_id', template_id: plain } })
    expect(await filled(fromPage, 'Job')).toMatchObject({ Job: [readText('Plain')], Hours: null })
  })
})
