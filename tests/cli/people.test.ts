import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { InProcessCommandLine, servedCommandLine } from './support.ts'

const { server, cli } = await servedCommandLine({ BASE_URL: 'https://boats.example/' })

const PASSWORD = 'seven red buoys'

describe('people', () => {
  it('are added with a password, and listed', async () => {
    const { code, output } = await cli.run(
      ['user', 'create', 'Nora@Northshore.example', '--name', 'Nora Lind', '--role', 'owner', '--password-stdin', '--json'],
      `${PASSWORD}\n`,
    )
    expect(code).toBe(0)
    expect(output).not.toContain(PASSWORD)
    const people = resultsOf(await cli.json('user', 'list'))
    expect(people.at(-1)).toMatchObject({ name: 'Nora Lind', email: 'nora@northshore.example', role: 'owner', left_time: null })
    expect(people.map(({ id }) => id)).toEqual(expect.arrayContaining(exampleWorkspace.people.map(({ id }) => id)))
  })

  it('cannot control a terminal through a name stored by an older release', async () => {
    const name = 'Eve\u001b[2J\u001b]0;root\u0007\u009b31m\u202egnp'
    const id = textAt(await cli.json('user', 'create', 'eve@northshore.example', '--name', 'Eve'), 'id')
    await server.service.database.write((db) =>
      db.run('update users set name = ? where workspace_id = ? and id = ?', name, exampleWorkspace.workspace.id, id),
    )
    const { output } = await cli.run(['user', 'list'])
    expect(output).toContain('Eve\ufffd[2J')
    expect(output).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/)
    expect(resultsOf(await cli.json('user', 'list')).find(({ email }) => email === 'eve@northshore.example')).toMatchObject({
      name,
    })
    const refused = await cli.run(['user', 'password', `\u001b[31m${name}`, '--password-stdin'], `${PASSWORD}\n`)
    expect(refused.errors).not.toContain('\u001b')
  })

  it('are added with a sign-in link at the configured address of the service', async () => {
    const made = await cli.json('user', 'create', 'otto@northshore.example', '--name', 'Otto', '--link')
    expect(textAt(made, 'sign_in_url')).toMatch(/^https:\/\/boats\.example\/sign-in\/link\?token=link_[A-Za-z0-9]{40,}$/)
    expect(Date.parse(textAt(made, 'expires_time')) - Date.now()).toBeGreaterThan(50 * 60_000)
    expect(textAt(await cli.json('user', 'link', 'otto@northshore.example'), 'sign_in_url')).not.toBe(made['sign_in_url'])
  })

  it('get a sign-in link to the running service, on whichever port it listens', async () => {
    const beside = new InProcessCommandLine(cli.databaseUrl)
    const made = await beside.json('user', 'link', 'otto@northshore.example')
    expect(textAt(made, 'sign_in_url')).toMatch(`${server.url}/sign-in/link?token=link_`)
  })

  it('get a new password', async () => {
    expect((await cli.run(['user', 'password', 'otto@northshore.example', '--password-stdin'], PASSWORD)).code).toBe(0)
  })

  it('get a time zone, or lose theirs', async () => {
    expect(await cli.json('user', 'time-zone', 'otto@northshore.example', 'Europe/Lisbon')).toMatchObject({
      time_zone: 'Europe/Lisbon',
    })
    expect(await cli.json('user', 'time-zone', 'otto@northshore.example')).toMatchObject({ time_zone: null })
    expect(await cli.refusal(['user', 'time-zone', 'otto@northshore.example', 'Mars/Base'], 1)).toContain('is not a time zone')
  })

  it('are removed from the workspace', async () => {
    await cli.json('user', 'create', 'gone@northshore.example', '--name', 'Gone')
    await cli.json('user', 'remove', 'gone@northshore.example')
    expect(
      resultsOf(await cli.json('user', 'list')).find(({ email }) => email === 'gone@northshore.example')?.['left_time'],
    ).toEqual(expect.any(String))
    expect(await cli.refusal(['user', 'remove', 'gone@northshore.example'], 1)).toContain('No member of the workspace has')
  })
})

describe('personal tokens', () => {
  it('act as their member, are listed without the secret, and can be revoked', async () => {
    const made = await cli.json('token', 'create', '--user', 'ines@northshore.example', '--name', 'Laptop', '--days', '30')
    const token = textAt(made, 'token')
    expect(token).toMatch(/^pat_[A-Za-z0-9]{40,}$/)
    const me = await server.caller(token).call('retrieveMe')
    expect(me.body).toMatchObject({ id: exampleWorkspace.people[0].id, type: 'person' })
    const { output } = await cli.run(['token', 'list', '--json'])
    expect(output).not.toContain(token)
    expect(resultsOf(await cli.json('token', 'list'))[0]).toMatchObject({
      id: made['id'],
      user_id: exampleWorkspace.people[0].id,
      name: 'Laptop',
      revoked_time: null,
    })
    await cli.json('token', 'revoke', textAt(made, 'id'))
    expect((await server.caller(token).call('retrieveMe')).status).toBe(401)
    expect(await cli.refusal(['token', 'revoke', textAt(made, 'id')], 1)).toContain('No valid token has')
  })

  it('get 403 from the API when created with --no-api', async () => {
    const token = textAt(await cli.json('token', 'create', '-u', exampleWorkspace.people[1].id, '--no-api'), 'token')
    expect((await server.caller(token).call('retrieveMe')).status).toBe(403)
  })
})

