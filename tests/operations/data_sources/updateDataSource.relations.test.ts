import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// Rules about related pages: two-way relations, trash, visibility, and large numbers.

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const change = (id: string, properties: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: id }, body: { properties } })
const made = (properties: object = {}, page = parent): Promise<MadeDatabase> => makeDatabase(server.owner, page, properties)
const column = async (sourceId: string, name: string): Promise<JsonObject> => {
  const found = (await columnsOf(server.owner, sourceId))[name]
  if (!found) throw new Error(`no column ${name}`)
  return found
}
const links = (...pages: JsonObject[]): object => ({ relation: pages.map((page) => ({ id: idOf(page) })) })

describe('updateDataSource: pairs of relations', () => {
  it('200 for a new relation paired with an existing one, whose values it shares', async () => {
    const [boats, jobs] = [await made(), await made()]
    await change(boats.sourceId, { Work: { relation: { data_source_id: jobs.sourceId, single_property: {} } } })
    const job = await makeRow(server.owner, jobs.sourceId)
    const boat = await makeRow(server.owner, boats.sourceId, { Work: links(job) })
    const { id } = await column(boats.sourceId, 'Work')
    const Boat = { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_id: id } } }
    const { status, body } = await change(jobs.sourceId, { Boat })
    expect(status, JSON.stringify(body)).toBe(200)
    const pair = await column(jobs.sourceId, 'Boat')
    expect(pair['relation']).toMatchObject({ dual_property: { synced_property_id: id, synced_property_name: 'Work' } })
    expect((await column(boats.sourceId, 'Work'))['relation']).toMatchObject({
      type: 'dual_property',
      dual_property: { synced_property_id: pair['id'], synced_property_name: 'Boat' },
    })
    expect((await valuesOf(server.owner, idOf(job)))['Boat']).toStrictEqual([{ id: idOf(boat) }])
    expect(Object.keys(await columnsOf(server.owner, boats.sourceId))).toStrictEqual(['Name', 'Work'])
    // The same for a column that had another type before.
    await change(jobs.sourceId, { Boat: null })
    const again = await change(jobs.sourceId, { Text: { rich_text: {} } }).then(() => change(jobs.sourceId, { Text: Boat }))
    expect(again.status, JSON.stringify(again.body)).toBe(200)
    expect((await valuesOf(server.owner, idOf(job)))['Text']).toStrictEqual([{ id: idOf(boat) }])
  })

  it('400 when the other relation of a pair has another target or is already paired', async () => {
    const [boats, parts] = [await made(), await made()]
    const jobs = await made({ Boat: { relation: { data_source_id: boats.sourceId, dual_property: {} } } })
    await change(boats.sourceId, { Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } } })
    const taken = at(await column(jobs.sourceId, 'Boat'), 'relation', 'dual_property', 'synced_property_id')
    for (const synced_property_id of [taken, (await column(boats.sourceId, 'Parts'))['id'], 'title'])
      expectInvalid(
        await change(jobs.sourceId, {
          More: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_id } } },
        }),
        'body.properties.More.relation.dual_property.synced_property_id',
      )
  })

  it('200 for the deletion of a detached opposite, which does not change the other relation', async () => {
    const boats = await made()
    const jobs = await made({
      Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
    })
    await change(jobs.sourceId, { Boat: { relation: { single_property: {} } } })
    expect((await change(boats.sourceId, { Jobs: null })).status).toBe(200)
    expect(Object.keys(await columnsOf(server.owner, boats.sourceId))).toStrictEqual(['Name'])
    expect((await column(jobs.sourceId, 'Boat'))['relation']).toMatchObject({ type: 'single_property', single_property: {} })
  })

  it('200 for deleting or retyping one side of a relation, whose other side becomes one-way', async () => {
    const boats = await made()
    const pair = (name: string): object => ({
      relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: name } },
    })
    const jobs = await made({ A: pair('As'), B: pair('Bs') })
    const boat = await makeRow(server.owner, boats.sourceId, { Name: [text('Heron')] })
    const job = await makeRow(server.owner, jobs.sourceId, { A: links(boat), B: links(boat), Name: [text('Paint')] })
    await change(boats.sourceId, { As: null, Bs: { rich_text: {} } })
    for (const name of ['A', 'B']) {
      expect((await column(jobs.sourceId, name))['relation']).toMatchObject({ type: 'single_property' })
      expect((await valuesOf(server.owner, idOf(job)))[name]).toStrictEqual([{ id: idOf(boat) }])
    }
    expect((await valuesOf(server.owner, idOf(boat)))['Bs']).toMatchObject([{ plain_text: 'Paint' }])
  })

  it('200 for a two-way relation of a data source to itself, whose two sides are a pair', async () => {
    const tasks = await made()
    await change(tasks.sourceId, {
      Sub: { relation: { data_source_id: tasks.sourceId, dual_property: { synced_property_name: 'Up' } } },
    })
    const [sub, up] = [await column(tasks.sourceId, 'Sub'), await column(tasks.sourceId, 'Up')]
    expect(at(sub, 'relation', 'dual_property', 'synced_property_id')).toBe(up['id'])
    expect(at(up, 'relation', 'dual_property', 'synced_property_id')).toBe(sub['id'])
    const one = await makeRow(server.owner, tasks.sourceId)
    await server.owner.call('updatePage', { path: { page_id: idOf(one) }, body: { properties: { Sub: links(one) } } })
    expect(await valuesOf(server.owner, idOf(one))).toMatchObject({ Sub: [{ id: idOf(one) }], Up: [{ id: idOf(one) }] })
    await change(tasks.sourceId, { Sub: null })
    expect((await column(tasks.sourceId, 'Up'))['relation']).toMatchObject({ type: 'single_property' })
  })
})

