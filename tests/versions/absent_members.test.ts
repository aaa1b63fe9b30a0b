/** Members that some clients set to null, `""` or `[]`, and others omit. */

import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newestRelease, type ReleaseDate } from '../../server/versions/index.ts'
import type { TestResponse } from '../harness/responses.ts'
import { makeComment } from '../harness/comments.ts'
import { appendOne, makePage, paragraph, text } from '../harness/content.ts'
import { expectInvalid } from '../harness/expectations.ts'
import { at, idOf, isObject, type JsonObject } from '../harness/json.ts'
import { columnsOf, makeDatabase } from '../harness/databases_content.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner)
const target = exampleWorkspace.dataSources.boats

const TYPES_WITHOUT_REQUIRED_SETTINGS = [
  ...['rich_text', 'number', 'select', 'multi_select', 'status', 'date', 'people', 'files', 'checkbox', 'url', 'email'],
  ...['phone_number', 'formula', 'unique_id', 'created_time', 'created_by', 'last_edited_time', 'last_edited_by', 'place'],
]

function create(properties: object, version: ReleaseDate = newestRelease): Promise<TestResponse> {
  const body = { parent: { page_id: parent }, properties: { Name: { title: {} }, ...properties } }
  return server.caller(TOKEN, version).call('createDatabase', { body })
}

/** The column `Col` of a new database, without ids. */
async function created(config: object): Promise<unknown> {
  const { status, body } = await create({ Col: config })
  expect([config, status, body['message']]).toStrictEqual([config, 200, undefined])
  return withoutIds((await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id'))))['Col'])
}

function withoutIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIds)
  if (!isObject(value)) return value
  const { id: _id, synced_property_id: _other, synced_property_name: _name, option_ids: options, ...rest } = value
  const kept = Object.fromEntries(Object.entries(rest).map(([key, item]) => [key, withoutIds(item)]))
  return Array.isArray(options) ? { ...kept, options: options.length } : kept
}

describe('a new property with absent members', () => {
  it.each(TYPES_WITHOUT_REQUIRED_SETTINGS)(
    '200 for %s with null or empty members, creating the same property as `{}`',
    async (type) => {
      const plain = await created({ [type]: {} })
      expect(await created({ [type]: null })).toStrictEqual(plain)
      expect(await created({ id: '', type, name: '', description: null, [type]: null })).toStrictEqual(plain)
      expect(await created({ id: null, name: null, description: null, [type]: null })).toStrictEqual(plain)
    },
  )

  it.each<[left_out: object, written: object]>([
    [{ status: {} }, { status: { options: [] } }],
    [{ status: {} }, { status: { options: [], groups: [] } }],
    [{ status: {} }, { status: { options: null, groups: null } }],
    [{ status: { options: [{ name: 'A' }] } }, { status: { options: [{ id: '', name: 'A', group: '' }], groups: null } }],
    [{ status: { options: [{ name: 'A' }] } }, { status: { options: [{ id: null, name: 'A', color: null, group: null }] } }],
    [{ status: {} }, { status: { groups: [{ id: '', name: 'Complete', color: null, option_ids: null }] } }],
    [{ select: {} }, { select: { options: null } }],
    [{ multi_select: {} }, { multi_select: { options: null } }],
    [{ select: { options: [{ name: 'A' }] } }, { select: { options: [{ id: '', name: 'A', color: null, description: null }] } }],
    [{ number: {} }, { number: { format: null } }],
    [{ formula: {} }, { formula: { expression: null } }],
    [{ formula: {} }, { formula: { expression: '' } }],
    [{ unique_id: {} }, { unique_id: { prefix: '' } }],
    [
      { relation: { data_source_id: target, single_property: {} } },
      { relation: { data_source_id: target, single_property: null } },
    ],
    [
      { relation: { data_source_id: target, single_property: {} } },
      { relation: { database_id: '', data_source_id: target, type: 'single_property', single_property: {} } },
    ],
    [
      { relation: { data_source_id: target, single_property: {} } },
      { relation: { database_id: exampleWorkspace.boatRegister, data_source_id: target, single_property: {} } },
    ],
    [{ relation: { data_source_id: target, dual_property: {} } }, { relation: { data_source_id: target, dual_property: null } }],
    [
      { relation: { data_source_id: target, dual_property: {} } },
      { relation: { data_source_id: target, dual_property: { synced_property_id: '', synced_property_name: null } } },
    ],
  ])('200 for %j as for %j', async (leftOut, written) => {
    expect(await created(written)).toStrictEqual(await created(leftOut))
  })

  it('200 for a rollup with empty ids beside the names, or empty names beside the ids', async () => {
    const { sourceId: related } = await makeDatabase(server.owner, parent)
    const relation = { relation: { data_source_id: related, single_property: {} } }
    for (const nothing of ['', null]) {
      const byName = { relation_property_name: 'To', rollup_property_name: 'Name' }
      const ids = { relation_property_id: nothing, rollup_property_id: nothing }
      const made = await create({ To: relation, Count: { rollup: { function: 'count', ...byName, ...ids } } })
      expect([made.status, made.body['message']]).toStrictEqual([200, undefined])
      const sourceId = String(at(made.body, 'data_sources', 0, 'id'))
      const { rollup } = (await columnsOf(server.owner, sourceId))['Count'] ?? {}
      const { relation_property_id, rollup_property_id, ...rest } = rollup as JsonObject
      const names = { relation_property_name: nothing, rollup_property_name: nothing }
      const again = { rollup: { function: rest['function'], relation_property_id, rollup_property_id, ...names } }
      const path = { data_source_id: sourceId }
      const changed = await server.owner.call('updateDataSource', { path, body: { properties: { Count: again } } })
      expect(at(changed.body, 'properties', 'Count', 'rollup')).toStrictEqual(rollup)
    }
  })

  it.each<ReleaseDate>(['2021-05-13', '2022-06-28', '2025-09-03'])('200 for null settings at %s', async (version) => {
    expect(
      (await create({ Stage: { status: null }, Kind: { select: { options: null } }, Due: { date: null } }, version)).status,
    ).toBe(200)
  })

  it.each([{ relation: null }, { rollup: null }, { relation: { data_source_id: null, single_property: {} } }])(
    '400 for %j, since the settings are required',
    async (config) => {
      expect((await create({ Col: config })).status).toBe(400)
    },
  )
})