describe('emojis', () => {
  it('are added, listed, and available in the API', async () => {
    const made = await cli.json('emoji', 'add', 'half_hitch', 'https://boats.example/half_hitch.png')
    expect(made).toMatchObject({ name: 'half_hitch', url: 'https://boats.example/half_hitch.png' })
    expect(resultsOf(await cli.json('emoji', 'list')).map(({ name }) => name)).toEqual(['bowline', 'half_hitch', 'rope_coil'])
    expect(resultsOf((await server.owner.call('listCustomEmojis', { query: { name: 'half_hitch' } })).body)).toMatchObject([
      { id: made['id'] },
    ])
  })
})

describe('a command about people, tokens and emojis', () => {
  it.each([
    [['user', 'create', 'x@y.example'], 2, /required option '-n, --name <name>'/, ''],
    [['user', 'create', 'no address', '--name', 'X'], 1, /is not an email address/, ''],
    [['user', 'create', 'ines@northshore.example', '--name', 'X'], 1, /is already a member/, ''],
    [
      ['user', 'create', 'x@y.example', '--name', 'X', '--role', 'king'],
      2,
      /Allowed choices are owner, member, restricted, guest/,
      '',
    ],
    [['user', 'create', 'x@y.example', '--name', 'X', '--link', '--password-stdin'], 2, /Choose one of/, ''],
    [['user', 'create', 'x@y.example', '--name', 'X', '--password-stdin'], 2, /at least \d+ characters/, 'short\n'],
    [['user', 'create', 'x@y.example', '--name', 'X', '--password-stdin'], 2, /common, so attackers/, 'Password1\n'],
    [['user', 'password', 'ines@northshore.example', '--password-stdin'], 2, /repeats one character/, '12345678\n'],
    [['user', 'create', 'x@y.example', '--name', 'X', '--password'], 2, /typed only on a terminal/, ''],
    [['user', 'password', 'nobody@y.example', '--password-stdin'], 1, /No account has the email address/, PASSWORD],
    [['user', 'link', 'nobody@y.example'], 1, /No account has the email address/, ''],
  ])('%j ends with code %i', async (words, code, message, input) => {
    expect(await cli.refusal(words, code, input)).toMatch(message)
    expect(resultsOf(await cli.json('user', 'list')).map(({ email }) => email)).not.toContain('x@y.example')
  })

  it.each([
    [['token', 'create'], 2, /required option '-u, --user/],
    [['token', 'create', '--user', 'nobody@northshore.example'], 1, /No member of the workspace has/],
    [['token', 'create', '--user', 'ines@northshore.example', '--days', '12'], 2, /Allowed choices are 7, 30, 90, 180, 365/],
    [['token', 'revoke', 'pat_the_text_of_a_token'], 2, /is not the id of a token/],
  ])('%j ends with code %i', async (words, code, message) => {
    expect(await cli.refusal(words, code)).toMatch(message)
  })

  it.each([
    [['emoji', 'add', 'Half Hitch', 'https://boats.example/x.png'], 1, /lower-case letters/],
    [['emoji', 'add', 'knot', 'boats.example/x.png'], 1, /absolute http or https address/],
    [['emoji', 'add', 'bowline', 'https://boats.example/x.png'], 1, /An emoji named bowline already exists/],
    [['emoji', 'add', 'knot'], 2, /missing required argument 'url'/],
  ])('%j ends with code %i', async (words, code, message) => {
    expect(await cli.refusal(words, code)).toMatch(message)
  })
})

describe('workspaces', () => {
  it('are created, listed, suspended and resumed; with two of them, commands require a choice', async () => {
    const id = textAt(await cli.json('workspace', 'create', 'Boat shed'), 'id')
    expect(resultsOf(await cli.json('workspace', 'list')).map(({ name }) => name)).toEqual([
      exampleWorkspace.workspace.name,
      'Boat shed',
    ])
    expect(await cli.refusal(['user', 'list'], 2)).toMatch(/The database contains 2 workspaces\. Choose one with --workspace/)
    expect(resultsOf(await cli.json('user', 'list', '--workspace', id))).toEqual([])
    expect((await cli.run(['user', 'list', '-w', id])).output).toBe('There are no people yet.\n')
    await cli.json('workspace', 'suspend', exampleWorkspace.workspace.id)
    expect((await server.owner.call('retrieveMe')).status).toBe(401)
    await cli.json('workspace', 'resume', exampleWorkspace.workspace.id)
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })
})