describe('retrievePage: related pages', () => {
  const count = { formula: { expression: 'prop("Parts").length()' } }
  const names = { rollup: { function: 'show_original', relation_property_name: 'Parts', rollup_property_name: 'Name' } }

  it('200 without related pages in the trash, or of a trashed data source, until they are restored', async () => {
    const parts = await made()
    const jobs = await made({
      Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
      Count: count,
      Names: names,
    })
    const [bolt, nut] = [await makeRow(server.owner, parts.sourceId), await makeRow(server.owner, parts.sourceId)]
    const job = idOf(await makeRow(server.owner, jobs.sourceId, { Parts: links(bolt, nut) }))
    const counted = async (): Promise<unknown[]> => {
      const values = await valuesOf(server.owner, job)
      return [at(values['Count'] as JsonObject, 'number'), (at(values['Names'] as JsonObject, 'array') as object[]).length]
    }
    expect(await counted()).toStrictEqual([2, 2])
    await server.owner.call('updatePage', { path: { page_id: idOf(bolt) }, body: { in_trash: true } })
    expect(await counted()).toStrictEqual([1, 1])
    await server.owner.call('updateDataSource', { path: { data_source_id: parts.sourceId }, body: { in_trash: true } })
    expect(await counted()).toStrictEqual([0, 0])
    await server.owner.call('updateDataSource', { path: { data_source_id: parts.sourceId }, body: { in_trash: false } })
    await server.owner.call('updatePage', { path: { page_id: idOf(bolt) }, body: { in_trash: false } })
    expect(await counted()).toStrictEqual([2, 2])
  })

  it('200 with rollups and formulas that ignore related pages hidden from the connection', async () => {
    const hidden = await made({ Cost: { number: {} } }, await makePage(server.owner, 'Hidden'))
    const jobs = await made({
      Parts: { relation: { data_source_id: hidden.sourceId, single_property: {} } },
      Count: count,
      Names: names,
      Sum: { rollup: { function: 'sum', relation_property_name: 'Parts', rollup_property_name: 'Cost' } },
      Text: { formula: { expression: 'prop("Parts").map(current.prop("Name")).join(", ")' } },
    })
    const secret = await makeRow(server.owner, hidden.sourceId, { Name: [text('Secret part')], Cost: { number: 5 } })
    const job = idOf(await makeRow(server.owner, jobs.sourceId, { Parts: links(secret) }))
    expect((await valuesOf(server.owner, job))['Text']).toMatchObject({ string: 'Secret part' })
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [jobs.id] })
    const page = await caller.call('retrievePage', { path: { page_id: job } })
    expect(page.text).not.toContain('Secret')
    expect(page.text).not.toContain(idOf(secret))
    const values = await valuesOf(caller, job)
    expect(values).not.toHaveProperty('Parts')
    expect(JSON.stringify(values)).not.toMatch(/"number":[15]/)
    const found = await caller.call('queryDataSource', { path: { data_source_id: jobs.sourceId }, body: {} })
    expect(resultsOf(found.body)).toHaveLength(1)
    expect(found.text).not.toContain('Secret')
  })

  it('200 with an empty email address for a connection without user information', async () => {
    const { sourceId } = await made({
      Who: { people: {} },
      Mail: { formula: { expression: 'prop("Who").map(current.email()).join(", ")' } },
      Called: { formula: { expression: 'prop("Who").map(current.name()).join(", ")' } },
    })
    const people = await server.owner.call('listUsers', { query: {} })
    const person = resultsOf(people.body).find((user) => user['type'] === 'person')
    const row = idOf(await makeRow(server.owner, sourceId, { Who: { people: [{ id: idOf(person) }] } }))
    const email = at(person, 'person', 'email')
    expect(await valuesOf(server.owner, row)).toMatchObject({ Mail: { string: email }, Called: { string: person?.['name'] } })
    for (const more of [[], ['read_user_without_email']] as const) {
      const { caller } = await makeConnection(server, { capabilities: ['read_content', ...more], grants: [parent] })
      expect((await valuesOf(caller, row))['Mail']).toStrictEqual({ type: 'string', string: null })
    }
  })

  it('200 with 100 entries of a rollup on a page and the rest in the property item; sums and counts use all entries', async () => {
    const parts = await made({ Stock: { number: {} } })
    const roll = (name: string): object => ({
      rollup: { function: name, relation_property_name: 'Parts', rollup_property_name: 'Stock' },
    })
    const jobs = await made({
      Parts: { relation: { data_source_id: parts.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
      All: roll('show_original'),
      Sum: roll('sum'),
      Count: count,
    })
    const job = await makeRow(server.owner, jobs.sourceId)
    for (let part = 0; part < 103; part += 1) {
      await makeRow(server.owner, parts.sourceId, { Stock: { number: 2 }, Jobs: links(job) })
    }
    const values = await valuesOf(server.owner, idOf(job))
    expect(values['Parts']).toHaveLength(25)
    expect(at(values['All'] as JsonObject, 'array')).toHaveLength(100)
    expect(values).toMatchObject({ Sum: { number: 206 }, Count: { number: 103 } })
    const path = { page_id: idOf(job), property_id: String((await column(jobs.sourceId, 'All'))['id']) }
    const first = await server.owner.call('retrievePageProperty', { path })
    const rest = await server.owner.call('retrievePageProperty', {
      path,
      query: { start_cursor: String(first.body['next_cursor']) },
    })
    expect([resultsOf(first.body).length, resultsOf(rest.body).length]).toStrictEqual([100, 3])
  })
})
