import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { addEmoji } from '../../../server/domain/administration/emojis.ts'
import { createGroup } from '../../../server/domain/administration/groups.ts'
import { createPerson } from '../../../server/domain/administration/people.ts'
import { createWorkspace } from '../../../server/domain/administration/workspaces.ts'
import { makePrivate } from '../../../server/domain/people/sharing.ts'
import { makeAgent, type Shares } from '../../harness/agents.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { png, upload } from '../../harness/files.ts'
import { lastVerification, subscribe } from '../../harness/webhooks.ts'
import { idOf, textAt } from '../../harness/json.ts'
import type { TestServer } from '../../harness/server.ts'
import { EVERYTHING } from '../../harness/oauth.ts'

const VIEW_TYPES = ['table', 'board', 'gallery', 'calendar', 'timeline', 'chart', 'map'] as const

/** A page with an object of every kind on it. */
export interface Part {
  readonly page: string
  readonly inner: string
  readonly trashed: string
  readonly block: string
  readonly original: string
  readonly database: string
  readonly source: string
  readonly row: string
  readonly view: string
  readonly query: string
  readonly comment: string
  readonly discussion: string
  readonly optionId: string
}

/** Objects that only their creator sees. */
interface Own {
  readonly caller: Caller
  readonly upload: string
  readonly task: string
  /** The subscription of a connection; members have none. */
  readonly subscription: string
  readonly comment: string
  readonly query: string
}

export type CallerName = 'a connection' | 'a member'

export interface World {
  readonly server: TestServer
  readonly owner: Caller
  /** A page that is shared with the connection, and that every member can see. */
  readonly shown: Part
  /** The private page of another member. */
  readonly hidden: Part
  /** A page of another workspace. */
  readonly foreign: Part
  /** A second shown database; `Openly` relates to it. */
  readonly target: { readonly source: string; readonly row: string }
  /** A shown database for new data sources. */
  readonly spare: string
  /** Blocks of the shown page that name an object, or contain a file. */
  readonly blocks: Readonly<Record<'image' | 'embed' | 'file' | 'item' | 'link' | 'mirror', string>>
  /** Views of the shown database by their types. */
  readonly views: Readonly<Record<(typeof VIEW_TYPES)[number], string>>
  /** A dashboard of the shown database, and a view there over the hidden data source. */
  readonly dashboard: string
  readonly linkedView: string
  /** Ids of columns of the shown data source, including `Secret`, which relates to the hidden one. */
  readonly columns: Readonly<Record<string, string>>
  /** Ids of columns of the target. `Closed` relates to the hidden data source. */
  readonly targetColumns: Readonly<Record<string, string>>
  readonly guest: string
  readonly group: string
  readonly foreigner: { readonly person: string; readonly group: string; readonly emoji: string }
  readonly agents: { readonly shown: string; readonly hidden: string; readonly foreign: string }
  /** A session for each actor that can reach the shown agent, and one with the hidden agent. */
  readonly sessions: Readonly<Record<CallerName | 'hidden', string>>
  /** The connection of the first caller. */
  readonly connectionId: string
  /** Objects of the owner. */
  readonly others: Own
  readonly own: Readonly<Record<CallerName, Own>>
}

const [keeper, , member] = exampleWorkspace.people

export async function makeWorld(server: TestServer): Promise<World> {
  const { owner } = server
  const [shown, hidden] = [await makePart(owner), await makePart(owner)]
  const connection = await makeConnection(server, { capabilities: EVERYTHING, grants: [shown.page] })
  const people = await makePeople(server)
  const foreign = await makePart(people.stranger)
  const db = server.service.database
  await db.write((work) => makePrivate(work, exampleWorkspace.workspace.id, hidden.page, keeper.id, server.clock.now()))
  const second = await makeDatabase(owner, shown.page, { Count: { number: {} } })
  const target = { source: second.sourceId, row: idOf(await makeRow(owner, second.sourceId)) }
  await relate(owner, shown, hidden, target)
  const agents = {
    shown: await makeAgent(server, {}, sharesOf(connection.connectionId)),
    hidden: await makeAgent(server),
    foreign: await makeAgent(server, { workspaceId: people.workspaceId }, []),
  }
  const memberCaller = await makeMember(server, member.id)
  const makeSession = async (caller: Caller, agent: string): Promise<string> =>
    idOf(await bodyOf(caller.call('createSession', { body: { agent_id: agent, message: 'Ahoy' } })))
  return {
    server,
    owner,
    shown,
    hidden,
    foreign,
    target,
    spare: (await makeDatabase(owner, shown.page)).id,
    blocks: await makeBlocks(owner, shown),
    views: await makeViews(owner, shown),
    dashboard: await makeView(owner, {
      database_id: shown.database,
      data_source_id: shown.source,
      name: 'Board',
      type: 'dashboard',
    }),
    linkedView: await makeView(owner, {
      database_id: shown.database,
      data_source_id: hidden.source,
      name: 'Over',
      type: 'table',
    }),
    columns: await idsOfColumns(owner, shown.source),
    targetColumns: await idsOfColumns(owner, target.source),
    ...people,
    agents,
    sessions: {
      'a connection': await makeSession(connection.caller, agents.shown),
      'a member': await makeSession(memberCaller, agents.shown),
      hidden: await makeSession(owner, agents.hidden),
    },
    connectionId: connection.connectionId,
    others: await makeOwn(owner, shown),
    own: {
      'a connection': await makeOwn(connection.caller, shown),
      'a member': await makeOwn(memberCaller, shown),
    },
  }
}

