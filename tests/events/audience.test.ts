import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { visibilitiesOf } from '../../server/domain/events/visibility.ts'
import { deleteGrant, insertGrant } from '../../server/store/grants.ts'
import { commentOn } from '../harness/comments.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { append, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { everyType, Listening, settle, waiting } from '../harness/events.ts'
import { upload } from '../harness/files.ts'
import { at, idOf, resultsOf } from '../harness/json.ts'
import { authorize, EVERYTHING, makeClient } from '../harness/oauth.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'
import { makeView } from '../harness/views.ts'

const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()
const shared = await makePage(server.owner, 'Shared')
const hidden = await makePage(server.owner, 'Hidden')
const connection = await makeConnection(server, { capabilities: EVERYTHING, grants: [shared] })
const listening = await Listening.start(server, { connectionId: connection.connectionId, types: everyType() })

const change = (id: string): Promise<unknown> => append(server.owner, id, [paragraph('more')])
const grant = (item: string): Promise<void> =>
  server.service.database.write((db) => insertGrant(db, workspaceId, connection.botId, item, server.clock.now()))
const revoke = (item: string): Promise<boolean> =>
  server.service.database.write((db) => deleteGrant(db, workspaceId, connection.botId, item))
const entities = (events: readonly [string, string, unknown][]): string[] => events.map(([, id]) => id)

describe('events for a connection', () => {
  it('report changes by any author to visible pages and everything below them, and to no others', async () => {
    const below = await makePage(server.owner, 'Below', shared)
    const events = await listening.eventsBy(async () => {
      for (const id of [hidden, below]) await change(id)
      await append(connection.caller, shared, [paragraph('its own')])
      await commentOn(server.owner, hidden)
      await upload(server.owner, 'not its own', 'a.txt')
    })
    expect(entities(events).toSorted()).toEqual([below, shared].toSorted())
  })

  it('depend on its access when the event is formed, not at the time of the change', async () => {
    const [lost, found] = [await makePage(server.owner, 'Lost'), await makePage(server.owner, 'Found')]
    await grant(lost)
    const events = await listening.eventsBy(async () => {
      for (const id of [lost, found]) await change(id)
      await revoke(lost)
      await grant(found)
    })
    expect(entities(events)).toEqual([found])
  })

  it('report the deletion of objects that were visible before', async () => {
    const [seen, unseen] = [await makePage(server.owner, 'Seen', shared), await makePage(server.owner, 'Unseen', hidden)]
    const events = await listening.eventsBy(async () => {
      for (const id of [seen, unseen]) await server.owner.call('deleteBlock', { path: { block_id: id } })
    })
    expect(events.filter(([type]) => type === 'page.deleted').map(([, id]) => id)).toEqual([seen])
  })

  it('do not report sharing and unsharing', async () => {
    const item = await makePage(server.owner, 'Lent')
    expect(await listening.eventsBy(() => grant(item).then(() => revoke(item)))).toEqual([])
  })

  it('occur once when a request is repeated with its idempotency key', async () => {
    const call = { body: { parent: { page_id: shared }, markdown: 'Mind the tide' }, headers: { 'Idempotency-Key': 'told-once' } }
    const events = await listening.eventsBy(async () => {
      for (const replayed of [undefined, 'true'])
        expect((await server.owner.call('createComment', call)).headers['idempotency-replayed']).toBe(replayed)
    })
    expect(events.map(([type]) => type)).toEqual(['comment.created'])
  })

  it('omit properties that refer to hidden objects', async () => {
    const boats = await makeDatabase(server.owner, hidden)
    const { sourceId } = await makeDatabase(server.owner, shared)
    const properties = { Boat: { relation: { data_source_id: boats.sourceId, single_property: {} } }, Cost: { number: {} } }
    const schema = (body: object): Promise<unknown> =>
      server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties: body } })
    const names = (events: readonly [string, string, Parameters<typeof at>[0]][]): unknown =>
      events.map(([type, , data]) => [
        type,
        at(data, 'updated_properties', 0, 'name'),
        at(data, 'updated_properties', 1) ?? 'no more',
      ])
    expect(names(await listening.eventsBy(() => schema(properties)))).toEqual([['data_source.schema_updated', 'Cost', 'no more']])
    const [boat, row] = [idOf(await makeRow(server.owner, boats.sourceId)), idOf(await makeRow(server.owner, sourceId))]
    const link = { properties: { Boat: { relation: [{ id: boat }] } } }
    expect(await listening.eventsBy(() => server.owner.call('updatePage', { path: { page_id: row }, body: link }))).toEqual([])
    expect(await listening.eventsBy(() => schema({ Boat: null }))).toEqual([])
  })

  it('require the capability to read content or, for events of comments, to read comments', async () => {
    const [reader, commenter] = await Promise.all(
      (['read_content', 'read_comments'] as const).map(async (capability) => {
        const { connectionId } = await makeConnection(server, { capabilities: [capability], grants: [shared] })
        return Listening.start(server, { connectionId, types: everyType() })
      }),
    )
    await settle(server)
    await change(shared)
    await commentOn(server.owner, shared)
    const made = await makeDatabase(server.owner, shared)
    const schema = { path: { data_source_id: made.sourceId }, body: { properties: { Cost: { number: {} } } } }
    await server.owner.call('updateDataSource', schema)
    await makeView(server.owner, made)
    await settle(server)
    const types = async (one: Listening | undefined): Promise<readonly string[]> =>
      (await one?.events())?.map(({ type }) => type) ?? []
    expect(await types(commenter)).toEqual(['comment.created'])
    const kinds = new Set((await types(reader)).map((type) => type.split('.')[0]))
    expect(kinds).toEqual(new Set(['page', 'database', 'data_source', 'view']))
  })
})