describe('an existing property with absent members', () => {
  it('200 without change for null or empty members', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, {
      Stage: { status: { options: [{ name: 'Ready', group: 'Complete' }] }, description: 'Where it is' },
      Kind: { select: { options: [{ name: 'Sail' }] } },
      Price: { number: { format: 'euro' } },
      Double: { formula: { expression: 'prop("Price") * 2' } },
      To: { relation: { data_source_id: target, dual_property: {} } },
    })
    const before = await columnsOf(server.owner, sourceId)
    const path = { data_source_id: sourceId }
    for (const properties of [
      [],
      { Stage: { status: null }, Kind: { select: null }, Price: { number: null }, Double: { formula: null } },
      { Stage: { status: { options: [], groups: [] } }, Price: { number: { format: null } } },
      { Stage: { status: { options: null, groups: null } }, Kind: { select: { options: null } } },
      {
        Stage: { id: '', name: null, status: {} },
        Kind: { id: null, name: null, select: { options: [{ id: '', name: 'Sail' }] } },
      },
      { Stage: { status: { options: [{ name: 'Ready', group: null }] } }, Double: { formula: { expression: null } } },
      { To: { relation: { dual_property: null } } },
      { To: { relation: { dual_property: { synced_property_id: '', synced_property_name: '' } } } },
    ]) {
      const { status, body } = await server.owner.call('updateDataSource', { path, body: { properties } })
      expect([status, body['message']]).toStrictEqual([200, undefined])
      expect(await columnsOf(server.owner, sourceId)).toStrictEqual(before)
    }
  })

  it('400 for an option without id and name', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Kind: { select: {} } })
    const body = { properties: { Kind: { select: { options: [{ id: '' }] } } } }
    const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
    expectInvalid(response, 'body.properties.Kind.select.options[0]')
  })
})

describe('values with absent members', () => {
  it('200 for an option with a name and an empty id', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Kind: { select: { options: [{ name: 'Sail' }] } } })
    const row = idOf((await server.owner.call('createPage', { body: { parent: { data_source_id: sourceId } } })).body)
    for (const id of ['', null]) {
      const properties = { Kind: { id: '', type: 'select', name: 'Kind', select: { id, name: 'Sail' } } }
      const { body } = await server.owner.call('updatePage', { path: { page_id: row }, body: { properties } })
      expect(at(body, 'properties', 'Kind', 'select', 'name')).toBe('Sail')
    }
  })
})

