import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf, type MadeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const change = (id: string, properties: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('updateDataSource', { path: { data_source_id: id }, body: { properties } })
const made = (properties: object = {}): Promise<MadeDatabase> => makeDatabase(server.owner, parent, properties)
const column = async (sourceId: string, name: string): Promise<JsonObject> => {
  const found = (await columnsOf(server.owner, sourceId))[name]
  if (!found) throw new Error(`no column ${name}`)
  return found
}
const links = (...pages: JsonObject[]): object => ({ relation: pages.map((page) => ({ id: idOf(page) })) })

describe('updateDataSource: opposites of relations', () => {
  it('200 for a relation with a new target: the old opposite becomes one-way, and a new opposite can be declined', async () => {
    const [boats, yards] = [await made(), await made()]
    const pair = (name: string): object => ({
      relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: name } },
    })
    const jobs = await made({ A: pair('As'), B: pair('Bs') })
    const job = await makeRow(server.owner, jobs.sourceId, { A: links(await makeRow(server.owner, boats.sourceId)) })
    await change(jobs.sourceId, {
      A: { relation: { data_source_id: yards.sourceId } },
      B: { relation: { data_source_id: yards.sourceId, single_property: {} } },
    })
    for (const name of ['As', 'Bs'])
      expect((await column(boats.sourceId, name))['relation']).toMatchObject({ type: 'single_property' })
    const [a, b] = [await column(jobs.sourceId, 'A'), await column(jobs.sourceId, 'B')]
    expect([at(a, 'relation', 'type'), at(b, 'relation', 'type')]).toStrictEqual(['dual_property', 'single_property'])
    expect(Object.keys(await columnsOf(server.owner, yards.sourceId))).toHaveLength(2)
    expect((await valuesOf(server.owner, idOf(job)))['A']).toStrictEqual([])
  })

  it('200 with name and description kept for a replaced opposite', async () => {
    const boats = await made()
    const jobs = await made({
      Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
    })
    const description = 'Everything that is done to her'
    await change(boats.sourceId, { Work: { relation: { data_source_id: jobs.sourceId, single_property: {} }, description } })
    const { id } = await column(boats.sourceId, 'Work')
    const Boat = { relation: { dual_property: { synced_property_id: id, synced_property_name: 'Work' } } }
    const { status, text: response } = await change(jobs.sourceId, { Boat })
    expect(status, response).toBe(200)
    expect((await column(boats.sourceId, 'Jobs'))['relation']).toMatchObject({ type: 'single_property' })
    expect(await column(boats.sourceId, 'Work')).toMatchObject({ id, description, relation: { type: 'dual_property' } })
    expectInvalid(
      await change(jobs.sourceId, { Boat: { relation: { dual_property: { synced_property_name: 'Jobs' } } } }),
      'body.properties.Boat.relation.dual_property.synced_property_name',
    )
    expect(Object.keys(await columnsOf(server.owner, boats.sourceId))).toStrictEqual(['Name', 'Jobs', 'Work'])
  })

  it('400 when a relation is its own opposite', async () => {
    const tasks = await made()
    await change(tasks.sourceId, { Sub: { relation: { data_source_id: tasks.sourceId, single_property: {} } } })
    const { id } = await column(tasks.sourceId, 'Sub')
    expectInvalid(
      await change(tasks.sourceId, { Sub: { relation: { dual_property: { synced_property_id: id } } } }),
      'body.properties.Sub.relation.dual_property.synced_property_id',
    )
  })

  it('403 for a new or renamed opposite in a read-only data source', async () => {
    const boats = await made()
    const jobs = await made({
      Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
    })
    const person = exampleWorkspace.people[1].id
    const member = await makeMember(server, person)
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, boats.id, person, 'read', 1))
    const To = { relation: { data_source_id: boats.sourceId, dual_property: {} } }
    const Boat = { relation: { dual_property: { synced_property_name: 'Work' } } }
    for (const properties of [{ To }, { Boat }])
      expectError(await change(jobs.sourceId, properties, member), 403, 'restricted_resource')
    expect(Object.keys(await columnsOf(server.owner, boats.sourceId))).toStrictEqual(['Name', 'Jobs'])
    expect(
      (await change(jobs.sourceId, { To: { relation: { data_source_id: boats.sourceId, single_property: {} } } }, member)).status,
    ).toBe(200)
  })
})

