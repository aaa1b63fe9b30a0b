import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newestSchema } from '../../server/store/migrations.ts'
import { makePage, paragraph, plainTexts, children } from '../harness/content.ts'
import { scratchFolder } from '../harness/databases.ts'
import { png, upload } from '../harness/files.ts'
import { at, resultsOf, textAt } from '../harness/json.ts'
import { runService, until } from '../harness/process.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { InProcessCommandLine } from './support.ts'

let folder: string
let source: InProcessCommandLine
let target: InProcessCommandLine
beforeEach(() => {
  folder = scratchFolder('restore-')
  source = new InProcessCommandLine(settingsOf('source').DATABASE_URL, settingsOf('source'))
  target = new InProcessCommandLine(settingsOf('target').DATABASE_URL, settingsOf('target'))
})

const settingsOf = (name: string): { DATABASE_URL: string; FILES_URL: string } => ({
  DATABASE_URL: `sqlite:${databaseOf(name)}`,
  FILES_URL: `file:${join(folder, name, 'files')}`,
})
const databaseOf = (name: string): string => join(folder, name, 'workspace.db')
const inBackup = (name: string): string => join(folder, 'backup', name)

/** @returns the page with a picture on it */
async function addPicture({ owner }: Pick<TestServer, 'owner'>): Promise<string> {
  const file = { type: 'file_upload', file_upload: { id: await upload(owner, png, 'dock.png') } }
  return makePage(owner, 'Dock', undefined, [{ image: file }])
}

/** A service with a picture, backed up with its files and stopped. @returns the page with the picture */
async function makeBackup(): Promise<string> {
  const server = await startTestServer(settingsOf('source'))
  const pageId = await addPicture(server).finally(() => server.stop())
  await source.json('backup', inBackup('copy.db'), '--files', inBackup('files'))
  return pageId
}

const restoreWords = (): string[] => ['restore', inBackup('copy.db'), '--files', inBackup('files')]

it('backup, doctor and restore leave no -wal and -shm files beside the database or its copy', async () => {
  await makeBackup()
  await source.run(['doctor'])
  await source.json('backup', inBackup('second.db'))
  await target.json(...restoreWords())
  await target.run(['doctor'])
  const files = ['source', 'backup', 'target'].flatMap((name) => readdirSync(join(folder, name)))
  expect(files.filter((name) => /-(?:wal|shm|journal)$|unfinished/.test(name))).toEqual([])
})

describe('restore', () => {
  it('restores a backup made during writes, with equal content and files', async () => {
    const service = await runService(settingsOf('source'))
    const pageId = await addPicture(service)
    let [written, isDone] = [0, false]
    const writer = (async () => {
      for (; !isDone; written += 1) {
        const body = { children: [paragraph(`line ${written}`)] }
        expect((await service.owner.call('appendBlockChildren', { path: { block_id: pageId }, body })).status).toBe(200)
      }
    })()
    await until(() => (written > 10 ? true : undefined))
    const [before, report] = [written, await source.json('backup', inBackup('copy.db'), '--files', inBackup('files'))]
    isDone = true
    await writer
    service.kill()
    await service.ended
    expect(report).toMatchObject({ new_files: 1, new_file_bytes: png.length })

    expect(await target.json(...restoreWords())).toMatchObject({ files: 1, replaced: null, pending: 0, schema: newestSchema })
    expect(readdirSync(join(folder, 'target')).toSorted()).toEqual(['files', 'workspace.db'])
    expect(statSync(databaseOf('target')).mode & 0o777).toBe(0o600)
    const server = await startTestServer(settingsOf('target'))
    try {
      const blocks = await children(server.owner, pageId)
      const lines = plainTexts(blocks.slice(1))
      expect(lines.length).toBeGreaterThanOrEqual(Math.min(before, 90) - 1)
      expect(lines).toEqual(lines.map((_line, index) => `line ${index}`))
      const url = textAt(blocks[0], 'image', 'file', 'url')
      expect(Buffer.from(await (await fetch(url)).arrayBuffer())).toEqual(png)
      await makePage(server.owner, 'Written later')
    } finally {
      await server.stop()
    }
  })

  it('without --files restores only the database', async () => {
    await makeBackup()
    expect(await target.json('restore', inBackup('copy.db'))).toMatchObject({ files: 0 })
    expect(existsSync(join(folder, 'target', 'files'))).toBe(false)
  })

  it('with --force keeps the former database beside the restored one', async () => {
    await makeBackup()
    const server = await startTestServer(settingsOf('target'))
    const pageId = await addPicture(server).finally(() => server.stop())
    const report = await target.json(...restoreWords(), '--force')
    const former = new InProcessCommandLine(`sqlite:${textAt(report, 'replaced')}`)
    expect(resultsOf(await former.json('workspace', 'list')).map(({ id }) => id)).toEqual([exampleWorkspace.workspace.id])
    const restored = await startTestServer(settingsOf('target'))
    const response = await restored.owner.call('retrievePage', { path: { page_id: pageId } }).finally(() => restored.stop())
    expect(response.status).toBe(404)
  })

  it('with --without-checksum accepts backups of earlier releases, which have no checksums', async () => {
    await makeBackup()
    for (const path of [inBackup('copy.db.sha256'), objectIn(inBackup('files'), '.sha256')]) rmSync(path)
    expect(await target.json(...restoreWords(), '--without-checksum')).toMatchObject({ files: 1 })
  })

  it('shares one folder of files among backups: a second backup copies no file again', async () => {
    await makeBackup()
    const again = await source.json('backup', inBackup('next.db'), '--files', inBackup('files'))
    expect(at(again, 'new_files')).toBe(0)
  })
})

