/** Records can be sent back as they were read: the contract declares the read-only members, and `x-read-only-of` derives them. */

import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newId } from '../../server/kernel/ids.ts'
import { newestRelease, releaseDates } from '../../server/versions/index.ts'
import type { Caller } from '../harness/caller.ts'
import { commentOn } from '../harness/comments.ts'
import { append, makePage, paragraph, text } from '../harness/content.ts'
import { engine } from '../harness/databases.ts'
import { everyType, Listening } from '../harness/events.ts'
import { expectInvalid } from '../harness/expectations.ts'
import { at, idOf, isObject, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { kinds, sampleRecords, type Kind, type SampleRecord } from './sample_records.ts'
import { without } from './blocks.ts'
import { someRows } from '../harness/long_runs.ts'

const server = await serverOfFile()

/** Types of properties whose values the service computes. */
const COMPUTED = ['formula', 'rollup', 'unique_id', 'created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'button']

let records: SampleRecord[]

beforeAll(async () => {
  records = await sampleRecords(server.owner)
})

function read(caller: Caller, kind: Kind, id: string): ReturnType<Caller['call']> {
  return caller.call(kinds[kind].retrieve, { path: { [kinds[kind].parameter]: id } })
}

function update(caller: Caller, kind: Kind, id: string, body: unknown): ReturnType<Caller['call']> {
  return caller.call(kinds[kind].update, { path: { [kinds[kind].parameter]: id }, body })
}

function withoutComputed(record: JsonObject): JsonObject {
  const { properties } = record
  if (record['object'] !== 'page' || !isObject(properties)) return record
  const kept = Object.entries(properties).filter(([, value]) => !COMPUTED.includes(String(at(value, 'type'))))
  return { ...record, properties: Object.fromEntries(kept) }
}

function content(record: JsonObject): JsonObject {
  return without(record, 'request_id')
}

/** Kinds that a version does not support: it lacks their operations, or parts that they need. */
const UNKNOWN = /does not exist in version|which version .* does not support|no data source that version/

describe('a record sent back in the form in which it was read', () => {
  it.each(engine === 'sqlite' ? someRows([...new Set([newestRelease, ...releaseDates])], 2) : [newestRelease])(
    '200 without change at %s',
    async (version) => {
      const caller = server.caller(TOKEN, version)
      const met = new Set<string>()
      for (const { kind, id } of records) {
        const before = await read(caller, kind, id)
        if (before.status === 400 && UNKNOWN.test(textAt(before.body, 'message'))) continue
        server.clock.advance(60_000)
        const { status, body } = await update(caller, kind, id, withoutComputed(before.body))
        expect([kind, id, status, body['message']]).toStrictEqual([kind, id, 200, undefined])
        const after = await read(caller, kind, id)
        expect([kind, id, content(withoutComputed(after.body))]).toStrictEqual([kind, id, content(withoutComputed(before.body))])
        met.add(kind)
      }
      const younger = version < '2025-09-03' ? ['data_source', 'view'] : []
      expect([...met, ...younger].toSorted()).toStrictEqual(Object.keys(kinds).toSorted())
    },
  )

  it('200 without any event', async () => {
    const listening = await Listening.start(server, { connectionId: exampleWorkspace.connection.id, types: everyType() })
    const events = await listening.eventsBy(async () => {
      for (const { kind, id } of records)
        await update(server.owner, kind, id, withoutComputed((await read(server.owner, kind, id)).body))
    })
    expect(events).toStrictEqual([])
  })

  it.each(Object.keys(kinds) as Kind[])('200 for a %s whose read-only members are null or empty', async (kind) => {
    const record = records.find((one) => one.kind === kind)
    const { body } = await read(server.owner, kind, record?.id ?? '')
    const text = kind === 'comment' ? { rich_text: body['rich_text'] } : {}
    for (const nothing of [null, '']) {
      const changed = await update(server.owner, kind, idOf(body), {
        ...text,
        id: nothing,
        created_time: nothing,
        request_id: nothing,
      })
      expect(changed.status).toBe(200)
    }
  })

  it('200 for a block in the trash, which is restored whatever read-only members stand beside `in_trash`', async () => {
    const page = await makePage(server.owner)
    const [block] = await append(server.owner, page, [paragraph('Chocks')])
    const id = idOf(block)
    await update(server.owner, 'block', id, { in_trash: true })
    const restored = await update(server.owner, 'block', id, { object: 'block', id, parent: { page_id: page }, in_trash: false })
    expect([restored.status, restored.body['in_trash']]).toStrictEqual([200, false])
  })
})

describe('a read-only member with another value', () => {
  const other = newId()
  const { handbook, checklist } = exampleWorkspace.pages
  const rows: [kind: Kind, id: string, body: object, path: string][] = [
    ['page', checklist, { id: other }, 'body.id'],
    ['page', checklist, { object: 'block' }, 'body.object'],
    ['page', checklist, { parent: { type: 'page_id', page_id: other } }, 'body.parent.page_id'],
    ['page', checklist, { parent: { type: 'workspace', workspace: true } }, 'body.parent.workspace'],
    ['page', checklist, { parent: 'handbook' }, 'body.parent'],
    ['block', checklist, { id: other }, 'body.id'],
    ['block', checklist, { type: 'child_page', child_page: { title: 'Renamed' } }, 'body.child_page'],
    ['block', checklist, { parent: { block_id: handbook } }, 'body.parent.block_id'],
    ['database', exampleWorkspace.boatRegister, { id: other }, 'body.id'],
    ['database', exampleWorkspace.boatRegister, { parent: { type: 'block_id', block_id: handbook } }, 'body.parent.block_id'],
    ['data_source', exampleWorkspace.dataSources.boats, { id: other }, 'body.id'],
    [
      'data_source',
      exampleWorkspace.dataSources.boats,
      { properties: { Jobs: { id: 'nope', relation: {} } } },
      'body.properties.Jobs.id',
    ],
    [
      'data_source',
      exampleWorkspace.dataSources.boats,
      { properties: { Jobs: { relation: { database_id: other } } } },
      'body.properties.Jobs.relation.database_id',
    ],
    ['view', exampleWorkspace.views.allJobs, { id: other }, 'body.id'],
    ['view', exampleWorkspace.views.allJobs, { type: 'board' }, 'body.type'],
    ['view', exampleWorkspace.views.allJobs, { data_source_id: exampleWorkspace.dataSources.boats }, 'body.data_source_id'],
    ['view', exampleWorkspace.views.allJobs, { parent: { database_id: other } }, 'body.parent.database_id'],
    ['view', exampleWorkspace.views.yardOverview, { configuration: { type: 'dashboard', rows: [] } }, 'body.configuration.rows'],
  ]
  it.each(rows)('400 for %s %s %j', async (kind, id, body, path) => {
    const before = await read(server.owner, kind, id)
    expectInvalid(await update(server.owner, kind, id, body), path)
    const after = await read(server.owner, kind, id)
    expect(without(after.body, 'request_id')).toStrictEqual(without(before.body, 'request_id'))
  })

  it('400 for a comment with another discussion or parent', async () => {
    const page = await makePage(server.owner)
    const comment = await commentOn(server.owner, page)
    const rich_text = [text('Said again')]
    for (const [body, path] of [
      [{ discussion_id: newId() }, 'body.discussion_id'],
      [{ parent: { page_id: newId() } }, 'body.parent.page_id'],
      [{ id: newId() }, 'body.id'],
    ] as const)
      expectInvalid(await update(server.owner, 'comment', idOf(comment), { rich_text, ...body }), path)
  })

  it('400 for the width of a table', async () => {
    const table = resultsOf(
      (await server.owner.call('listBlockChildren', { path: { block_id: exampleWorkspace.pages.launchPlan } })).body,
    )
      .filter(({ type }) => type === 'table')
      .map(idOf)[0]
    const response = await update(server.owner, 'block', table ?? '', { table: { table_width: 5 } })
    expectInvalid(response, 'body.table.table_width')
  })
})

describe('unknown keys beside the members of a record', () => {
  it.each(Object.keys(kinds) as Kind[])('400 for a %s with a key that no version has', async (kind) => {
    const { id } = records.find((one) => one.kind === kind) ?? { id: '' }
    const response = await update(server.owner, kind, id, { ...(kind === 'comment' ? { markdown: 'Said' } : {}), mast_height: 3 })
    expect(response.body['message']).toMatch(/body\.mast_height should be not present/)
  })

  it('400 for values of computed properties, with that reason', async () => {
    const row = exampleWorkspace.rows.jobs.mast
    const { body } = await read(server.owner, 'page', row)
    const properties = isObject(body['properties']) ? Object.entries(body['properties']) : []
    const computed = properties.filter(([, value]) => COMPUTED.includes(String(at(value, 'type'))))
    expect(computed.length).toBeGreaterThan(3)
    for (const [name, value] of computed) {
      const response = await update(server.owner, 'page', row, { properties: { [name]: value } })
      expectInvalid(response, `body.properties.${name}.${String(at(value, 'type'))}`)
      expect(response.body['message']).toMatch(/should be not present, because the service computes it/)
    }
  })
})

describe('a new record created from one that was read', () => {
  it('200 for a page', async () => {
    const parent = await makePage(server.owner)
    const { body } = await read(server.owner, 'page', await makePage(server.owner, 'Slip', parent))
    const made = await server.owner.call('createPage', { body })
    expect([made.status, made.body['parent']]).toStrictEqual([200, body['parent']])
    expect(made.body['id']).not.toBe(body['id'])
  })

  it('200 for a database, with the schema of its data source', async () => {
    const { body } = await read(server.owner, 'database', exampleWorkspace.boatRegister)
    const made = await server.owner.call('createDatabase', { body })
    expect([made.status, made.body['title']]).toStrictEqual([200, body['title']])
  })

  it('200 for a data source', async () => {
    const { body } = await read(server.owner, 'data_source', exampleWorkspace.dataSources.spareParts)
    const properties = { Name: { id: '', name: 'Name', type: 'title', description: null, title: {} } }
    const description = [text('Kept in the loft')]
    const made = await server.owner.call('createDataSource', { body: { ...body, description, properties } })
    expect([made.status, at(made.body, 'description', 0, 'plain_text')]).toStrictEqual([200, 'Kept in the loft'])
  })

  it('400 for a property under another name', async () => {
    const parent = { page_id: await makePage(server.owner) }
    const initial_data_source = { properties: { Name: { name: 'Title', title: {} } } }
    expectInvalid(
      await server.owner.call('createDatabase', { body: { parent, initial_data_source } }),
      'body.initial_data_source.properties.Name.name',
    )
  })

  it.each(['in_trash', 'archived', 'is_archived', 'is_locked'])('400 for a page with %s', async (flag) => {
    const parent = { page_id: await makePage(server.owner) }
    expectInvalid(await server.owner.call('createPage', { body: { parent, [flag]: true } }), `body.${flag}`)
    expect((await server.owner.call('createPage', { body: { parent, [flag]: false } })).status).toBe(200)
  })

  it('200 for a view, once a target is given', async () => {
    const { body } = await read(server.owner, 'view', exampleWorkspace.views.allJobs)
    const made = await server.owner.call('createView', {
      body: {
        ...body,
        database_id: exampleWorkspace.repairLog,
        filter: undefined,
        sorts: undefined,
        quick_filters: undefined,
        configuration: undefined,
      },
    })
    expect([made.status, made.body['name']]).toStrictEqual([200, body['name']])
  })

  it('200 for a comment', async () => {
    const page = await makePage(server.owner)
    const { discussion_id: _discussion, display_name: _name, ...comment } = await commentOn(server.owner, page)
    const made = await server.owner.call('createComment', { body: comment })
    expect([made.status, made.body['rich_text']]).toStrictEqual([200, comment['rich_text']])
  })
})