describe('an empty array instead of a map', () => {
  it.each<ReleaseDate>(['2021-05-13', '2022-06-28', '2025-09-03', newestRelease])(
    '200 for `properties` of pages at %s',
    async (version) => {
      const caller = server.caller(TOKEN, version)
      const made = await caller.call('createPage', { body: { parent: { page_id: parent }, properties: [] } })
      expect([made.status, at(made.body, 'properties', 'title', 'title')]).toStrictEqual([200, []])
      const changed = await caller.call('updatePage', { path: { page_id: idOf(made.body) }, body: { properties: [] } })
      expect(changed.status).toBe(200)
    },
  )

  it('200 for `properties` of an older update of a database', async () => {
    const caller = server.caller(TOKEN, '2022-06-28')
    const path = { database_id: exampleWorkspace.boatRegister }
    const before = await caller.call('retrieveDatabase', { path })
    const { status, body } = await caller.call('updateDatabase', { path, body: { properties: [] } })
    expect([status, body['properties']]).toStrictEqual([200, before.body['properties']])
  })

  it('200 for `quick_filters` of a view', async () => {
    const path = { view_id: exampleWorkspace.views.allJobs }
    const { status, body } = await server.owner.call('updateView', { path, body: { quick_filters: [] } })
    expect([status, body['message']]).toStrictEqual([200, undefined])
  })

  it.each<ReleaseDate>(['2022-06-28', newestRelease])('200 for the schema of a property at %s', async (version) => {
    const caller = server.caller(TOKEN, version)
    const relation =
      version === newestRelease
        ? { data_source_id: exampleWorkspace.dataSources.boats }
        : { database_id: exampleWorkspace.boatRegister }
    const properties = {
      Name: { title: [] },
      Done: { checkbox: [] },
      Boat: { relation: { ...relation, single_property: [] } },
      Kind: { select: [] },
    }
    const body = version === newestRelease ? { initial_data_source: { properties } } : { properties }
    const made = await caller.call('createDatabase', { body: { parent: { page_id: parent }, ...body } })
    expect([made.status, made.body['message']]).toStrictEqual([200, undefined])
    const changed = await caller.call('updateDatabase', {
      path: { database_id: idOf(made.body) },
      body: version === newestRelease ? { title: [] } : { properties: { Done: { checkbox: [] }, When: { date: [] } } },
    })
    expect([changed.status, changed.body['message']]).toStrictEqual([200, undefined])
  })

  it('200 for blocks without content members, and 400 where an object needs members', async () => {
    const append = (children: object[]): ReturnType<typeof server.owner.call> =>
      server.owner.call('appendBlockChildren', { path: { block_id: parent }, body: { children } })
    const { status, body } = await append([{ divider: [] }, { breadcrumb: [] }])
    expect([status, body['message']]).toStrictEqual([200, undefined])
    expectInvalid(await append([{ equation: [] }]), 'body.children[0].equation.expression')
    expectInvalid(await append([{ divider: [1] }]), 'body.children[0].divider')
  })

  it('400 for an array with items, and for an empty one as the schema of a new database, which needs a title', async () => {
    const body = { parent: { page_id: parent }, properties: ['Name'] }
    expectInvalid(await server.owner.call('createPage', { body }), 'body.properties')
    expectInvalid(await server.owner.call('createDatabase', { body: { ...body, properties: [] } }), 'body.properties')
  })
})

describe('a reply that names both its discussion and a parent', () => {
  it('200 for the parent of the discussion, and 400 for another parent', async () => {
    const block = await appendOne(server.owner, parent, paragraph('Depth'))
    const rich_text = [text('2 m')]
    const onPage = await makeComment(server.owner, { parent: { page_id: parent }, rich_text })
    const onBlock = await makeComment(server.owner, { parent: { block_id: block }, rich_text })
    const reply = ({ discussion_id }: JsonObject, written: object): Promise<TestResponse> =>
      server.owner.call('createComment', { body: { discussion_id, parent: written, rich_text } })
    for (const [comment, written] of [
      [onPage, onPage['parent']],
      [onPage, { page_id: parent.replaceAll('-', '').toUpperCase() }],
      [onPage, { block_id: parent }],
      [onBlock, onBlock['parent']],
      [onBlock, {}],
    ] as const) {
      const { status, body } = await reply(comment, written as object)
      expect([status, body['discussion_id'], body['parent']]).toStrictEqual([200, comment['discussion_id'], comment['parent']])
    }
    expectInvalid(await reply(onPage, { block_id: block }), 'body.parent.block_id')
    expectInvalid(await reply(onPage, { page_id: exampleWorkspace.pages.handbook }), 'body.parent.page_id')
    expectInvalid(await reply(onBlock, { page_id: parent }), 'body.parent.page_id')
    expectInvalid(await reply(onBlock, { page_id: block }), 'body.parent.page_id')
  })
})

describe('filter_properties', () => {
  it('200 with the values by name or id', async () => {
    const path = { page_id: exampleWorkspace.rows.jobs.mast }
    const { body } = await server.owner.call('retrievePage', { path })
    const properties = body['properties'] as Record<string, JsonObject>
    const names = Object.keys(properties)
    for (const name of names) {
      const id = String(properties[name]?.['id'])
      for (const key of [name, id, decodeURIComponent(id)])
        for (const operation of ['retrievePage', 'updatePage'] as const) {
          const shown = await server.owner.call(operation, {
            path,
            query: { filter_properties: [key] },
            ...(operation === 'updatePage' ? { body: {} } : {}),
          })
          expect(Object.keys(shown.body['properties'] as object)).toStrictEqual([name])
        }
    }
    const two = await server.owner.call('retrievePage', { path, query: { filter_properties: [names[2] ?? '', names[0] ?? ''] } })
    expect(Object.keys(two.body['properties'] as object).toSorted()).toStrictEqual([names[0], names[2]].toSorted())
  })
})