describe('restore changes nothing', () => {
  it('while the service runs', async () => {
    await makeBackup()
    const service = await runService(settingsOf('target'))
    for (const words of [restoreWords(), [...restoreWords(), '--force']])
      expect(await target.refusal(words, 1)).toMatch(/A process uses .*: stop the service first\./)
    expect((await service.owner.call('retrieveMe')).status).toBe(200)
    service.kill()
    await service.ended
  })

  it('when a database or files exist', async () => {
    await makeBackup()
    const server = await startTestServer(settingsOf('target'))
    await addPicture(server).finally(() => server.stop())
    expect(await target.refusal(restoreWords(), 1)).toMatch(/The database .* already exists\. Add --force/)
    rmSync(databaseOf('target'))
    expect(await target.refusal(restoreWords(), 1)).toMatch(/already contains files\. Add --force/)
    expect(existsSync(databaseOf('target'))).toBe(false)
  })

  it.each<[string, () => void, RegExp]>([
    ['a missing backup', () => rmSync(inBackup('copy.db')), /copy\.db: no such file/],
    ['a damaged backup', () => damage(inBackup('copy.db')), /The backup cannot be used: its checksum differs\./],
    ['a flipped bit', () => flipBit(inBackup('copy.db')), /The backup cannot be used: its checksum differs\./],
    [
      'a backup without a checksum',
      () => rmSync(inBackup('copy.db.sha256')),
      /copy\.db\.sha256 does not exist.* --without-checksum/,
    ],
    ['a malformed checksum', () => writeFileSync(inBackup('copy.db.sha256'), 'x'), /expected a SHA-256 in hexadecimal/],
    ['a file with a flipped bit', () => flipBit(objectIn(inBackup('files'), '')), /expected the SHA-256 [0-9a-f]{64}, found/],
    ['a file without a checksum', () => rmSync(objectIn(inBackup('files'), '.sha256')), /does not contain .*\.sha256/],
    [
      'missing files',
      () => rmSync(inBackup('files'), { recursive: true }),
      /1 files that the database records are missing or truncated at/,
    ],
  ])('for %s', async (_what, spoil, message) => {
    await makeBackup()
    spoil()
    expect(await target.refusal(restoreWords(), 1)).toMatch(message)
    const left = existsSync(join(folder, 'target')) ? readdirSync(join(folder, 'target')) : []
    expect(left).toEqual([])
  })

  it.each<[string, () => void, RegExp]>([
    ['a damaged backup', () => damage(inBackup('copy.db')), /The backup cannot be used: /],
    ['another file', () => writeFileSync(inBackup('copy.db'), 'a letter '.repeat(1_000)), /The backup cannot be used: /],
    [
      'a database of another program',
      () => change(inBackup('copy.db'), 'drop table migrations'),
      /it is not a database of the service/,
    ],
    [
      'a backup of a newer release',
      () => change(inBackup('copy.db'), "insert into migrations (number, name) values (9999, 'later')"),
      /has schema 9999, and this release supports/,
    ],
  ])('for %s, even with --without-checksum', async (_what, spoil, message) => {
    await makeBackup()
    spoil()
    expect(await target.refusal([...restoreWords(), '--without-checksum'], 1)).toMatch(message)
    expect(existsSync(databaseOf('target'))).toBe(false)
  })

  it.each([
    ['postgres://service@db/workspace', 1, /pg_restore/],
    ['sqlite::memory:', 2, /in memory cannot be restored/],
  ])('when DATABASE_URL is %s', async (url, code, message) => {
    expect(await new InProcessCommandLine(url).refusal(['restore', inBackup('copy.db')], code)).toMatch(message)
  })
})

function flipBit(path: string): void {
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes.writeUInt8((bytes[middle] ?? 0) ^ 4, middle)
  writeFileSync(path, bytes)
}

/** The object of the only file, or its checksum. */
function objectIn(files: string, end: '' | '.sha256'): string {
  const names = readdirSync(files, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = names.find(({ name }) => name.endsWith('.sha256') === (end === '.sha256'))
  return join(found?.parentPath ?? files, found?.name ?? '')
}

function damage(path: string): void {
  change(path, "pragma foreign_keys = off; insert into grants values ('w', 'b', 'i', 0)")
}

function change(path: string, statements: string): void {
  const database = new DatabaseSync(path)
  database.exec(statements)
  database.close()
}
