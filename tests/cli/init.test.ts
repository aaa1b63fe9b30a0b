import { existsSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'
import { InProcessCommandLine } from './support.ts'
import { onTerminal } from './on_terminal.ts'

const NORA = ['--name', 'Boat shed', '--owner-name', 'Nora Lind', '--email', 'Nora@Boats.example']
const PASSWORD = 'seven red buoys'

let database: TestDatabase
let cli: InProcessCommandLine
beforeEach(async () => {
  database = await makeDatabase('none')
  cli = new InProcessCommandLine(database.url, { BASE_URL: 'https://boats.example' })
})
afterEach(() => database.drop())

const fileOf = ({ url }: TestDatabase): string => url.slice('sqlite:'.length)

describe('init', () => {
  it('creates a workspace with an owner who signs in by a link, a page, and a connection that sees everything', async () => {
    const made = await cli.json('init', ...NORA, '--time-zone', 'Europe/Lisbon')
    expect(made).toMatchObject({ name: 'Boat shed', owner: { email: 'nora@boats.example', time_zone: 'Europe/Lisbon' } })
    expect(textAt(made, 'sign_in_url')).toMatch(/^https:\/\/boats\.example\/sign-in\/link\?token=link_\w+&return_to=\/console$/)
    const server = await startTestServer({ DATABASE_URL: database.url })
    try {
      const caller = server.caller(tokenOf(made))
      const page = await caller.call('retrievePage', { path: { page_id: textAt(made, 'page_id') } })
      expect(page.body).toMatchObject({
        created_by: { id: textAt(made, 'owner', 'id') },
        parent: { type: 'workspace' },
      })
      const blocks = await caller.call('listBlockChildren', { path: { block_id: textAt(made, 'page_id') } })
      expect(resultsOf(blocks.body).length).toBeGreaterThan(5)
      expect(resultsOf((await caller.call('search', { body: {} })).body).map(({ id }) => id)).toEqual([made['page_id']])
      expect(resultsOf((await caller.call('listUsers')).body).map(({ name }) => name)).toEqual(['Nora Lind', 'My integration'])
    } finally {
      await server.stop()
    }
    expect(resultsOf(await cli.json('workspace', 'list')).map(({ name }) => name)).toEqual(['Boat shed'])
  })

  it('creates a workspace with a password, without a page and without a connection', async () => {
    const { code, output } = await cli.run(
      ['init', ...NORA, '--password-stdin', '--content', 'none', '--no-connection', '--json'],
      `${PASSWORD}\n`,
    )
    expect(code).toBe(0)
    expect(output).not.toContain(PASSWORD)
    expect(JSON.parse(output)).toMatchObject({ page_id: null, connection: null, owner: { time_zone: null } })
    expect(output).not.toContain('sign_in_url')
  })

  it('creates a second workspace for a person with an account, and leaves the account unchanged', async () => {
    await cli.json('init', ...NORA)
    const second = await cli.json('init', ...NORA, '--name', 'Sail loft', '--connection', 'Loft', '--capability', 'read_content')
    expect(second['sign_in_url']).toBeUndefined()
    const id = textAt(second, 'connection', 'id')
    expect(await cli.json('connection', 'show', id)).toMatchObject({ name: 'Loft', capabilities: ['read_content'] })
    const refused = await cli.refusal(['init', ...NORA, '--name', 'Third', '--password-stdin'], 1, `${PASSWORD}\n`)
    expect(refused).toMatch(/already has an account/)
    expect(resultsOf(await cli.json('workspace', 'list'))).toHaveLength(2)
  })

  it('creates a connection that sees only the first page, or nothing', async () => {
    const page = await cli.json('init', ...NORA, '--share', 'page')
    const nothing = await cli.json('init', ...NORA, '--name', 'Sail loft', '--share', 'nothing')
    const sharesOf = async (made: JsonObject): Promise<unknown[]> =>
      resultsOf({
        results: (await cli.json('connection', 'show', textAt(made, 'connection', 'id')))['shares'] ?? [],
      }).map(({ item_id: item }) => item)
    expect(await sharesOf(page)).toEqual([page['page_id']])
    expect(await sharesOf(nothing)).toEqual([])
  })

  it('prints the next steps', async () => {
    const { output } = await cli.run(['init', ...NORA])
    expect(output).toMatch(/^Created the workspace "Boat shed": /)
    expect(output).toMatch(/Token \(shown once\) {2}itk_/)
    expect(output).toMatch(/curl https:\/\/boats\.example\/v1\/blocks\//)
    expect(output).toMatch(/Next:\n/)
  })
})

describe('init creates nothing and fails for', () => {
  it.each([
    ['an invalid email address', ['--email', 'nora'], 1, /"nora" is not an email address\./, ''],
    ['a weak password', ['--password-stdin'], 2, /common, so attackers/, 'Password1\n'],
    ['an unknown time zone', ['--time-zone', 'Mars/Base'], 2, /"Mars\/Base" is not a time zone/, ''],
    ['the name of another workspace', ['--name', ' boat SHED'], 1, /A workspace named "Boat shed" already exists: /, ''],
    ['an empty name', ['--name', ' '], 1, /A name must have 1 to 200 characters/, ''],
    ['an unknown capability', ['--capability', 'fly'], 2, /"fly" is not a capability/, ''],
    ['a share of a missing page', ['--content', 'none', '--share', 'page'], 1, /The first page cannot be shared/, ''],
    ['two ways to sign in', ['--password-stdin', '--link'], 2, /Choose one of/, ''],
  ])('%s', async (_what, words, code, message, input) => {
    await cli.json('init', '--name', 'Boat shed', '--owner-name', 'Otto', '--email', 'otto@boats.example')
    const given = [...NORA.with(1, 'Sail loft'), ...words]
    expect(await cli.refusal(['init', ...given], code, input)).toMatch(message)
    expect(resultsOf(await cli.json('workspace', 'list'))).toHaveLength(1)
    expect(await cli.refusal(['user', 'link', 'nora@boats.example'], 1)).toMatch(/No account has the email address/)
  })

  it('missing options without a terminal', async () => {
    expect(await cli.refusal(['init', '--name', 'Boat shed'], 2)).toMatch(/Add --owner-name, --email\./)
    expect(existsSync(fileOf(database))).toBe(false)
  })

  it('a database in memory', async () => {
    expect(await cli.refusal(['init', ...NORA, '--database', 'sqlite::memory:'], 2)).toMatch(/A database in memory disappears/)
  })
})

describe('init on a terminal', () => {
  it('asks for each value, reports invalid input immediately, and creates what the person chose', async () => {
    const { screen, code } = await onTerminal(
      database.url,
      ['init', '--no-connection'],
      [
        { seen: 'Name of the workspace', typed: 'Boat shed\r' },
        { seen: 'Your name', typed: 'Nora Lind\r' },
        { seen: 'Your email address', typed: 'nora\r' },
        { seen: 'is not an email address', typed: '@boats.example\r' },
        { seen: 'Your time zone', typed: 'Europe/Lisbon\r' },
        { seen: 'How will you sign in?', typed: '\r' },
        { seen: 'New password', typed: `${PASSWORD}\r` },
        { seen: 'Once more', typed: `${PASSWORD}\r` },
        { seen: 'What should the workspace contain?', typed: '\r' },
      ],
    )
    expect(code, screen).toBe(0)
    expect(screen).toContain('Its owner is Nora Lind <nora@boats.example>')
    expect(screen).not.toContain('buoys')
    expect(resultsOf(await cli.json('user', 'list'))).toMatchObject([{ email: 'nora@boats.example', role: 'owner' }])
  })

  it('uses default values for a connection', async () => {
    const { screen, code } = await onTerminal(
      database.url,
      ['init', ...NORA, '--time-zone', 'UTC', '--link'],
      [
        { seen: 'What should the workspace contain?', typed: '\u001b[B\r' },
        { seen: 'Name of a first connection', typed: '\r' },
        { seen: 'What may the connection do?', typed: '\r' },
        { seen: 'What may the connection see?', typed: '\r' },
      ],
    )
    expect(code, screen).toBe(0)
    expect(resultsOf(await cli.json('connection', 'list'))).toMatchObject([{ name: 'My integration' }])
  })

  it('creates no database when canceled', async () => {
    const { screen, code } = await onTerminal(
      database.url,
      ['init'],
      [
        { seen: 'Name of the workspace', typed: '\r' },
        { seen: 'Your name', typed: '\u0003' },
      ],
    )
    expect({ code, isThere: existsSync(fileOf(database)) }).toEqual({ code: 130, isThere: false })
    expect(screen).toContain('Nothing was changed.')
  })
})

function tokenOf(made: JsonObject): string {
  return textAt(made, 'connection', 'installation_token')
}
