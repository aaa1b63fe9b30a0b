import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { textAt, resultsOf, type JsonObject } from '../harness/json.ts'
import { servedCommandLine } from './support.ts'

/** Every command runs while a service is using the database. */
const { server, cli } = await servedCommandLine()

const { handbook, checklist, launchPlan } = exampleWorkspace.pages
const statusOf = async (token: string, id: string): Promise<number> =>
  (await server.caller(token).call('retrieveBlock', { path: { block_id: id } })).status

describe('an internal connection', () => {
  it('is created with a token that works immediately and sees only what is shared', async () => {
    const made = await cli.json('connection', 'create', 'Crate Counter', '--share', checklist.replaceAll('-', '').toUpperCase())
    expect(made).toMatchObject({
      kind: 'internal',
      name: 'Crate Counter',
      workspace_id: exampleWorkspace.workspace.id,
      client_id: null,
      rate_limit: null,
      disabled_time: null,
    })
    expect(made['capabilities']).toEqual([
      'read_content',
      'insert_content',
      'update_content',
      'read_comments',
      'insert_comments',
      'interact_with_agents',
      'read_user_without_email',
    ])
    const token = textAt(made, 'installation_token')
    expect(token).toMatch(/^itk_[A-Za-z0-9]{40,}$/)
    expect(await statusOf(token, checklist)).toBe(200)
    expect(await statusOf(token, launchPlan)).toBe(404)
  })

  it('gains access when an item is shared, and loses access when sharing ends', async () => {
    const made = await cli.json('connection', 'create', 'Sail Loft')
    const [id, token] = [textAt(made, 'id'), textAt(made, 'installation_token')]
    expect(await statusOf(token, checklist)).toBe(404)
    expect(await cli.json('connection', 'share', id, handbook)).toEqual({ id, shared: [handbook] })
    expect(await statusOf(token, checklist)).toBe(200)
    expect(await cli.json('connection', 'unshare', id, handbook)).toEqual({ id, unshared: [handbook] })
    expect(await statusOf(token, checklist)).toBe(404)
    expect(await cli.json('connection', 'share', id, 'workspace')).toEqual({ id, shared: [exampleWorkspace.workspace.id] })
    expect(await statusOf(token, launchPlan)).toBe(200)
    expect(await cli.refusal(['connection', 'unshare', id, checklist], 1)).toContain('is not shared with this connection')
  })

  it('is given all listed items, or none of them if one is unknown', async () => {
    const id = textAt(await cli.json('connection', 'create', 'Half Done'), 'id')
    await cli.refusal(['connection', 'share', id, checklist, '00000000-0000-4000-8000-000000000000'], 1)
    expect((await cli.json('connection', 'show', id))['shares']).toEqual([])
  })

  it('gets a new token, and the old token stops working immediately', async () => {
    const made = await cli.json('connection', 'create', 'Winch', '-s', 'workspace')
    const rotated = await cli.json('connection', 'rotate', textAt(made, 'id'))
    expect(Object.keys(rotated)).toEqual(['id', 'kind', 'installation_token'])
    expect(await statusOf(textAt(made, 'installation_token'), checklist)).toBe(401)
    expect(await statusOf(textAt(rotated, 'installation_token'), checklist)).toBe(200)
  })

  it('is disabled, enabled and deleted', async () => {
    const made = await cli.json('connection', 'create', 'Crane', '-s', 'workspace')
    const [id, token] = [textAt(made, 'id'), textAt(made, 'installation_token')]
    await cli.json('connection', 'disable', id)
    expect(await statusOf(token, checklist)).toBe(401)
    await cli.json('connection', 'enable', id)
    expect(await statusOf(token, checklist)).toBe(200)
    expect(await cli.refusal(['connection', 'delete', id], 2)).toContain('Add --yes')
    expect(await statusOf(token, checklist)).toBe(200)
    expect(await cli.json('connection', 'delete', id, '--yes')).toEqual({ id, deleted: true })
    expect(await statusOf(token, checklist)).toBe(401)
    expect(await cli.refusal(['connection', 'show', id], 1)).toContain('No connection has the id')
  })

  it('loses the rights of capabilities that an update removes', async () => {
    const made = await cli.json(
      'connection',
      'create',
      'Reader',
      '-s',
      'workspace',
      '-c',
      'read_content,read_comments',
      '-c',
      'insert_content',
    )
    expect(made['capabilities']).toEqual(['read_content', 'read_comments', 'insert_content'])
    await cli.json('connection', 'update', textAt(made, 'id'), '--capability', 'read_comments', '--name', 'Listener')
    expect(await statusOf(textAt(made, 'installation_token'), checklist)).toBe(403)
    expect(await cli.json('connection', 'show', textAt(made, 'id'))).toMatchObject({
      name: 'Listener',
      capabilities: ['read_comments'],
    })
  })

  it('can have its own rate limit, and return to the default', async () => {
    const made = await cli.json('connection', 'create', 'Hasty', '--rate-limit', '7')
    expect(made['rate_limit']).toBe(7)
    expect(await cli.json('connection', 'update', textAt(made, 'id'), '--rate-limit', 'default')).toMatchObject({
      rate_limit: null,
    })
  })
})