/** Full access for a connection and for every member. */
export function sharesOf(connectionId: string): Shares {
  return [
    [{ connectionId }, 'full'],
    [{ everybody: true }, 'full'],
  ]
}

async function idsOfColumns(owner: Caller, source: string): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await columnsOf(owner, source)).map(([name, { id }]) => [name, String(id)]))
}

async function makePeople(
  server: TestServer,
): Promise<Pick<World, 'guest' | 'group' | 'foreigner'> & { readonly stranger: Caller; readonly workspaceId: string }> {
  const now = server.clock.now()
  const { id: workspaceId } = exampleWorkspace.workspace
  const made = await server.service.database.write(async (db) => {
    const other = await createWorkspace(db, 'Elsewhere', now)
    const email = `${randomUUID()}@elsewhere.example`
    return {
      other,
      guest: await createPerson(db, { workspaceId, email: `${randomUUID()}@guests.example`, name: 'Guest', role: 'guest' }, now),
      group: await createGroup(db, workspaceId, 'Riggers', false, now),
      foreigner: {
        person: await createPerson(db, { workspaceId: other, email, name: 'Stranger', role: 'member' }, now),
        group: await createGroup(db, other, 'Strangers', false, now),
        emoji: (await addEmoji(db, other, 'elsewhere', 'https://example.com/a.png', now)).id,
      },
    }
  })
  const options = { capabilities: EVERYTHING, grants: [made.other], workspaceId: made.other }
  const { caller } = await makeConnection(server, options)
  return { guest: made.guest, group: made.group, foreigner: made.foreigner, stranger: caller, workspaceId: made.other }
}

const KINDS = ['Solid', 'Fluid']

async function makePart(caller: Caller): Promise<Part> {
  const page = await makePage(caller, 'Part')
  const inner = await makePage(caller, 'Inner', page, [paragraph('inner')])
  const trashed = await makePage(caller, 'Trashed', page)
  await caller.call('deleteBlock', { path: { block_id: trashed } })
  const { id: database, sourceId: source } = await makeDatabase(caller, page, {
    Kind: { select: { options: KINDS.map((name) => ({ name })) } },
    When: { date: {} },
    Until: { date: {} },
    Count: { number: {} },
    Photos: { files: {} },
    Dock: { place: {} },
    People: { people: {} },
  })
  const comment = await commentOn(caller, page)
  const view = textAt(await bodyOf(caller.call('listDatabaseViews', { query: { database_id: database } })), 'results', 0, 'id')
  return {
    page,
    inner,
    trashed,
    block: await appendOne(caller, page, paragraph('block')),
    original: await appendOne(caller, page, { synced_block: { synced_from: null, children: [paragraph('original')] } }),
    database,
    source,
    row: idOf(await makeRow(caller, source, { Name: { title: [text('Row')] } })),
    view,
    query: idOf(await bodyOf(caller.call('createViewQuery', { path: { view_id: view }, body: {} }))),
    comment: idOf(comment),
    discussion: textAt(comment, 'discussion_id'),
    optionId: textAt((await columnsOf(caller, source))['Kind'], 'select', 'options', 0, 'id'),
  }
}

async function makeBlocks(caller: Caller, { page, inner, original }: Part): Promise<World['blocks']> {
  const external = { external: { url: 'https://example.com/dock.png' } }
  return {
    image: await appendOne(caller, page, { image: external }),
    embed: await appendOne(caller, page, { embed: { url: 'https://example.org' } }),
    file: await appendOne(caller, page, { file: external }),
    item: idOf((await children(caller, await appendOne(caller, page, { tab: { children: [paragraph('item')] } })))[0]),
    link: await appendOne(caller, page, { link_to_page: { page_id: inner } }),
    mirror: await appendOne(caller, page, { synced_block: { synced_from: { block_id: original } } }),
  }
}

