import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
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
import { addRow, editRows, manifestOf, seal, type Mutable, type Row } from './sealed.ts'

export { digestOf, type Mutable, type Row } from './sealed.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
const FOUND = /expected .+, found:? .+/

type Edit = (row: Row) => void

/** An export of the demo workspace, and a database with another workspace that refuses manipulated copies. */
export interface HostileExport {
  readonly folder: string
  readonly exported: string
  readonly copy: string
  readonly cli: InProcessCommandLine
  readonly url: string
  /** The id of the target's existing workspace. */
  other(): string
  settingsOf(name: string, url: string): { DATABASE_URL: string; FILES_URL: string }
  /** A copy of the export with digests and counts updated after a change: it can only be refused for its content. */
  forged(change: (manifest: Mutable<Manifest>) => void): string
  /** Changes the first row of a table that satisfies `isTarget`. */
  edited(table: string, edit: Edit, isTarget?: (row: Row) => boolean): () => string
  /** Adds a row with these cells. All other cells get a new id. */
  added(table: string, row: Readonly<Record<string, unknown>>): () => string
  /** Everything in the target: the other workspace, the rows without a workspace, and the files. */
  everything(): Promise<unknown>
  /** Expects a refusal that names file, line and column, and leaves the target unchanged. */
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
    const manifest = manifestOf(copy)
    change(manifest)
    seal(copy, manifest)
    return copy
  }

  function edited(table: string, edit: Edit, isTarget: (row: Row) => boolean = () => true): () => string {
    return () =>
      forged(() => {
        let isDone = false
        editRows(copy, table, (row) => {
          if (!isTarget(row)) return false
          edit(row)
          return (isDone = true)
        })
        expect(isDone, `${table} has no such row`).toBe(true)
      })
  }

  function added(table: string, row: Readonly<Record<string, unknown>>): () => string {
    return () => forged(() => addRow(copy, table, row, (column) => (column === 'workspace_id' ? WORKSPACE : newId())))
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
    // A refusal leaves the target unchanged, so the state is read only once.
    before ??= await everything()
    const refusal = await cli.refusal(['workspace', 'import', from, '--with-credentials'], 1)
    expect(refusal).toMatch(message)
    expect(refusal).toMatch(FOUND)
    expect(await everything()).toEqual(before)
  }

  const { url } = target
  return { folder, exported, copy, cli, url, other: () => other, settingsOf, forged, edited, added, everything, expectRefusal }
}
