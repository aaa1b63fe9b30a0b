import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { text } from '../harness/content.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { idOf, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { startTestServer } from '../harness/server.ts'
import { sweep } from '../harness/sweeps.ts'
import { ConsoleCaller } from '../console/support/console_caller.ts'
import { servedCommandLine } from './support.ts'

const DAY_MS = 86_400_000
const UNKNOWN = '00000000-0000-4000-8000-00000000dead'
const { bot, people, pages, workspace } = exampleWorkspace
const [ines, other] = people
const { server, cli } = await servedCommandLine()
const { owner } = server

const list = async (...words: string[]): Promise<JsonObject[]> => resultsOf(await cli.json('audit', 'list', ...words))
const summary = async (...words: string[]): Promise<string[]> =>
  (await list(...words)).map(({ action, actor, object }) =>
    [(actor as JsonObject)['name'], action, (object as JsonObject | null)?.['name']].filter((part) => part !== null).join(' | '),
  )
/** The newest entry. */
const newest = async (...words: string[]): Promise<JsonObject | undefined> => (await list(...words, '--limit', '1')).at(0)
const newPage = (title: string): object => ({
  body: { parent: { page_id: pages.handbook }, properties: { title: { title: [text(title)] } } },
})

describe('a write through the API', () => {
  it('has an entry with its bot, operation, object, request and address', async () => {
    const { caller, botId } = await makeConnection(server, {
      name: 'Buoy Log',
      capabilities: ['insert_content'],
      grants: [workspace.id],
    })
    const { status, body } = await caller.call('createPage', newPage('Buoys'))
    expect(status).toBe(200)
    expect(await newest()).toEqual({
      time: new Date(server.clock.now()).toISOString(),
      actor: { type: 'bot', id: botId, name: 'Buoy Log' },
      action: 'createPage',
      object: { type: 'page', id: idOf(body), name: null },
      workspace: { id: workspace.id, name: workspace.name },
      request_id: body['request_id'],
      address: '127.0.0.1',
    })
  })

  it('has an entry with the person of a personal token, and the object in the path', async () => {
    const member = await makeMember(server, ines.id)
    const page = idOf((await owner.call('createPage', newPage('Winches'))).body)
    const response = await member.call('updatePage', { path: { page_id: page.replaceAll('-', '') }, body: { icon: null } })
    expect(response.status).toBe(200)
    expect(await newest()).toMatchObject({
      actor: { type: 'person', id: ines.id, name: ines.name },
      action: 'updatePage',
      object: { type: 'page', id: page },
    })
  })

  it('has no entry when it is refused, and one when it is repeated with an idempotency key', async () => {
    const before = await list()
    expect((await owner.call('createPage', { body: { parent: { page_id: 'harbor' } } })).status).toBe(400)
    expect((await owner.call('updatePage', { path: { page_id: UNKNOWN }, body: { icon: null } })).status).toBe(404)
    const move = { path: { page_id: pages.handbook }, body: { parent: { page_id: pages.handbook } } }
    expect((await owner.call('movePage', move)).status).toBe(400)
    expect((await owner.call('retrievePage', { path: { page_id: pages.handbook } })).status).toBe(200)
    expect(await list()).toEqual(before)
    const keyed = { ...newPage('Repeated'), headers: { 'Idempotency-Key': 'winter-stock' } }
    const [first, second] = [await owner.call('createPage', keyed), await owner.call('createPage', keyed)]
    expect(idOf(first.body)).toBe(idOf(second.body))
    expect(await list()).toHaveLength(before.length + 1)
  })

  it('has no entry when only administration is recorded, which commands still are', async () => {
    const quiet = await startTestServer({ DATABASE_URL: cli.databaseUrl, AUDIT_LOG: 'acts' })
    try {
      const before = await list()
      expect((await quiet.owner.call('createPage', newPage('Unrecorded'))).status).toBe(200)
      expect(await list()).toEqual(before)
    } finally {
      await quiet.stop()
    }
  })
})

