import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { story } from '../../../server/bootstrap/story.ts'
import { parseConfig } from '../../../server/config.ts'
import type { Manifest } from '../../../server/domain/workspace_archive/archive.ts'
import { newId } from '../../../server/kernel/ids.ts'
import { openDatabase } from '../../../server/store/open.ts'
import { InProcessCommandLine } from '../../cli/support.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, scratchFolder } from '../../harness/databases.ts'
import { png, upload } from '../../harness/files.ts'
import { textAt } from '../../harness/json.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import { rowsOfWorkspace } from '../../harness/workspace_rows.ts'

const { id: WORKSPACE } = story.workspace
const FOUND = /expected .+, found:? .+/

export type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer V)[] ? V[] : T[K] }
export type Row = Record<string, unknown>
type Edit = (row: Row) => void

/** An export of the demo workspace, and a database with another workspace that refuses what is made of it. */
export interface HostileExport {
  readonly folder: string
  readonly exported: string
  readonly copy: string
  readonly cli: InProcessCommandLine
  readonly url: string
  /** The id of the workspace that is in the target already. */
  other(): string
  settingsOf(name: string, url: string): { DATABASE_URL: string; FILES_URL: string }
  /** A copy of the export whose digests and counts are right again after a change: only its content can be what is refused. */
  forged(change: (manifest: Mutable<Manifest>) => void): string
  /** Changes the first row of a table for which `isMeant` holds. */
  edited(table: string, edit: Edit, isMeant?: (row: Row) => boolean): () => string
  /** Adds a row with these cells; the others are a new id. */
  added(table: string, row: Readonly<Record<string, unknown>>): () => string
  /** Everything in the target: the other workspace, the rows without a workspace, and the files. */
  everything(): Promise<unknown>
  /** Expects a refusal that names file, line and column, and leaves everything as it was. */
  expectRefusal(from: string, message: RegExp): Promise<void>
}

/** @param fill adds to the demo workspace before it is exported */
export async function hostileExport(fill?: (server: TestServer) => Promise<void>): Promise<HostileExport> {
  const folder = scratchFolder('hostile-')
  const [exported, copy] = [join(folder, 'exported'), join(folder, 'copy')]
  const [source, target] = [await makeDatabase('newest'), await makeDatabase('newest')]
  const settingsOf = (name: string, url: string): { DATABASE_URL: string; FILES_URL: string } => ({
    DATABASE_URL: url,
    FILES_URL: `file:${join(folder, name)}`,
  })
  const cli = new InProcessCommandLine(target.url, settingsOf('target', target.url))
  let other = ''
  let before: unknown

  beforeAll(async () => {
    const settings = settingsOf('source', source.url)
    const server = await startTestServer(settings)
    const file = { type: 'file_upload', file_upload: { id: await upload(server.owner, png, 'dock.png') } }
    await makePage(server.owner, 'Dock', undefined, [{ image: file }])
    await fill?.(server)
    await server.stop()
    await new InProcessCommandLine(source.url, settings).json('workspace', 'export', WORKSPACE, exported)
    await cli.json('migrate')
    other = textAt(await cli.json('workspace', 'create', 'Sail loft'), 'id')
  })
  afterAll(async () => {
    for (const database of [source, target]) await database.drop()
  })

  function forged(change: (manifest: Mutable<Manifest>) => void): string {
    rmSync(copy, { recursive: true, force: true })
    cpSync(exported, copy, { recursive: true })
    const path = join(copy, 'workspace.json')
    const manifest = JSON.parse(readFileSync(path, 'utf8')) as Mutable<Manifest>
    change(manifest)
    for (const table of manifest.tables) {
      const text = readFileSync(join(copy, 'tables', `${table.name}.jsonl`))
      Object.assign(table, { rows: text.toString().split('\n').length - 1, sha256: digestOf(text) })
    }
    Object.assign(manifest, { files_sha256: digestOf(readFileSync(join(copy, 'files.jsonl'))) })
    writeFileSync(path, JSON.stringify(manifest))
    return copy
  }

  function edited(table: string, edit: Edit, isMeant: (row: Row) => boolean = () => true): () => string {
    return () =>
      forged((manifest) => {
        const path = join(copy, 'tables', `${table}.jsonl`)
        const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? []
        let isDone = false
        const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
        const changed = lines.map((line) => {
          if (isDone || line === '') return line
          const values = JSON.parse(line) as unknown[]
          const row: Row = Object.fromEntries(columns.map((name, index) => [name, values[index]]))
          if (!isMeant(row)) return line
          isDone = true
          edit(row)
          return JSON.stringify(columns.map((name) => row[name]))
        })
        expect(isDone, `${table} has no such row`).toBe(true)
        writeFileSync(path, `${changed.join('\n')}\n`)
      })
  }

  function added(table: string, row: Readonly<Record<string, unknown>>): () => string {
    return () =>
      forged((manifest) => {
        const columns = manifest.tables.find(({ name }) => name === table)?.columns ?? []
        const cells = columns.map((name) => (name in row ? row[name] : name === 'workspace_id' ? WORKSPACE : newId()))
        appendFileSync(join(copy, 'tables', `${table}.jsonl`), `${JSON.stringify(cells)}\n`)
      })
  }

  async function everything(): Promise<unknown> {
    const database = openDatabase(parseConfig({ DATABASE_URL: target.url }).database)
    try {
      const own = await database.read((db) =>
        Promise.all(
          ['instance', 'workspaces', 'accounts', 'client_secrets', 'tokens', 'file_objects'].map((table) =>
            db.all({}, `select * from ${table}`),
          ),
        ),
      )
      const files = readdirSync(folder).includes('target') ? readdirSync(join(folder, 'target'), { recursive: true }) : []
      return [own, await rowsOfWorkspace(database, other), await rowsOfWorkspace(database, WORKSPACE), files]
    } finally {
      await database.close()
    }
  }

  async function expectRefusal(from: string, message: RegExp): Promise<void> {
    // A refusal leaves everything as it was, so the next one need not look again.
    before ??= await everything()
    const refusal = await cli.refusal(['workspace', 'import', from, '--with-credentials'], 1)
    expect(refusal).toMatch(message)
    expect(refusal).toMatch(FOUND)
    expect(await everything()).toEqual(before)
  }

  const { url } = target
  return { folder, exported, copy, cli, url, other: () => other, settingsOf, forged, edited, added, everything, expectRefusal }
}

export const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')
