import { appendFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { importProgress } from '../../server/domain/administration/unfinished.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { append, makePage, paragraph, snapshot } from '../harness/content.ts'
import { makeDatabase, on, scratchFolder, type TestDatabase } from '../harness/databases.ts'
import { png, upload } from '../harness/files.ts'
import { resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { withoutSql } from '../harness/long_runs.ts'
import { spawnProcess, until } from '../harness/process.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'
import { rowsOfWorkspace } from '../harness/workspace_rows.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
const folder = scratchFolder('archive-')
const exported = join(folder, 'exported')

/** A database, and the folder of its service's files. */
interface Deployment {
  readonly database: TestDatabase
  readonly settings: Readonly<Record<string, string>>
  readonly cli: InProcessCommandLine
}

async function deployment(name: string, database: TestDatabase): Promise<Deployment> {
  const settings = { DATABASE_URL: database.url, FILES_URL: `file:${join(folder, name)}` }
  return { database, settings, cli: new InProcessCommandLine(database.url, settings) }
}

const emptyDeployment = async (name: string): Promise<Deployment> => {
  const made = await deployment(name, await makeDatabase('newest'))
  await made.cli.json('migrate')
  return made
}

const sqliteUrl = (name: string): TestDatabase => ({
  url: `sqlite:${join(folder, name, 'workspace.db')}`,
  drop: async () => undefined,
})

/**
 * The demo workspace, with a page that has a picture, a webhook and an access rule.
 * @returns the page and the picture's bytes
 */
async function fillDeployment({ settings, cli }: Deployment): Promise<{ pageId: string; content: string }> {
  const server = await startTestServer(settings)
  try {
    const file = { type: 'file_upload', file_upload: { id: await upload(server.owner, png, 'dock.png') } }
    const pageId = await makePage(server.owner, 'Dock', undefined, [{ image: file }])
    await cli.json('access', 'set', pageId, exampleWorkspace.people[1].email, 'read')
    await cli.json('token', 'create', '--user', exampleWorkspace.people[0].email)
    await cli.json('connection', 'create', 'Tides', '--kind', 'public', '--redirect-uri', 'https://x.example/back')
    await makePage(server.owner, 'Below', pageId)
    return { pageId, content: await contentOf(server) }
  } finally {
    await server.stop()
  }
}

/** The content of the page with every type of block, wherever it is served. */
async function contentOf({ owner, url }: TestServer): Promise<string> {
  return (await snapshot(owner, exampleWorkspace.pages.launchPlan)).replaceAll(url, '')
}

async function within<T>({ database: { url } }: Deployment, work: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  return work(database).finally(() => database.close())
}

/**
 * Rows without those that differ in the other database: the words of titles, whose numbers differ and which a search checks instead, and
 * the audit log, which also contains the import.
 */
async function rowsOf(here: Deployment): Promise<object> {
  const { title_words: _index, audit_log: _log, ...rows } = await within(here, (database) => rowsOfWorkspace(database, WORKSPACE))
  return rows
}

/** The entries of the audit log, newest first. */
async function entriesOf({ cli }: Deployment): Promise<JsonObject[]> {
  return resultsOf(await cli.json('audit', 'list', '--workspace', WORKSPACE))
}
const accountsOf = (here: Deployment): Promise<unknown> =>
  within(here, async (database) =>
    database.read((db) => db.all({}, 'select id, email, password, created_time from accounts order by id')),
  )

let source: Deployment
let filled: { pageId: string; content: string }
beforeAll(async () => {
  source = await emptyDeployment('source')
  filled = await fillDeployment(source)
})
afterAll(() => source.database.drop())

describe('a workspace that is exported and imported', () => {
  it('has the same rows, file bytes and responses', async () => {
    const before = await rowsOf(source)
    const report = await source.cli.json('workspace', 'export', WORKSPACE, exported)
    expect(report).toMatchObject({ id: WORKSPACE, name: exampleWorkspace.workspace.name, files: 1, folder: exported })
    expect(readdirSync(folder)).not.toContain('exported.unfinished')
    for (const name of readdirSync(join(exported, 'tables')))
      expect(statSync(join(exported, 'tables', name)).mode & 0o777, name).toBe(0o600)
    const target = await emptyDeployment('target')
    await target.cli.json('workspace', 'import', exported, '--with-credentials')
    await expectSame(source, target, before)
    await target.database.drop()
  })

  on('postgresql', it)('moves from SQLite to PostgreSQL and back without loss', async () => {
    const small = await deployment('small', sqliteUrl('small'))
    const [there, back] = [join(folder, 'there'), join(folder, 'back')]
    filled = await fillDeployment(small)
    const before = await rowsOf(small)
    await small.cli.json('workspace', 'export', WORKSPACE, there)
    const large = await emptyDeployment('large')
    await large.cli.json('workspace', 'import', there, '--with-credentials')
    await large.cli.json('workspace', 'export', WORKSPACE, back)
    const again = await deployment('again', sqliteUrl('again'))
    await again.cli.json('migrate')
    await again.cli.json('workspace', 'import', back, '--with-credentials')
    expect(await rowsOf(again)).toEqual(before)
    await expectSame(small, large, before)
    await large.database.drop()
  })

  withoutSql(it)('is completely imported after the process was killed, without duplicates', { timeout: 120_000 }, async () => {
    const from = await emptyDeployment('long')
    const { pageId } = await fillDeployment(from)
    const server = await startTestServer(from.settings)
    for (let portion = 0; portion < 40; portion += 1)
      await append(
        server.owner,
        pageId,
        Array.from({ length: 100 }, (_block, index) => paragraph(`${portion} ${index}`)),
      )
    await server.stop()
    const [there, target] = [join(folder, 'long_exported'), await emptyDeployment('killed')]
    await from.cli.json('workspace', 'export', WORKSPACE, there)
    await importKilled(target, there)
    expect(await target.cli.refusal(['workspace', 'resume', WORKSPACE], 1)).toMatch(/Import it again to continue/)
    await target.cli.json('workspace', 'import', there, '--with-credentials')
    expect(await rowsOf(target)).toEqual(await rowsOf(from))
    expect(await accountsOf(target)).toEqual(await accountsOf(from))
    for (const { database } of [from, target]) await database.drop()
  })

  /** Imports, and kills the process when some of the blocks are stored. */
  async function importKilled(target: Deployment, from: string): Promise<void> {
    const child = spawnProcess('cli/main.js', ['workspace', 'import', from, '--with-credentials'], target.settings)
    const progress = (): Promise<unknown> =>
      within(target, async (database) => database.read((db) => importProgress(db, WORKSPACE)))
    await until(async () => {
      const found = await progress()
      return (isObject(found) && Number(found['rows']) >= 1_000) || undefined
    }, child)
    child.kill('SIGKILL')
    await child.ended
    expect(await progress(), 'the process was killed too late').toMatchObject({ rows: expect.any(Number) as unknown })
  }

  withoutSql(it)('has its webhooks verified again when the key of their tokens differs', async () => {
    const [from, to] = [await emptyDeployment('with_hook'), await emptyDeployment('hook_elsewhere')]
    const server = await startTestServer(from.settings)
    const body = { url: 'https://hooks.example/in', event_types: ['page.created'] }
    const made = await server.owner.call('createWebhookSubscription', { body }).finally(() => server.stop())
    expect(made.status, made.text).toBe(200)
    const there = join(folder, 'with_hook_exported')
    await from.cli.json('workspace', 'export', WORKSPACE, there)
    await to.cli.json('workspace', 'import', there, '--with-credentials')
    const hooksOf = (here: Deployment): Promise<unknown> =>
      within(here, async (database) =>
        database.read((db) => db.all({}, 'select id, url, status, sealed_token from webhook_subscriptions')),
      )
    expect(await hooksOf(from)).toMatchObject([{ id: textAt(made.body, 'id'), sealed_token: expect.any(Uint8Array) as unknown }])
    expect(await hooksOf(to)).toEqual([
      { id: textAt(made.body, 'id'), url: body.url, status: 'pending_verification', sealed_token: null },
    ])
    for (const { database } of [from, to]) await database.drop()
  })

  async function expectSame(one: Deployment, other: Deployment, rows: unknown): Promise<void> {
    expect(await rowsOf(other)).toEqual(rows)
    const entries = await entriesOf(one)
    expect(entries).not.toEqual([])
    expect(await entriesOf(other)).toEqual([expect.objectContaining({ action: 'workspace import' }), ...entries])
    expect(await accountsOf(other)).toEqual(await accountsOf(one))
    const server = await startTestServer({ ...other.settings, BOOTSTRAP_TOKEN: '' })
    try {
      const owner = server.caller(TOKEN)
      expect(await contentOf(server)).toBe(filled.content)
      const blocks = await owner.call('listBlockChildren', { path: { block_id: filled.pageId } })
      const url = textAt(resultsOf(blocks.body)[0], 'image', 'file', 'url')
      expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(png)
      const found = await owner.call('search', { body: { query: 'Launch day' } })
      expect(resultsOf(found.body).map(({ id }) => id)).toContain(exampleWorkspace.pages.launchPlan)
      await makePage(owner, 'Written later')
    } finally {
      await server.stop()
    }
  }
})

withoutSql(describe)('workspace export', () => {
  it('refuses an existing folder, and a missing workspace', async () => {
    expect(await source.cli.refusal(['workspace', 'export', WORKSPACE, folder], 1)).toMatch(/already exists/)
    const nowhere = join(folder, 'nowhere')
    expect(await source.cli.refusal(['workspace', 'export', exampleWorkspace.bot.id, nowhere], 1)).toMatch(
      /No workspace has the id/,
    )
  })
})

withoutSql(describe)('workspace import', () => {
  let damaged: string
  let target: Deployment
  beforeAll(async () => {
    target = await emptyDeployment('refusing')
  })
  afterAll(() => target.database.drop())

  function changed(change: (copy: string) => void): string {
    damaged = join(folder, 'damaged')
    rmSync(damaged, { recursive: true, force: true })
    cpSync(exported, damaged, { recursive: true })
    change(damaged)
    return damaged
  }

  function withManifest(changes: JsonObject): string {
    return changed((copy) => {
      const path = join(copy, 'workspace.json')
      writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, 'utf8')) as JsonObject), ...changes }))
    })
  }

  it('refuses an existing workspace', async () => {
    const before = await rowsOf(source)
    expect(await source.cli.refusal(['workspace', 'import', exported], 1)).toMatch(
      `A workspace with the id ${WORKSPACE} already exists`,
    )
    expect(await rowsOf(source)).toEqual(before)
  })

  it.each<[string, () => string, RegExp]>([
    ['a folder that is not an export', () => folder, /does not contain an exported workspace/],
    ['another format', () => withManifest({ version: 99 }), /expected an export of format 1 or \d+, found another format/],
    ['another schema', () => withManifest({ schema: 12 }), /expected an export of schema \d+, found schema 12/],
    [
      'a truncated table',
      () => changed((copy) => truncateLast(join(copy, 'tables', 'blocks.jsonl'))),
      /blocks: expected \d+ rows, found \d+/,
    ],
    [
      'a broken line',
      () => changed((copy) => appendFileSync(join(copy, 'tables', 'views.jsonl'), '["x')),
      /views, line \d+: expected JSON/,
    ],
    [
      'a row with too few values',
      () => changed((copy) => appendFileSync(join(copy, 'tables', 'views.jsonl'), '[1]\n')),
      /views, line \d+, expected a list of \d+ values, found \[1\]/,
    ],
    [
      'a file with other bytes',
      () =>
        changed((copy) => {
          for (const name of readdirSync(join(copy, 'files'))) appendFileSync(join(copy, 'files', name), 'x')
        }),
      /expected \d+ bytes in files\/[0-9a-f-]+, found \d+/,
    ],
    [
      'a file whose name leads out of the folder',
      () => changed((copy) => writeFileSync(join(copy, 'files.jsonl'), '{"id":"../../etc/passwd","bytes":1,"sha256":""}\n')),
      /files\.jsonl, line 1, id: expected an id, found "\.\.\/\.\.\/etc\/passwd"/,
    ],
  ])('refuses %s, and leaves nothing', async (_what, from, message) => {
    mkdirSync(join(folder, 'refusing'), { recursive: true })
    expect(await target.cli.refusal(['workspace', 'import', from()], 1)).toMatch(message)
    expect(resultsOf(await target.cli.json('workspace', 'list'))).toEqual([])
    expect(await rowsOf(target)).toEqual({})
    expect(
      readdirSync(join(folder, 'refusing'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
    ).toEqual([])
    expect(await accountsOf(target)).toEqual([])
  })

  it('refuses a workspace while files of its deleted predecessor remain', async () => {
    const again = await emptyDeployment('again_here')
    await again.cli.json('workspace', 'import', exported)
    await again.cli.json('workspace', 'delete', WORKSPACE, '--yes')
    expect(await again.cli.refusal(['workspace', 'import', exported], 1)).toMatch(/still contains files of a deleted workspace/)
    await again.database.drop()
  })

  it('refuses people who have another account in the service', async () => {
    await target.cli.json('init', '--name', 'Sail loft', '--owner-name', 'Ines', '--email', exampleWorkspace.people[0].email)
    expect(await target.cli.refusal(['workspace', 'import', exported], 1)).toMatch(
      /The account of ines@northshore\.example has a different id here/,
    )
  })

  it('refuses a name that another workspace has', async () => {
    await target.cli.json('workspace', 'create', exampleWorkspace.workspace.name)
    expect(await target.cli.refusal(['workspace', 'import', exported], 1)).toMatch(/A workspace named .* already exists/)
  })
})

function truncateLast(path: string): void {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${lines.slice(0, -1).join('\n')}\n`)
}