describe('an authorization', () => {
  it('has entries for the decision of the person, and for the tokens of the bot', async () => {
    const client = await makeClient(server, { name: 'Tide Planner' })
    const { botId, accessToken, refreshToken } = await authorize(server, client)
    const refreshed = await client.call('createToken', { grant_type: 'refresh_token', refresh_token: refreshToken })
    expect((await client.call('createToken', { grant_type: 'refresh_token', refresh_token: 'nrt_unknown' })).status).toBe(400)
    expect((await client.call('revokeToken', { token: textAt(refreshed.body, 'access_token') })).status).toBe(200)
    expect((await client.call('revokeToken', { token: accessToken })).status).toBe(200)
    const found = await list('--limit', '5')
    expect(found.map(({ action }) => action)).toEqual([
      'revokeToken',
      'createToken',
      'createToken',
      'connection.authorized',
      'browser_session.started',
    ])
    expect(found[0]).toMatchObject({ actor: { type: 'bot', id: botId }, address: '127.0.0.1' })
    expect(found[3]).toMatchObject({
      actor: { type: 'person', id: ines.id },
      object: { type: 'connection', id: client.connectionId, name: 'Tide Planner' },
      request_id: expect.any(String) as string,
      address: '127.0.0.1',
    })
  })
})

describe('an act in the console', () => {
  it('has an entry with the object, the request and the address', async () => {
    const caller = await ConsoleCaller.of(server, ines.email)
    const made = await caller.call('createOwnToken', { body: { workspace_id: workspace.id, name: 'Tide table', days: 30 } })
    const { token, personal_token: described } = made.body as { token: string; personal_token: { id: string } }
    const entry = await newest()
    expect(entry).toMatchObject({
      actor: { type: 'person', id: ines.id },
      action: 'personal_token.created',
      object: { type: 'personal_token', id: described.id, name: 'Tide table' },
      request_id: expect.any(String) as string,
      address: '127.0.0.1',
    })
    expect(JSON.stringify(await list())).not.toContain(token)
  })
})

describe('a command', () => {
  it('has an entry with its words and what it changed, unless it is refused', async () => {
    const since = new Date().toISOString()
    const person = await cli.json('user', 'create', 'rui@northshore.example', '--name', 'Rui', '--link')
    const made = await cli.json('connection', 'create', 'Ledger', '--share', pages.handbook)
    const token = await cli.json('token', 'create', '--user', 'rui@northshore.example')
    await cli.json('user', 'role', 'rui@northshore.example', 'owner')
    await cli.json('access', 'set', pages.handbook, 'everybody', 'read')
    await cli.json('access', 'clear', pages.handbook, 'everybody')
    await cli.json('token', 'revoke', idOf(token))
    await cli.json('connection', 'delete', 'Ledger', '--yes')
    expect(await cli.refusal(['user', 'role', 'nobody@northshore.example', 'owner'], 1)).toContain('nobody@northshore.example')
    await cli.json('user', 'list')
    const found = await list('--since', since)
    expect(found.map(({ action, object }) => [action, object])).toEqual([
      ['connection delete', { type: 'connection', id: idOf(made), name: 'Ledger' }],
      ['token revoke', { type: 'token', id: idOf(token), name: null }],
      ['access clear', { type: 'access', id: pages.handbook, name: 'everybody' }],
      ['access set', { type: 'access', id: pages.handbook, name: 'everybody' }],
      ['user role', { type: 'user', id: idOf(person), name: 'rui@northshore.example' }],
      ['token create', { type: 'token', id: idOf(token), name: idOf(person) }],
      ['connection create', { type: 'connection', id: idOf(made), name: 'Ledger' }],
      ['user create', { type: 'user', id: idOf(person), name: 'rui@northshore.example' }],
    ])
    expect(new Set(found.map(({ actor }) => (actor as JsonObject)['type']))).toEqual(new Set(['command_line']))
    for (const secret of [textAt(person, 'sign_in_url'), textAt(made, 'installation_token'), textAt(token, 'token')])
      expect(JSON.stringify(found)).not.toContain(secret)
  })

  it('has an entry that stays when the workspace is deleted', async () => {
    const { id } = await cli.json('workspace', 'create', 'Closed Yard')
    await cli.json('workspace', 'delete', String(id), '--yes')
    expect(await newest()).toMatchObject({ action: 'workspace delete', object: { id, name: 'Closed Yard' }, workspace: null })
    expect(
      (await list()).filter(({ action, object }) => action === 'workspace create' && (object as JsonObject)['id'] === id),
    ).toEqual([])
  })
})