describe('updatePage: links of a two-way relation', () => {
  let [boats, jobs]: MadeDatabase[] = []
  beforeAll(async () => {
    boats = await made()
    const Boat = { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } }
    jobs = await made({ Boat })
  })
  const source = (of: MadeDatabase | undefined): string => of?.sourceId ?? ''
  const update = (page: JsonObject, body: object): Promise<TestResponse> =>
    server.owner.call('updatePage', { path: { page_id: idOf(page) }, body })

  it('200 with an edit of only the pages that are linked or unlinked', async () => {
    const [kept, gone, come] = await Promise.all([1, 2, 3].map(() => makeRow(server.owner, source(jobs))))
    if (!kept || !gone || !come) throw new Error('no rows')
    const boat = await makeRow(server.owner, source(boats), { Jobs: links(kept, gone) })
    const before = server.clock.now()
    server.clock.advance(3_600_000)
    await update(boat, { properties: { Jobs: links(kept, come) } })
    const edited = async (page: JsonObject): Promise<boolean> => {
      const { body } = await server.owner.call('retrievePage', { path: { page_id: idOf(page) } })
      return Date.parse(String(body['last_edited_time'])) > before
    }
    expect([await edited(kept), await edited(gone), await edited(come)]).toStrictEqual([false, true, true])
    expect((await valuesOf(server.owner, idOf(kept)))['Boat']).toStrictEqual([{ id: idOf(boat) }])
  })

  it('200 with the other side of a removed link removed even from a row in the trash', async () => {
    const [gone, come] = [await makeRow(server.owner, source(jobs)), await makeRow(server.owner, source(jobs))]
    const boat = await makeRow(server.owner, source(boats), { Jobs: links(gone) })
    for (const row of [gone, come]) await update(row, { in_trash: true })
    await update(boat, { properties: { Jobs: { relation: [] } } })
    await update(gone, { in_trash: false })
    const found = async (): Promise<string[]> => {
      const filter = { property: 'Boat', relation: { contains: idOf(boat) } }
      const response = await server.owner.call('queryDataSource', { path: { data_source_id: source(jobs) }, body: { filter } })
      return resultsOf(response.body).map(idOf)
    }
    expect(await found()).toStrictEqual([])
    expect((await valuesOf(server.owner, idOf(gone)))['Boat']).toStrictEqual([])
  })

  it('200 with links even to rows in the trash when a relation becomes two-way', async () => {
    const [yards, tasks] = [await made(), await made()]
    const Yard = { relation: { data_source_id: yards.sourceId, single_property: {} } }
    await change(tasks.sourceId, { Yard })
    const yard = await makeRow(server.owner, yards.sourceId)
    const task = await makeRow(server.owner, tasks.sourceId, { Yard: links(yard) })
    await update(task, { in_trash: true })
    await change(tasks.sourceId, { Yard: { relation: { dual_property: { synced_property_name: 'Tasks' } } } })
    await update(task, { in_trash: false })
    expect((await valuesOf(server.owner, idOf(yard)))['Tasks']).toStrictEqual([{ id: idOf(task) }])
  })

  it('404 when a related page is closed to the member', async () => {
    const closed = idOf(await makeRow(server.owner, source(jobs)))
    const person = exampleWorkspace.people[1].id
    const member = await makeMember(server, person)
    await server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, closed, person, 'none', 1))
    const properties = { Jobs: { relation: [{ id: closed }] } }
    expectNotFound(await member.call('createPage', { body: { parent: { data_source_id: source(boats) }, properties } }), closed)
  })

  it('400 when a related page is a template', async () => {
    const template = idOf(await makeRow(server.owner, source(jobs)))
    await server.service.database.write((db) =>
      insertTemplate(db, exampleWorkspace.workspace.id, source(jobs), { id: template, isDefault: false, createdTime: 1 }),
    )
    expectInvalid(
      await server.owner.call('createPage', {
        body: { parent: { data_source_id: source(boats) }, properties: { Jobs: { relation: [{ id: template }] } } },
      }),
      'body.properties.Jobs.relation[0].id',
    )
  })
})
