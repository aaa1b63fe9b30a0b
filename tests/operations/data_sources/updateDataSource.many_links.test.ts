import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import type { Caller } from '../../harness/caller.ts'
import { makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, readRow, valuesOf } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// A request names at most a hundred related pages; further ones come from the other side of a two-way relation.

const rows: string[] = []
const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const boats = await makeDatabase(server.owner, parent)
const jobs = await makeDatabase(server.owner, parent, {
  Boat: { relation: { data_source_id: boats.sourceId, dual_property: { synced_property_name: 'Jobs' } } },
})
const Count = { formula: { expression: 'prop("Jobs").length()' } }
await change(boats.sourceId, { Count })
for (let count = 0; count < 102; count += 1) rows.push(idOf(await makeRow(server.owner, jobs.sourceId)))

const relation = (...ids: readonly string[]): object => ({ relation: ids.map((id) => ({ id })) })

async function change(sourceId: string, properties: object): Promise<void> {
  const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties } })
  if (response.status !== 200) throw new Error(response.text)
}

async function update(id: string, properties: object, caller: Caller = server.owner): Promise<JsonObject> {
  const response = await caller.call('updatePage', { path: { page_id: id }, body: { properties } })
  if (response.status !== 200) throw new Error(response.text)
  return response.body
}

/** A boat with all jobs. A hundred of the links are written on the boat, the others on the jobs. */
async function busyBoat(): Promise<string> {
  const boat = idOf(await makeRow(server.owner, boats.sourceId, { Jobs: relation(...rows.slice(0, 100)) }))
  for (const job of rows.slice(100)) {
    const linked = (await valuesOf(server.owner, job))['Boat'] as { id: string }[]
    await update(job, { Boat: relation(...linked.map(({ id }) => id), boat) })
  }
  return boat
}

/** Ids of all related pages, read through the property item. */
async function linksOf(id: string, name: string, sourceId: string): Promise<unknown[]> {
  const path = { page_id: id, property_id: String((await columnsOf(server.owner, sourceId))[name]?.['id']) }
  const ids: unknown[] = []
  for (let cursor: unknown = null; ;) {
    const query: Record<string, string> = typeof cursor === 'string' ? { start_cursor: cursor } : {}
    const { body } = await server.owner.call('retrievePageProperty', { path, query })
    ids.push(...resultsOf(body).map((item) => at(item, 'relation', 'id')))
    cursor = body['next_cursor']
    if (cursor === null) return ids
  }
}

describe('updateDataSource: relations with more than a hundred pages', () => {
  it('200 with the other links kept when one is removed on the other side, and with all of them once few remain', async () => {
    const boat = await busyBoat()
    const setFreeQuota = (job: string): Promise<JsonObject> => update(job, { Boat: relation() })
    await setFreeQuota(rows[0] ?? '')
    expect((await valuesOf(server.owner, boat))['Count']).toMatchObject({ number: 101 })
    expect(await linksOf(boat, 'Jobs', boats.sourceId)).toStrictEqual(rows.slice(1))
    for (const job of rows.slice(1, 90)) await setFreeQuota(job)
    const left = rows.slice(90).map((id) => ({ id }))
    expect(at(await readRow(server.owner, boat), 'properties', 'Jobs')).toMatchObject({ relation: left, has_more: false })
  })

  it('200 for a filter without an index, with a match for the last of more than a hundred links', async () => {
    const boat = await busyBoat()
    const all = { property: 'Count', formula: { number: { equals: rows.length } } }
    const found = async (job: string): Promise<unknown[]> => {
      const filter = { and: [{ property: 'Jobs', relation: { contains: job } }, all] }
      const response = await server.owner.call('queryDataSource', { path: { data_source_id: boats.sourceId }, body: { filter } })
      return resultsOf(response.body).map(({ id }) => id)
    }
    expect(await found(rows[101] ?? '')).toContain(boat)
    expect(await found(boat)).toStrictEqual([])
  })

  it('200 with replaced links on the other side of each page', async () => {
    const boat = await busyBoat()
    await update(boat, { Jobs: relation(rows[1] ?? '') })
    for (const [job, isLinked] of [rows[0], rows[1], rows[101]].map((job, index) => [job ?? '', index === 1] as const)) {
      const linked = (await valuesOf(server.owner, job))['Boat']
      if (isLinked) expect(linked).toContainEqual({ id: boat })
      else expect(linked).not.toContainEqual({ id: boat })
    }
  })

  it('200, keeping the links that the writing member cannot see', async () => {
    const person = exampleWorkspace.people[1].id
    const [boat, hidden = '', seen = ''] = [await busyBoat(), rows[101], rows[2]]
    const member = await makeMember(server, person)
    const setAccess = (level: 'none' | null): Promise<void> =>
      server.service.database.write((db) => setMemberAccess(db, exampleWorkspace.workspace.id, hidden, person, level, 1))
    await setAccess('none')
    await update(boat, { Jobs: relation(seen) }, member)
    await setAccess(null)
    expect(await linksOf(boat, 'Jobs', boats.sourceId)).toStrictEqual([seen, hidden])
  })

  it('200 with all links, once each, in a new opposite', async () => {
    const boat = await busyBoat()
    await change(boats.sourceId, { Jobs: { relation: { single_property: {} } } })
    await change(boats.sourceId, { Jobs: { relation: { dual_property: { synced_property_name: 'Again' } } } })
    for (const job of [rows[0], rows[101]])
      expect((await valuesOf(server.owner, job ?? ''))['Again']).toContainEqual({ id: boat })
    expect(await linksOf(boat, 'Jobs', boats.sourceId)).toStrictEqual(rows)
  })
})
