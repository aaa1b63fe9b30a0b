import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { textTypes } from '../../harness/text_types.ts'

const ALL = ['read_content', 'insert_content', 'update_content'] as const

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const create = (body: object, caller = server.owner): Promise<TestResponse> =>
  caller.call('createDatabase', { body: { parent: { page_id: parent }, ...body } })
const withColumns = (properties: object): Promise<TestResponse> => create({ initial_data_source: { properties } })
const column = (name: string, config: object): Promise<TestResponse> => withColumns({ Job: { title: {} }, [name]: config })

describe('createDatabase', () => {
  it('200 with a complete database and its data source', async () => {
    const { status, body } = await create({
      title: [text('Repairs')],
      description: [text('All of them')],
      icon: { emoji: '🔧' },
      cover: { external: { url: 'https://example.org/c.jpg' } },
      is_inline: true,
    })
    expect(status).toBe(200)
    const id = idOf(body)
    const time = new Date(server.clock.now()).toISOString()
    const sourceId = String(at(body, 'data_sources', 0, 'id'))
    const common = {
      title: [readText('Repairs')],
      description: [readText('All of them')],
      is_inline: true,
      in_trash: false,
      created_time: time,
      last_edited_time: time,
      icon: { type: 'emoji', emoji: '🔧' },
      cover: { type: 'external', external: { url: 'https://example.org/c.jpg' } },
      url: `${server.url}/${id.replaceAll('-', '')}`,
      public_url: null,
      request_id: null,
    }
    expect({ ...body, request_id: null }).toStrictEqual({
      ...common,
      object: 'database',
      id,
      parent: { type: 'page_id', page_id: parent },
      is_locked: false,
      data_sources: [{ id: sourceId, name: 'Repairs' }],
    })
    const source = await server.owner.call('retrieveDataSource', { path: { data_source_id: sourceId } })
    const bot = { object: 'user', id: exampleWorkspace.bot.id }
    expect({ ...source.body, request_id: null }).toStrictEqual({
      ...common,
      object: 'data_source',
      id: sourceId,
      parent: { type: 'database_id', database_id: id },
      database_parent: { type: 'page_id', page_id: parent },
      created_by: bot,
      last_edited_by: bot,
      properties: { Name: { id: 'title', name: 'Name', description: null, type: 'title', title: {} } },
    })
    const read = await server.owner.call('retrieveDatabase', { path: { database_id: id.replaceAll('-', '').toUpperCase() } })
    expect({ ...read.body, request_id: null }).toStrictEqual({ ...body, request_id: null })
  })

  it("200 with a block on the page that has the database's title", async () => {
    const { body } = await create({ title: [text('Shed')] })
    expect((await children(server.owner, parent)).at(-1)).toMatchObject({
      id: idOf(body),
      type: 'child_database',
      child_database: { title: 'Shed' },
      has_children: false,
    })
    const untitled = await create({})
    expect((await children(server.owner, parent)).at(-1)).toMatchObject({
      id: idOf(untitled.body),
      child_database: { title: 'New database' },
    })
  })

  it('200 with the title New database in place of an empty title, although the data source keeps the empty one', async () => {
    for (const body of [{}, { title: [] }, { title: [text('')] }]) {
      const response = await create(body)
      expect(response.body).toMatchObject({
        title: [readText('New database')],
        data_sources: [{ name: 'New database' }],
      })
      const path = { data_source_id: String(at(response.body, 'data_sources', 0, 'id')) }
      expect((await server.owner.call('retrieveDataSource', { path })).body['title']).toStrictEqual([])
    }
  })

  it('200 for a null icon and cover, and with only the title column for omitted or empty settings', async () => {
    for (const initial of [undefined, {}]) {
      const { body } = await create({ icon: null, cover: null, ...(initial ? { initial_data_source: initial } : {}) })
      expect(body).toMatchObject({ icon: null, cover: null, is_inline: false })
      expect(Object.keys(await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id'))))).toStrictEqual(['Name'])
    }
  })

  it.each([
    ['rich_text', {}, {}],
    ['url', {}, {}],
    ['people', {}, {}],
    ['files', {}, {}],
    ['email', {}, {}],
    ...textTypes.map(({ type }): [string, object, object] => [type, {}, {}]),
    ['date', {}, {}],
    ['checkbox', {}, {}],
    ['created_by', {}, {}],
    ['created_time', {}, {}],
    ['last_edited_by', {}, {}],
    ['last_edited_time', {}, {}],
    ['button', {}, {}],
    ['location', {}, {}],
    ['verification', {}, {}],
    ['last_visited_time', {}, {}],
    ['place', {}, {}],
    ['number', {}, { format: 'number' }],
    ['number', { format: 'euro' }, { format: 'euro' }],
    ['unique_id', {}, { prefix: null }],
    ['unique_id', { prefix: null }, { prefix: null }],
    ['unique_id', { prefix: 'rep1234567' }, { prefix: 'REP1234567' }],
    ['select', {}, { options: [] }],
    ['multi_select', { options: [] }, { options: [] }],
    [
      'select',
      { options: [{ name: 'A', color: 'red', description: 'first' }, { name: 'B' }] },
      {
        options: [
          { name: 'A', color: 'red', description: 'first' },
          { name: 'B', color: 'default', description: null },
        ],
      },
    ],
  ])('200 with a column of type %s for %j', async (type, content, read) => {
    const { status, body } = await column('Col', { [type]: content, type, description: 'A note' })
    expect(status).toBe(200)
    const columns = await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id')))
    expect(columns['Col']).toMatchObject({ name: 'Col', type, description: 'A note', [type]: read })
    expect(columns['Col']?.['id']).toMatch(/^[A-Za-z0-9]{4}$/)
  })

  it('200 with three options in three groups for a status column without options', async () => {
    const { body } = await column('Stage', { status: {} })
    const columns = await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id')))
    const status = columns['Stage']?.['status']
    expect(status).toMatchObject({
      options: [
        { name: 'Not started', color: 'default', description: null },
        { name: 'In progress', color: 'blue' },
        { name: 'Done', color: 'green' },
      ],
      groups: [
        { name: 'To-do', color: 'gray' },
        { name: 'In progress', color: 'blue' },
        { name: 'Complete', color: 'green' },
      ],
    })
    for (const index of [0, 1, 2])
      expect(at(status, 'groups', index, 'option_ids')).toStrictEqual([at(status, 'options', index, 'id')])
  })

  it('200 with new status options in To-do unless they name a group', async () => {
    const { body } = await column('Stage', { status: { options: [{ name: 'x' }, { name: 'y', group: 'Complete' }] } })
    const columns = await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id')))
    const [x, y] = [0, 1].map((index) => at(columns['Stage'], 'status', 'options', index, 'id'))
    expect(at(columns['Stage'], 'status', 'groups')).toMatchObject([{ option_ids: [x] }, { option_ids: [] }, { option_ids: [y] }])
  })

  it('200 with an opposite for a two-way relation, and none for a one-way relation', async () => {
    const boats = await makeDatabase(server.owner, parent)
    const { body } = await create({
      title: [text('Jobs')],
      initial_data_source: {
        properties: {
          Job: { title: {} },
          Boat: { relation: { data_source_id: boats.sourceId, dual_property: {} } },
          Ship: {
            relation: { data_source_id: boats.sourceId, type: 'dual_property', dual_property: { synced_property_name: 'Work' } },
          },
          Hull: { relation: { data_source_id: boats.sourceId, single_property: {} } },
        },
      },
    })
    const sourceId = String(at(body, 'data_sources', 0, 'id'))
    const [jobs, there] = [await columnsOf(server.owner, sourceId), await columnsOf(server.owner, boats.sourceId)]
    expect(Object.keys(there)).toStrictEqual(['Name', 'Related to Jobs (Boat)', 'Work'])
    const target = { database_id: boats.id, data_source_id: boats.sourceId }
    const opposite = there['Related to Jobs (Boat)']?.['id']
    expect(jobs['Boat']?.['relation']).toStrictEqual({
      ...target,
      type: 'dual_property',
      dual_property: { synced_property_id: opposite, synced_property_name: 'Related to Jobs (Boat)' },
    })
    expect(jobs['Hull']?.['relation']).toStrictEqual({ ...target, type: 'single_property', single_property: {} })
    expect(there['Work']?.['relation']).toStrictEqual({
      database_id: idOf(body),
      data_source_id: sourceId,
      type: 'dual_property',
      dual_property: { synced_property_id: jobs['Ship']?.['id'], synced_property_name: 'Ship' },
    })
  })

  it('200 for a rollup of a property by its name or id', async () => {
    const parts = await makeDatabase(server.owner, parent, { Stock: { number: {} } })
    const stock = String((await columnsOf(server.owner, parts.sourceId))['Stock']?.['id'])
    for (const rolled of [{ rollup_property_name: 'Stock' }, { rollup_property_id: stock }]) {
      const { status, body } = await withColumns({
        Job: { title: {} },
        Sum: { rollup: { function: 'sum', relation_property_name: 'Parts', ...rolled } },
        Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
      })
      expect(status).toBe(200)
      const columns = await columnsOf(server.owner, String(at(body, 'data_sources', 0, 'id')))
      expect(columns['Sum']?.['rollup']).toStrictEqual({
        function: 'sum',
        relation_property_id: columns['Parts']?.['id'],
        relation_property_name: 'Parts',
        rollup_property_id: stock,
        rollup_property_name: 'Stock',
      })
    }
  })

  it('200 for a database at the top of the workspace', async () => {
    const { body } = await server.owner.call('createDatabase', { body: { parent: { workspace: true } } })
    expect(body).toMatchObject({ parent: { type: 'workspace', workspace: true } })
  })

  it('200 with a partial database when the caller may not read content', async () => {
    const writer = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { body } = await create({}, writer.caller)
    expect({ ...body, request_id: null }).toStrictEqual({ object: 'database', id: idOf(body), request_id: null })
  })

  it('400 for values that violate the contract', async () => {
    const runs = (count: number, content = 'x'): object[] => Array.from({ length: count }, () => text(content))
    expectInvalid(await server.owner.call('createDatabase', { body: {} }), 'body.parent')
    expectInvalid(await create({ parent: { workspace: false } }), 'body.parent.workspace')
    expectInvalid(await create({ title: runs(101) }), 'body.title.length')
    expectInvalid(await create({ title: runs(1, 'x'.repeat(2001)) }), 'body.title[0].text.content.length')
    expectInvalid(await create({ properties: {} }), 'body.properties')
    expectInvalid(await create({ archived: true }), 'body.archived')
    const location = 'body.initial_data_source.properties'
    expectInvalid(await column('Col', { rich_text: {}, description: '' }), `${location}.Col.description.length`)
    expectInvalid(await column('Col', { rich_text: {}, description: 'x'.repeat(281) }), `${location}.Col.description.length`)
    expectInvalid(await column('Col', { number: { format: 'doubloon' } }), `${location}.Col.number.format`)
    expectInvalid(await column('Col', { rich_text: {}, url: {} }), `${location}.Col.url`)
    expectInvalid(await column('Col', {}), `${location}.Col.rich_text`)
    expectInvalid(await column('Col', { type: 'url', rich_text: {} }), `${location}.Col.type`)
    expectInvalid(await column('Col', { unique_id: { prefix: 'a b' } }), `${location}.Col.unique_id.prefix`)
    expectInvalid(await column('Col', { unique_id: { prefix: 'x'.repeat(11) } }), `${location}.Col.unique_id.prefix.length`)
  })

  it('400 for invalid schemas', async () => {
    const location = 'body.initial_data_source.properties'
    expectInvalid(await withColumns({ Col: { rich_text: {} } }), location)
    expectInvalid(await withColumns({ A: { title: {} }, B: { title: {} } }), location)
    expectInvalid(await withColumns({ A: { title: {} }, B: { unique_id: {} }, C: { unique_id: {} } }), `${location}.C`)
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, index) => [`c${index}`, { url: {} }]))
    expectInvalid(await withColumns({ A: { title: {} }, ...many }), location)
    const wide = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`c${index}`, { url: {}, description: 'x'.repeat(index === 7 ? 280 : 180) }]),
    )
    const response = await withColumns({ A: { title: {} }, ...wide })
    expectInvalid(response, location)
    expect(response.body['message']).toMatch(/largest property is "c7" \(id [A-Za-z0-9]{4}, \d+ bytes\)/)
  })

  it.each([
    ['a repeated name', [{ name: 'a' }, { name: 'a' }], 'options[1].name'],
    ['a comma', [{ name: 'a,b' }], 'options[0].name'],
    ['no characters', [{ name: '' }], 'options[0].name.length'],
    ['101 characters', [{ name: 'x'.repeat(101) }], 'options[0].name.length'],
    ['101 options', Array.from({ length: 101 }, (_, index) => ({ name: `o${index}` })), 'options.length'],
    ['an unknown color', [{ name: 'a', color: 'teal' }], 'options[0].color'],
  ])('400 for options with %s', async (_what, options, location) => {
    for (const type of ['select', 'multi_select', 'status'])
      expectInvalid(await column('Col', { [type]: { options } }), `body.initial_data_source.properties.Col.${type}.${location}`)
  })

  it('400 or 404 for relations and rollups without a valid target', async () => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Go: { button: {} } })
    const location = 'body.initial_data_source.properties'
    const relation = { relation: { data_source_id: sourceId, single_property: {} } }
    const target = { ...relation.relation, database_id: exampleWorkspace.repairLog }
    expectInvalid(await column('Col', { relation: target }), `${location}.Col.relation.database_id`)
    const roll = (rollup: object): Promise<TestResponse> => withColumns({ A: { title: {} }, To: relation, Col: { rollup } })
    const plain = { function: 'count', relation_property_name: 'To', rollup_property_name: 'Name' }
    expectInvalid(await roll({ ...plain, relation_property_name: 'A' }), `${location}.Col.rollup`)
    expectInvalid(await roll({ ...plain, relation_property_name: 'Else' }), `${location}.Col.rollup`)
    expectInvalid(await roll({ ...plain, rollup_property_name: 'Else' }), `${location}.Col.rollup`)
    expectInvalid(await roll({ ...plain, rollup_property_name: 'Go' }), `${location}.Col.rollup`)
    expectInvalid(await roll({ ...plain, function: 'mode' }), `${location}.Col.rollup.function`)
    expectNotFound(
      await column('Col', { relation: { data_source_id: exampleWorkspace.repairLog, single_property: {} } }),
      exampleWorkspace.repairLog,
    )
    const opposite = { data_source_id: sourceId, dual_property: { synced_property_id: 'zzzz' } }
    expectInvalid(await column('Col', { relation: opposite }), `${location}.Col.relation.dual_property.synced_property_id`)
    const taken = { data_source_id: sourceId, dual_property: { synced_property_name: 'Name' } }
    expectInvalid(await column('Col', { relation: taken }), `${location}.Col.relation.dual_property.synced_property_name`)
  })

  it('400 when the parent is of the wrong kind or in the trash', async () => {
    const [page, database] = [await makePage(server.owner, 'Old'), await makeDatabase(server.owner, parent)]
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expectInvalid(
      await create({ parent: { page_id: await appendOne(server.owner, parent, paragraph('x')) } }),
      'body.parent.page_id',
    )
    expectInvalid(await create({ parent: { page_id: database.id } }), 'body.parent.page_id')
    expectError(await create({ parent: { page_id: page } }), 400, 'validation_error', 'body.parent')
    const internal = await makeConnection(server, { capabilities: ALL, grants: [parent] })
    expectInvalid(await internal.caller.call('createDatabase', { body: { parent: { workspace: true } } }), 'body.parent')
  })

  it('404 when a parent, relation target or mention is missing or not shared', async () => {
    const missing = randomUUID()
    const stranger = await makeConnection(server, { capabilities: ALL, grants: [await makePage(server.owner, 'Shared')] })
    expectNotFound(await create({ parent: { page_id: missing } }), missing)
    expectNotFound(await create({}, stranger.caller), parent)
    expectNotFound(await column('Col', { relation: { data_source_id: missing, single_property: {} } }), missing)
    expectNotFound(await create({ title: [{ mention: { page: { id: missing } } }] }), missing)
    const { sourceId } = await makeDatabase(server.owner, parent)
    expectNotFound(await create({ parent: { page_id: sourceId } }), sourceId)
  })

  it('401 without a token and 403 without the capability', async () => {
    expectError(await create({}, server.caller(undefined)), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [parent] })
    expectError(await create({}, reader.caller), 403, 'restricted_resource')
  })
})