describe('a public connection', () => {
  const options = ['--kind', 'public', '--redirect-uri', 'https://planner.example/callback', '-r', 'http://localhost:3000/cb']

  it('is created with a client id and a secret', async () => {
    const made = await cli.json(
      'connection',
      'create',
      'Tide Planner',
      ...options,
      '--template',
      checklist,
      '--developer-name',
      'Tide & Co',
      '--developer-url',
      'https://planner.example',
    )
    expect(made).toMatchObject({
      kind: 'public',
      redirect_uris: ['https://planner.example/callback', 'http://localhost:3000/cb'],
      template_page_id: checklist,
      allowed_workspaces: null,
      developer_name: 'Tide & Co',
    })
    expect(textAt(made, 'client_id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(textAt(made, 'client_secret')).toMatch(/^cs_[A-Za-z0-9]{40,}$/)
    expect(made['installation_token']).toBeUndefined()
  })

  it('gets a new secret', async () => {
    const made = await cli.json('connection', 'create', 'Chandler', ...options)
    const rotated = await cli.json('connection', 'rotate', textAt(made, 'id'))
    expect(Object.keys(rotated)).toEqual(['id', 'kind', 'client_id', 'client_secret'])
    expect(rotated['client_id']).toBe(made['client_id'])
    expect(rotated['client_secret']).not.toBe(made['client_secret'])
  })
})

describe('commands that list or show connections', () => {
  it('print no secret', async () => {
    const { output } = await cli.run(['connection', 'list', '--json'])
    expect(output).toContain(exampleWorkspace.connection.id)
    expect(output).not.toMatch(/itk_|cs_/)
  })

  it('print a table', async () => {
    const { code, output } = await cli.run(['connection', 'list'])
    expect(code).toBe(0)
    expect(output.split('\n')[0]).toMatch(/^ID {36}KIND {6}NAME +CREATED +DISABLED$/)
    expect(output).toMatch(
      new RegExp(`^${exampleWorkspace.connection.id}  internal  Yard Assistant +\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  -$`, 'm'),
    )
  })

  it('print one connection with its bots and shares', async () => {
    const shown = await cli.json('connection', 'show', exampleWorkspace.connection.id)
    expect(shown['bots']).toEqual([{ id: exampleWorkspace.bot.id, workspace_id: exampleWorkspace.workspace.id, person_id: null }])
    expect(resultsOf({ results: shown['shares'] ?? [] } as JsonObject)).toMatchObject([
      { bot_id: exampleWorkspace.bot.id, item_id: exampleWorkspace.workspace.id },
    ])
    const { output } = await cli.run(['connection', 'show', exampleWorkspace.connection.id])
    expect(output).toMatch(/^Name: +Yard Assistant$/m)
    expect(output).toMatch(/^the whole workspace +/m)
  })
})

const refused: readonly [words: readonly string[], code: number, message: RegExp][] = [
  [['connection', 'create'], 2, /missing required argument 'name'/],
  [['connection', 'create', 'X', '--kind', 'secret'], 2, /Allowed choices are internal, public/],
  [
    ['connection', 'create', 'X', '--capability', 'read_minds'],
    2,
    /"read_minds" is not a capability\. The capabilities are read_content/,
  ],
  [['connection', 'create', 'X', '--capability', ','], 2, /should not be empty/],
  [['connection', 'create', 'X', '--rate-limit', '0'], 2, /whole number from 1 to 1000000/],
  [['connection', 'create', 'X', '--share', 'no such page'], 1, /No page or database is named "no such page"/],
  [['connection', 'create', 'X', '--share', '00000000-0000-4000-8000-000000000000'], 1, /Only pages and databases/],
  [['connection', 'create', 'X', '--workspace', '00000000-0000-4000-8000-000000000000'], 1, /No workspace has the id/],
  [['connection', 'create', 'X', '--kind', 'public'], 1, /needs a redirect URI/],
  [
    ['connection', 'create', 'X', '--kind', 'public', '-r', 'http://planner.example'],
    1,
    /redirect URI "http:\/\/planner\.example" should begin with https/,
  ],
  [
    ['connection', 'create', 'X', '--kind', 'public', '-r', 'https://planner.example/a/%2E%2e/b'],
    1,
    /redirect URI "https:\/\/planner\.example\/a\/%2E%2e\/b" has a dot segment in its path/,
  ],
  [
    ['connection', 'create', 'X', '--kind', 'public', '-r', 'http://127.0.0.1.planner.example'],
    1,
    /should begin with https, or with http on a loopback address/,
  ],
  [
    ['connection', 'create', 'X', '--kind', 'public', '-r', 'https://planner.example', '-r', 'https://planner.example'],
    1,
    /redirect URIs contain a duplicate/,
  ],
  [
    ['connection', 'create', 'X', '--kind', 'public', '-r', 'https://planner.example', '--share', 'workspace'],
    2,
    /--share is for internal connections/,
  ],
  [['connection', 'create', 'X', '--template', 'none', '--unknown'], 2, /unknown option '--unknown'/],
  [['connection', 'show', 'nobody'], 1, /No connection is named "nobody"/],
  [['connection', 'show', '00000000-0000-4000-8000-000000000000'], 1, /No connection has the id/],
  [['connection', 'update', exampleWorkspace.connection.id], 2, /Nothing to change: give at least one option/],
  [['connection', 'rotate', '00000000-0000-4000-8000-000000000000'], 1, /No connection has the id/],
  [['connection', 'crate', 'X'], 2, /unknown command 'crate'[^]*Did you mean create\?/],
]

describe('a connection command', () => {
  it.each(refused)('%j ends with code %i and the reason', async (words, code, message) => {
    expect(await cli.refusal(words, code)).toMatch(message)
  })

  it('changes nothing when refused', async () => {
    const before = await cli.run(['connection', 'list'])
    await cli.refusal(['connection', 'create', 'Never', '--share', '00000000-0000-4000-8000-000000000000'], 1)
    expect(await cli.run(['connection', 'list'])).toEqual(before)
  })
})
