import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeTracker, makeView, retrieveView, updateView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const tracker = await makeTracker(server.owner, page)

const make = async (body: object = {}): Promise<string> => idOf(await makeView(server.owner, tracker, body))
const change = async (id: string, body: object): Promise<JsonObject> => {
  const { status, body: changed } = await updateView(server.owner, id, body)
  expect({ status, changed }).toMatchObject({ status: 200 })
  const read = await retrieveView(server.owner, id)
  expect({ ...read.body, request_id: null }).toStrictEqual({ ...changed, request_id: null })
  return changed
}
const now = (): string => new Date(server.clock.now()).toISOString()

describe('updateView', () => {
  it('200 with the sent members changed, and the edit recorded', async () => {
    const filter = { property: 'Cost', number: { greater_than: 1 } }
    const sorts = [{ timestamp: 'created_time', direction: 'ascending' }]
    const id = await make({ filter, sorts })
    const made = now()
    server.clock.advance(1000)
    const { Cost, Due } = tracker.columns
    expect(await change(id, { name: 'Every job' })).toMatchObject({
      name: 'Every job',
      created_time: made,
      last_edited_time: now(),
      filter: { property: Cost },
      sorts,
    })
    expect(await change(id, { sorts: [{ property: 'Due', direction: 'descending' }] })).toMatchObject({
      filter: { property: Cost },
      sorts: [{ property: Due, direction: 'descending' }],
    })
    expect(await change(id, { filter: { property: 'Due', date: { before: 'today' } } })).toMatchObject({
      filter: { property: Due, date: { before: 'today' } },
    })
    expect(await change(id, { filter: null, sorts: null })).toMatchObject({ filter: null, sorts: null })
    expect(await change(id, { sorts: [] })).toMatchObject({ sorts: null })
  })

  it('200 without change for an empty request', async () => {
    const id = await make()
    const before = (await retrieveView(server.owner, id)).body
    server.clock.advance(1000)
    expect({ ...(await change(id, {})), request_id: null }).toStrictEqual({ ...before, request_id: null })
  })

  it('200 with quick filters merged by key; a null value removes one filter, and null for the member removes all', async () => {
    const { Cost = '', Owner = '', Approved = '' } = tracker.columns
    const owner = { people: { contains: 'me' } }
    const id = await make({ quick_filters: { Cost: { number: { equals: 1 } }, Owner: owner } })
    const approved = { checkbox: { equals: true } }
    expect((await change(id, { quick_filters: { [Cost]: null, Approved: approved } }))['quick_filters']).toStrictEqual({
      [Owner]: owner,
      [Approved]: approved,
    })
    expect(
      (await change(id, { quick_filters: { Approved: { checkbox: { equals: false } }, Cost: null } }))['quick_filters'],
    ).toStrictEqual({
      [Owner]: owner,
      [Approved]: { checkbox: { equals: false } },
    })
    expect((await change(id, { quick_filters: { Approved: null, Owner: null } }))['quick_filters']).toBeNull()
    await change(id, { quick_filters: { Owner: owner } })
    expect((await change(id, { quick_filters: null }))['quick_filters']).toBeNull()
  })

  it('200 with the configuration merged: omitted members stay, null removes a member, and lists are replaced', async () => {
    const group_by = { type: 'checkbox', property_id: 'Approved', sort: { type: 'manual' } }
    const id = await make({
      type: 'board',
      configuration: {
        type: 'board',
        group_by,
        sub_group_by: { type: 'select', property_id: 'Priority', sort: { type: 'manual' } },
        properties: [{ property_id: 'Job' }, { property_id: 'Due' }],
        cover_size: 'small',
        card_layout: 'list',
      },
    })
    const changed = await change(id, {
      configuration: {
        type: 'board',
        group_by: { type: 'number', property_id: 'Cost', sort: { type: 'ascending' } },
        sub_group_by: null,
        properties: [{ property_id: 'Due', visible: false }],
        card_layout: null,
        cover_aspect: null,
      },
    })
    const { Cost, Due } = tracker.columns
    expect(changed['configuration']).toStrictEqual({
      type: 'board',
      group_by: { type: 'number', property_id: Cost, property_name: 'Cost', sort: { type: 'ascending' } },
      properties: [{ property_id: Due, property_name: 'Due', visible: false }],
      cover_size: 'small',
    })
  })

  it('200 with cleared members of a chart as null where responses allow null, and omitted otherwise', async () => {
    const line = { value: 1, label: 'A', color: 'red', dash_style: 'solid' }
    const configuration = {
      type: 'chart',
      chart_type: 'line',
      y_axis_min: 1,
      caption: 'C',
      reference_lines: [line],
      height: 'small',
    }
    const id = await make({ type: 'chart', configuration })
    const cleared = { y_axis_min: null, caption: null, reference_lines: null, height: null, x_axis: null }
    expect(
      (await change(id, { configuration: { type: 'chart', chart_type: 'line', ...cleared } }))['configuration'],
    ).toStrictEqual({
      type: 'chart',
      chart_type: 'line',
      y_axis_min: null,
      caption: null,
      reference_lines: null,
      x_axis: null,
    })
  })

  it('200 with a partial view when the caller may not read content', async () => {
    const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    const id = await make()
    const { body } = await updateView(writer.caller, id, { name: 'New' })
    expect(Object.keys(body).sort()).toStrictEqual(['id', 'object', 'parent', 'request_id', 'type'])
    expect((await retrieveView(server.owner, id)).body['name']).toBe('New')
  })

  it('400, and no change, for an invalid change', async () => {
    const id = await make({ filter: { property: 'Cost', number: { equals: 1 } } })
    const dashboard = await make({ type: 'dashboard' })
    const before = (await retrieveView(server.owner, id)).body
    const cases: [object, string][] = [
      [{ name: '' }, 'body.name.length'],
      [{ type: 'board' }, 'body.type'],
      [{ data_source_id: tracker.id }, 'body.data_source_id'],
      [{ parent: { database_id: tracker.sourceId } }, 'body.parent.database_id'],
      [{ filter: null, sorts: [{ timestamp: 'created_time', direction: 'ascending' }] }, 'body.sorts[0].property'],
      [{ filter: null, sorts: [{ property: 'Nope', direction: 'ascending' }] }, 'body.sorts[0].property'],
      [{ name: 'New', filter: { property: 'Nope', number: { equals: 1 } } }, 'body.filter.property'],
      [{ name: 'New', quick_filters: { Nope: null } }, 'body.quick_filters.Nope'],
      [{ name: 'New', quick_filters: { Cost: { select: { equals: 'A' } } } }, 'body.quick_filters.Cost.select'],
      [{ name: 'New', configuration: { type: 'list' } }, 'body.configuration.type'],
      [{ configuration: null }, 'body.configuration'],
      [
        {
          configuration: {
            type: 'table',
            group_by: { type: 'text', property_id: 'Cost', group_by: 'exact', sort: { type: 'manual' } },
          },
        },
        'body.configuration.group_by.property_id',
      ],
    ]
    for (const [body, location] of cases) expectInvalid(await updateView(server.owner, id, body), location)
    expect({ ...(await retrieveView(server.owner, id)).body, request_id: null }).toStrictEqual({ ...before, request_id: null })
    expectInvalid(await updateView(server.owner, dashboard, { configuration: { type: 'table' } }), 'body.configuration.type')
    expectInvalid(await updateView(server.owner, 'nope', {}), 'path.view_id')
  })

  it('401 without a token, 403 without the capability or for a member who may only read, 404 when the view is not shared', async () => {
    const id = await make()
    expectError(await updateView(server.caller(undefined), id, {}), 401, 'unauthorized')
    const reader = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    expectError(await updateView(reader.caller, id, {}), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['update_content'] })
    for (const [caller, wrong] of [
      [stranger.caller, id],
      [server.owner, randomUUID()],
    ] as const)
      expectNotFound(await updateView(caller, wrong, {}), wrong)
    const { id: memberId } = exampleWorkspace.people[1]
    await server.service.database.write((db) =>
      setMemberAccess(db, exampleWorkspace.workspace.id, page, memberId, 'read', server.clock.now()),
    )
    expectError(await updateView(await makeMember(server, memberId), id, { name: 'New' }), 403, 'restricted_resource')
  })
})
