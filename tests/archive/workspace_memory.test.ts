import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { tablePath, type Manifest } from '../../server/domain/workspace_archive/archive.ts'
import { outerRules } from '../../cli/src/outer_rules.ts'
import { exportWorkspace } from '../../server/domain/workspace_archive/export_workspace.ts'
import { importWorkspace } from '../../server/domain/workspace_archive/import_workspace.ts'
import type { Database } from '../../server/store/database.ts'
import type { FileStorage } from '../../server/store/files/storage.ts'
import { openFiles } from '../../server/store/files/open.ts'
import { migrate } from '../../server/store/migrations.ts'
import { openDatabase } from '../../server/store/open.ts'
import { append, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { serverOfFile } from '../harness/server.ts'
import { countingReads, countingWrites } from './support/counting.ts'

/** The most rows in memory during an export or import. Not imported from the code, so that larger batches fail the test. */
const ROWS_HELD_MAX = 500
/** A batch of 1 MiB, and its last row. */
const LENGTH_HELD_MAX = 1_350_000

const OPTIONS = { rules: await outerRules(), now: Date.now(), withCredentials: true }
const server = await serverOfFile()
const folder = join(scratchFolder('archive-'), 'exported')
let manifest: Manifest
/** The most rows read from one table by one statement, and the most read but not yet written. */
let [peakOfStatement, peakUnwritten, read] = [0, 0, 0]
/** The most characters read by one statement. */
let peakLength = 0

beforeAll(async () => {
  const page = await makePage(server.owner, 'Many')
  for (let portion = 0; portion < 11; portion += 1) {
    const texts = Array.from({ length: 100 }, (_block, index) => paragraph(`${portion} ${index}`))
    await append(server.owner, page, texts)
  }
  const long = Array.from({ length: 100 }, () => text('x'.repeat(2_000)))
  for (let index = 0; index < 12; index += 1) await append(server.owner, page, [{ paragraph: { rich_text: long } }])
  const { database, ...counts } = countingReads(server.service.database, (rows) => {
    read += rows
    peakUnwritten = Math.max(peakUnwritten, read - linesWritten(`${folder}.unfinished`))
  })
  manifest = await withFiles((storage) =>
    exportWorkspace({ database, storage }, exampleWorkspace.workspace.id, folder, Date.now()),
  )
  peakOfStatement = counts.peak()
  peakLength = counts.peakLength()
  expect(rowsOf('blocks')).toBeGreaterThan(2 * ROWS_HELD_MAX + 50)
})

it('an export of all rows writes each batch before it reads the next', () => {
  expect(peakOfStatement).toBeLessThanOrEqual(ROWS_HELD_MAX)
  expect(peakUnwritten).toBeLessThanOrEqual(ROWS_HELD_MAX)
  expect(read, 'a row was read in a way that is not counted').toBe(manifest.tables.reduce((sum, { rows }) => sum + rows, 0))
})

it('an export of all rows uses smaller batches for long rows', () => {
  expect(peakLength).toBeGreaterThan(200_000)
  expect(peakLength).toBeLessThan(LENGTH_HELD_MAX)
})

it('an import of all rows writes one batch in each transaction', async () => {
  await withTarget(async (target, storage) => {
    const { database, peak, added } = countingWrites(target)
    await importWorkspace({ database, storage }, folder, OPTIONS, () => undefined)
    expect(peak()).toBeLessThanOrEqual(ROWS_HELD_MAX)
    for (const { name, rows } of manifest.tables) expect(added(name), name).toBe(rows)
  })
})

it('an import stores nothing from an export with a damaged line', async () => {
  const damaged = join(scratchFolder('archive-'), 'damaged')
  cpSync(folder, damaged, { recursive: true })
  const [path, before] = [tablePath(damaged, 'blocks'), 2 * ROWS_HELD_MAX - 1]
  writeFileSync(path, readFileSync(path, 'utf8').split('\n').toSpliced(before, 0, '["x').join('\n'))
  await withTarget(async (target, storage) => {
    const { database, added } = countingWrites(target)
    await expect(importWorkspace({ database, storage }, damaged, OPTIONS, () => undefined)).rejects.toThrow(
      `blocks, line ${before + 1}: expected JSON`,
    )
    for (const { name } of manifest.tables) expect(added(name), name).toBe(0)
  })
})

function rowsOf(table: string): number {
  return manifest.tables.find(({ name }) => name === table)?.rows ?? 0
}

function linesWritten(unfinished: string): number {
  const tables = join(unfinished, 'tables')
  return readdirSync(tables).reduce((sum, name) => sum + readFileSync(join(tables, name), 'utf8').split('\n').length - 1, 0)
}

async function withFiles<T>(work: (storage: FileStorage) => Promise<T>): Promise<T> {
  const storage = await openFiles({ kind: 'folder', path: scratchFolder('files-') })
  return work(storage).finally(() => storage.close())
}

/** Runs work with an empty database of the newest schema. */
async function withTarget(work: (database: Database, storage: FileStorage) => Promise<void>): Promise<void> {
  const made = await makeDatabase('newest')
  const database = openDatabase(parseConfig({ DATABASE_URL: made.url }).database)
  try {
    await migrate(database)
    await withFiles((storage) => work(database, storage))
  } finally {
    await database.close()
    await made.drop()
  }
}