describe('audit list', () => {
  it('prints the entries of a workspace, an actor, an action or an object', async () => {
    const page = idOf((await owner.call('createPage', newPage('Filters'))).body)
    const member = await makeMember(server, other.id)
    expect((await member.call('updatePage', { path: { page_id: page }, body: { icon: null } })).status).toBe(200)
    const elsewhere = await cli.json('workspace', 'create', 'Elsewhere')
    expect(await summary('--object', page)).toEqual([`${other.name} | updatePage`, `${bot.name} | createPage`])
    expect(await summary('--object', page, '--actor', other.email)).toEqual([`${other.name} | updatePage`])
    expect(await summary('--object', page, '--actor', bot.name)).toEqual([`${bot.name} | createPage`])
    expect(await summary('--object', page, '--actor', 'command-line')).toEqual([])
    expect(await summary('--object', page, '--action', 'createPage')).toEqual([`${bot.name} | createPage`])
    expect(await summary('--workspace', 'Elsewhere')).toEqual(['workspace create | Elsewhere'])
    expect(await newest('--actor', 'command-line')).toMatchObject({ object: { id: idOf(elsewhere) } })
    expect(await summary('--since', '2999-01-01')).toEqual([])
  })

  it('prints every entry once, page by page', async () => {
    const all = await list()
    const seen: JsonObject[] = []
    for (let cursor: unknown = ''; typeof cursor === 'string';) {
      const page = await cli.json('audit', 'list', '--limit', '3', ...(cursor === '' ? [] : ['--after', cursor]))
      seen.push(...resultsOf(page))
      cursor = page['next_cursor']
    }
    expect(all.length).toBeGreaterThan(6)
    expect(seen).toEqual(all)
  })

  it('prints a table whose last line continues the list', async () => {
    const { output } = await cli.run(['audit', 'list', '--limit', '1', '--action', 'createPage'])
    expect(output).toMatch(
      /^TIME +ACTOR +ACTION +OBJECT +WORKSPACE +REQUEST +ADDRESS\n.*createPage +page .*\nThere are older entries\. List them with: --after \d+-\d+\n$/,
    )
    expect((await cli.run(['audit', 'list', '--since', '2999-01-01'])).output).toBe('No matching entries.\n')
  })

  it('refuses a time, a cursor, an object or an actor that it does not understand', async () => {
    expect(await cli.refusal(['audit', 'list', '--since', 'yesterday'], 2)).toContain('a date, or a time with its zone')
    expect(await cli.refusal(['audit', 'list', '--after', 'x'], 2)).toContain('next_cursor')
    expect(await cli.refusal(['audit', 'list', '--object', 'x'], 2)).toContain('object')
    expect(await cli.refusal(['audit', 'list', '--actor', 'Nobody At All'], 1)).toContain('No person or connection is named')
  })
})

describe('an old entry', () => {
  it('is deleted after 90 days', async () => {
    const page = idOf((await owner.call('createPage', newPage('Old'))).body)
    const { database } = server.service
    await sweep(database, server.clock.now() + 90 * DAY_MS - 1)
    expect(await list('--object', page)).toHaveLength(1)
    await sweep(database, server.clock.now() + 90 * DAY_MS)
    expect(await list('--object', page)).toEqual([])
  })
})