describe('a subscription', () => {
  it('receives nothing from before its activation or from while it was paused', async () => {
    await change(shared)
    const late = await Listening.start(server, { connectionId: connection.connectionId, types: everyType() })
    await settle(server)
    expect(await late.events()).toEqual([])
    await change(shared)
    await late.change({ status: 'paused' })
    await change(shared)
    server.clock.advance(1)
    await late.change({ status: 'active', active_since: server.clock.now(), activation: 2 })
    await settle(server)
    expect(await late.events()).toEqual([])
    await change(shared)
    await settle(server)
    expect((await late.events()).map(({ type }) => type)).toEqual(['page.content_updated'])
  })

  it('receives the types that it had at the time of the change, even if they change soon afterwards', async () => {
    const choosy = await Listening.start(server, { connectionId: connection.connectionId, types: ['page.properties_updated'] })
    const rename = (title: string): Promise<unknown> =>
      server.owner.call('updatePage', { path: { page_id: shared }, body: { properties: { title: { title: [text(title)] } } } })
    const events = await choosy.eventsBy(async () => {
      await change(shared)
      await rename('Shared by all')
      await choosy.change({ event_types: JSON.stringify(['page.content_updated']) })
    })
    expect(events.map(([type]) => type)).toEqual(['page.properties_updated'])
  })

  it('causes no stored entries for changes whose event types it does not have', async () => {
    const quiet = await startTestServer()
    const page = await makePage(quiet.owner)
    await Listening.start(quiet, { connectionId: exampleWorkspace.connection.id, types: ['view.created', 'comment.updated'] })
    await append(quiet.owner, page, [paragraph('unheard')])
    await commentOn(quiet.owner, page)
    expect(await waiting(quiet)).toEqual([])
    await quiet.stop()
  })
})

