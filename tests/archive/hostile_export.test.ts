import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import type { Manifest } from '../../server/domain/workspace_archive/archive.ts'
import { newId } from '../../server/kernel/ids.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeDatabase } from '../harness/databases.ts'
import { startTestServer, TOKEN } from '../harness/server.ts'
import { rowsOfWorkspace } from '../harness/workspace_rows.ts'
import { digestOf, hostileExport, type Mutable } from './support/hostile.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
const { cli, copy, everything, exported, forged, settingsOf, url } = await hostileExport()

describe('import refuses a forged manifest and forged tables or files, and leaves nothing:', () => {
  let before: Awaited<ReturnType<typeof everything>>
  beforeAll(async () => {
    before = await everything()
  })

  it.each<[string, (manifest: Mutable<Manifest>) => void, RegExp]>([
    [
      'an id that is a path',
      (manifest) => setId(manifest, '../../../pwn'),
      /workspace\.json: workspace\.id: expected an id, found "\.\.\//,
    ],
    ['an id that differs from the rows', (manifest) => setId(manifest, newId()), /line 1, (?:workspace_)?id: expected/],
    [
      'a name that differs from the row',
      (manifest) => setName(manifest, 'Other'),
      /workspaces, line 1, name: expected that of workspace\.json/,
    ],
    ['a missing table', (manifest) => manifest.tables.splice(5, 1), /workspace\.json: expected the table \w+, found nothing/],
    ['an additional table', (manifest) => addTable(manifest, 'instance'), /expected tables of this release, found instance/],
    ['a repeated table', (manifest) => addTable(manifest, 'views'), /expected each table once, found one twice/],
    [
      'a table that is a path',
      (manifest) => addTable(manifest, '../views'),
      /tables\[\d+\]\.name: expected a word, found "\.\.\/views"/,
    ],
    [
      'a missing column',
      (manifest) => void Object.assign(manifest.tables[0] ?? {}, { columns: ['id'] }),
      /expected the columns .+ of \w+, found id/,
    ],
    [
      'a count of files that is not a number',
      (manifest) => void Object.assign(manifest, { files: 'many' }),
      /files: expected a whole number, found "many"/,
    ],
  ])('%s', async (_what, change, message) => {
    const from = forged(() => undefined)
    const path = join(from, 'workspace.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Mutable<Manifest>
    change(manifest)
    writeFileSync(path, JSON.stringify(manifest))
    expect(await cli.refusal(['workspace', 'import', from], 1)).toMatch(message)
    expect(await everything()).toEqual(before)
  })

  it.each<[string, () => void, RegExp]>([
    ['changed rows', () => swap('blocks'), /blocks: expected the SHA-256 [0-9a-f]{64}, found [0-9a-f]{64}/],
    ['files of the same length with other bytes', changeFiles, /files\/[0-9a-f-]+: expected the SHA-256/],
    ['a table that is a link', () => link(join('tables', 'blocks.jsonl')), /blocks: expected a file at .+, found something else/],
    ['a file that is a link', () => link(join('files', fileName())), /expected a file at .+, found something else/],
  ])('%s', async (_what, change, message) => {
    const from = forged(() => undefined)
    change()
    expect(await cli.refusal(['workspace', 'import', from], 1)).toMatch(message)
    expect(await everything()).toEqual(before)
  })
})

const setId = (manifest: Mutable<Manifest>, id: string): void => void (manifest.workspace = { ...manifest.workspace, id })
const setName = (manifest: Mutable<Manifest>, name: string): void => void (manifest.workspace = { ...manifest.workspace, name })
const addTable = (manifest: Mutable<Manifest>, name: string): void =>
  void manifest.tables.push({ name, columns: ['name', 'value'], rows: 0, sha256: digestOf('') })
const fileName = (): string => readdirSync(join(copy, 'files'))[0] ?? ''

/** Reverses the lines of a table, which keeps its number of lines and bytes. */
function swap(table: string): void {
  const path = join(copy, 'tables', `${table}.jsonl`)
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  writeFileSync(path, `${lines.toReversed().join('\n')}\n`)
}

function changeFiles(): void {
  const path = join(copy, 'files', fileName())
  writeFileSync(
    path,
    readFileSync(path).map((byte) => byte ^ 1),
  )
}

function link(name: string): void {
  rmSync(join(copy, name))
  symlinkSync(join(exported, name), join(copy, name))
}

describe('import', () => {
  it('imports no tokens, connections, grants, webhooks or passwords without --with-credentials', async () => {
    await cli.json('workspace', 'import', exported)
    const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
    const rows = await rowsOfWorkspace(database, WORKSPACE)
    const accounts = await database.read((db) => db.all({}, 'select password from accounts where password is not null'))
    const bots = await database.read((db) =>
      db.all({}, `select id from users where workspace_id = ? and connection_id is not null`, WORKSPACE),
    )
    await database.close()
    expect(Object.keys(rows)).toEqual(expect.arrayContaining(['blocks', 'pages', 'users', 'comments']))
    for (const table of ['tokens', 'connections', 'grants', 'webhook_subscriptions', 'idempotency_keys'])
      expect(rows).not.toHaveProperty(table)
    expect([accounts, bots]).toEqual([[], []])
    const server = await startTestServer({ ...settingsOf('target', url), BOOTSTRAP_TOKEN: '' })
    const response = await server
      .caller(TOKEN)
      .call('retrieveMe')
      .finally(() => server.stop())
    expect(response.status).toBe(401)
    expect(await cli.json('doctor')).toMatchObject({ problems: 0 })
    await cli.json('workspace', 'delete', WORKSPACE, '--yes')
  })

  it('reads an export of format 1, which has no checksums, and reports the missing checksums', async () => {
    const again = await makeDatabase('newest')
    const here = new InProcessCommandLine(again.url, settingsOf('again', again.url))
    await here.json('migrate')
    const from = forged((manifest) => void Object.assign(manifest, { version: 1 }))
    const path = join(from, 'workspace.json')
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(/,"(?:files_)?sha256":"[0-9a-f]{64}"/g, ''))
    expect(await here.json('workspace', 'import', from)).toMatchObject({ id: WORKSPACE, verified: false })
    await again.drop()
  })
})