async function makeViews(caller: Caller, { database, source }: Part): Promise<World['views']> {
  const made: Partial<Record<string, string>> = {}
  for (const type of VIEW_TYPES)
    made[type] = await makeView(caller, { database_id: database, data_source_id: source, name: type, type })
  return made as World['views']
}

async function makeOwn(caller: Caller, { page, view }: Part): Promise<Own> {
  const accepted = await caller.call('createPage', {
    body: { parent: { page_id: page }, markdown: '# Later', allow_async: true },
  })
  return {
    caller,
    upload: await upload(caller, png, 'dock.png'),
    task: idOf(accepted.body),
    subscription: await makeSubscription(caller),
    comment: idOf(await commentOn(caller, page)),
    query: idOf(await bodyOf(caller.call('createViewQuery', { path: { view_id: view }, body: {} }))),
  }
}

async function makeSubscription(caller: Caller): Promise<string> {
  const { body } = await subscribe(caller, 'https://hooks.orchard.example/in')
  if (body['object'] === 'error') return ''
  // Another thread resolves the receiver's name: wait until the verification has ended.
  await lastVerification(caller, idOf(body))
  return idOf(body)
}

async function makeView(caller: Caller, body: object): Promise<string> {
  return idOf(await bodyOf(caller.call('createView', { body })))
}

async function bodyOf(requests: ReturnType<Caller['call']>): Promise<Awaited<ReturnType<Caller['call']>>['body']> {
  const { status, body, text: words } = await requests
  if (status !== 200) throw new Error(words)
  return body
}

/** Creates two-way relations across the border, with values and computed columns. */
async function relate(owner: Caller, shown: Part, hidden: Part, target: World['target']): Promise<void> {
  const relation = (to: string, name: string): object => ({
    relation: { data_source_id: to, dual_property: { synced_property_name: name } },
  })
  const over = { relation_property_name: 'Secret', rollup_property_name: 'Count', function: 'sum' }
  const changes: readonly (readonly [string, object])[] = [
    [target.source, { Closed: relation(hidden.source, 'Target') }],
    [shown.source, { Openly: relation(target.source, 'Shown'), Secret: relation(hidden.source, 'Back') }],
    [shown.source, { Amount: { rollup: over }, Length: { formula: { expression: 'prop("Secret").length()' } } }],
    [hidden.source, { Single: { relation: { data_source_id: shown.source, single_property: {} } } }],
  ]
  for (const [id, properties] of changes)
    await bodyOf(owner.call('updateDataSource', { path: { data_source_id: id }, body: { properties } }))
  const properties = { Secret: { relation: [{ id: hidden.row }] }, Openly: { relation: [{ id: target.row }] } }
  await bodyOf(owner.call('updatePage', { path: { page_id: shown.row }, body: { properties } }))
  const closed = { Closed: { relation: [{ id: hidden.row }] } }
  await bodyOf(owner.call('updatePage', { path: { page_id: target.row }, body: { properties: closed } }))
}

/** All hidden objects as read by an owner who can read everything, including last edits. */
export async function readHidden({ owner, hidden, others, agents }: World): Promise<string> {
  const { page, inner, trashed, block, original, database, source, row, view, comment } = hidden
  const requests = [
    ...[page, inner, trashed, row].map((id) => owner.call('retrievePage', { path: { page_id: id } })),
    ...[block, original].map((id) => owner.call('retrieveBlock', { path: { block_id: id } })),
    ...[page, inner, original].map((id) => owner.call('listBlockChildren', { path: { block_id: id } })),
    owner.call('retrieveDatabase', { path: { database_id: database } }),
    owner.call('retrieveDataSource', { path: { data_source_id: source } }),
    owner.call('queryDataSource', { path: { data_source_id: source }, body: {} }),
    owner.call('listDatabaseViews', { query: { database_id: database } }),
    owner.call('retrieveView', { path: { view_id: view } }),
    owner.call('retrieveComment', { path: { comment_id: comment } }),
    owner.call('listComments', { query: { block_id: page } }),
    owner.call('retrieveFileUpload', { path: { file_upload_id: others.upload } }),
    owner.call('retrieveComment', { path: { comment_id: others.comment } }),
    owner.call('retrieveWebhookSubscription', { path: { subscription_id: others.subscription } }),
    owner.call('retrieveAgent', { path: { agent_id: agents.hidden } }),
  ]
  const responses = await Promise.all(requests)
  const readings = responses.map(({ status, body: { request_id: _changes, ...body } }) => ({ status, body }))
  if (readings.some(({ status }) => status !== 200)) throw new Error(JSON.stringify(readings))
  return JSON.stringify(readings, null, 1)
}