it('an event names all authors, and contains no content that people wrote', async () => {
  const person = exampleWorkspace.people[0].id
  const member = await makeMember(server, person)
  const [secret, page] = ['Bilgewater', await makePage(server.owner, 'Plain', shared)]
  const reported = await listening.eventsBy(async () => {
    for (const caller of [server.owner, member, server.owner]) await append(caller, page, [paragraph(secret)])
    await member.call('updatePage', {
      path: { page_id: page },
      body: { properties: { title: { title: [text(secret)] } }, icon: { emoji: '⛵' } },
    })
    await commentOn(member, page, secret)
  })
  expect(reported.map(([type]) => type)).toEqual(['comment.created', 'page.content_updated', 'page.properties_updated'])
  const events = (await listening.events()).filter((event) => reported.some(([, id]) => id === event.entity.id))
  const authorsOf = (type: string): unknown => events.find((event) => event.type === type)?.authors
  expect(authorsOf('page.content_updated')).toEqual([
    { id: exampleWorkspace.bot.id, type: 'bot' },
    { id: person, type: 'person' },
  ])
  expect(authorsOf('page.properties_updated')).toEqual([{ id: person, type: 'person' }])
  expect(JSON.stringify(events)).not.toMatch(new RegExp(`${secret}|${exampleWorkspace.people[0].email}`))
  expect(new Set(events.map(({ workspace_name: name }) => name))).toEqual(new Set([exampleWorkspace.workspace.name]))
})

it('a public connection receives an event once for all its bots, and the access of each bot is checked at each attempt', async () => {
  const client = await makeClient(server)
  const first = await authorize(server, client, { pages: [exampleWorkspace.pages.handbook] })
  const public_ = await Listening.start(server, { connectionId: client.connectionId, types: everyType() })
  const second = await authorize(server, client, {
    email: exampleWorkspace.people[1].email,
    pages: [exampleWorkspace.pages.handbook],
  })
  const events = await public_.eventsBy(() => change(exampleWorkspace.pages.handbook))
  expect(events.map(([type]) => type)).toEqual(['page.content_updated'])
  const [event] = await public_.events()
  if (!event) throw new Error('no event')
  const look = async (): Promise<unknown> =>
    server.service.database.read(async (db) => {
      const [{ accessibleBy = [], mayBeSent } = {}] = await visibilitiesOf(db, client.connectionId, [event])
      return [new Set(accessibleBy.map(({ id, type }) => `${type} ${id}`)), mayBeSent]
    })
  const bots = [`bot ${first.botId}`, `bot ${second.botId}`]
  const people = exampleWorkspace.people.slice(0, 2).map(({ id }) => `person ${id}`)
  expect(await look()).toEqual([new Set([...bots, ...people]), true])
  const forget = (botId: string): Promise<unknown> =>
    server.service.database.write((db) => deleteGrant(db, workspaceId, botId, exampleWorkspace.pages.handbook))
  await forget(first.botId)
  expect(await look()).toEqual([new Set([bots[1], people[1]]), true])
  await forget(second.botId)
  expect(await look()).toEqual([new Set(), false])
})

it('a public connection receives events of each workspace in which it has a bot', async () => {
  const client = await makeClient(server, { templatePageId: await makePage(server.owner, 'Kit') })
  const annexe = await server.service.database.write(async (db) => {
    const now = server.clock.now()
    const id = await createWorkspace(db, 'Annexe', now)
    await createPerson(db, { workspaceId: id, email: exampleWorkspace.people[0].email, name: 'Ines', role: 'owner' }, now)
    return id
  })
  await authorize(server, client, { pages: [shared], workspaceId })
  const both = await Listening.start(server, { connectionId: client.connectionId, types: everyType() })
  const away = await authorize(server, client, { takesTemplate: true, workspaceId: annexe })
  const { body } = await away.caller.call('search', { body: {} })
  const [copy = ''] = resultsOf(body).map(idOf)
  await settle(server)
  await commentOn(server.owner, shared)
  await commentOn(away.caller, copy)
  await settle(server)
  const comments = (await both.events()).filter(({ type }) => type === 'comment.created')
  expect(comments.map(({ type, workspace_id, workspace_name }) => [type, workspace_id, workspace_name]).toSorted()).toEqual(
    [
      ['comment.created', workspaceId, exampleWorkspace.workspace.name],
      ['comment.created', annexe, 'Annexe'],
    ].toSorted(),
  )
})
