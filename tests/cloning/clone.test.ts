import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceClient, type WorkspaceClient } from '../../client/src/index.ts'
import { clone } from '../../server/cloning/clone.ts'
import { CloneTarget } from '../../server/cloning/clone_target.ts'
import { makeWorkspace } from '../../server/cloning/make_workspace.ts'
import { ProgressFile, type Omission } from '../../server/cloning/progress_file.ts'
import { CommandLine } from '../cli/support.ts'
import { startAlteringServer } from '../conformance/support/altering_server.ts'
import { append, appendOne, block, makePage, paragraph } from '../harness/content.ts'
import { makeDatabase as makeStore } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { png, upload } from '../harness/files.ts'
import { idOf, parseObject } from '../harness/json.ts'
import { spawnProcess, until } from '../harness/process.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { blocksWithout, contentOf, type WorkspaceContent } from './support/content_of.ts'

const source = await serverOfFile()
const altering = await startAlteringServer(source.url)
await plantMore()
const folder = await mkdtemp(join(tmpdir(), 'clone-'))
afterAll(async () => {
  await altering.stop()
  rmSync(folder, { recursive: true, force: true })
})
beforeEach(() => {
  altering.alteration = () => undefined
})

/** What the sample has nothing of: many blocks, blocks inside of blocks, a mirror before its original, an upload, long lists. */
async function plantMore(): Promise<void> {
  const { owner } = source
  const page = await makePage(owner, 'Long')
  const toggle = await appendOne(owner, page, block('toggle', 'First'))
  const inner = await appendOne(owner, toggle, block('toggle', 'Second'))
  await append(owner, inner, [block('to_do', 'Third', { children: [paragraph('Fourth')] })])
  for (const part of [0, 1])
    await append(
      owner,
      page,
      Array.from({ length: 80 }, (_, index) => paragraph(`Line ${part} ${index}`)),
    )
  const synced = await appendOne(owner, page, { synced_block: { synced_from: null, children: [paragraph('Everywhere')] } })
  await append(owner, page, [{ synced_block: { synced_from: { block_id: synced } } }], { position: { type: 'start' } })
  const picture = await upload(owner, png, 'tide.png', 'image/png')
  await append(owner, page, [{ image: { file_upload: { id: picture } } }])
  await makePage(owner, 'Below', page)
  await append(owner, page, [paragraph('After the page below')])
  const boats = await makeDatabase(owner, page)
  const fleet = await makeDatabase(owner, page, { Boats: { relation: { data_source_id: boats.sourceId, single_property: {} } } })
  const links: object[] = []
  for (let index = 0; index < 30; index += 1) links.push({ id: idOf(await makeRow(owner, boats.sourceId)) })
  await makeRow(owner, fleet.sourceId, { Boats: { relation: links } })
}

const clientOf = (options: Partial<Parameters<typeof createWorkspaceClient>[0]> = {}): WorkspaceClient =>
  createWorkspaceClient({ baseUrl: source.url, token: TOKEN, ...options })

interface Cloned {
  readonly content: WorkspaceContent
  readonly leftOut: readonly Omission[]
  /** How often it was begun. */
  readonly runs: number
}

/** Clones the sample, beginning again whenever that is broken off. */
async function cloneBy(name: string, client: () => WorkspaceClient): Promise<Cloned> {
  const database = await makeStore()
  const place = join(folder, name)
  const settings = { DATABASE_URL: database.url, FILES_URL: `file:${join(folder, `${name}-files`)}` }
  try {
    for (let runs = 1; ; runs += 1) {
      const progress = new ProgressFile(place)
      const target = await CloneTarget.open(settings)
      try {
        const wishes = { name, owner: undefined }
        const made = () => target.service.database.write((db) => makeWorkspace(db, source.url, wishes, Date.now()))
        const head = progress.head ?? (await made())
        if (!progress.head) progress.begin(head)
        await target.enter(head)
        const isWhole = await clone(client(), target, progress, { listed: () => undefined, at: () => undefined }).then(
          () => true,
          () => false,
        )
        if (!isWhole) continue
        return { content: await contentOf((id, sending) => target.send(id, sending)), leftOut: progress.leftOut, runs }
      } finally {
        await target.close()
      }
    }
  } finally {
    await database.drop()
  }
}

const original = await contentOf(async (id, { path = {}, query = {}, body } = {}) => {
  const calls = clientOf() as unknown as Record<string, (input: object) => Promise<Record<string, unknown>>>
  return (await calls[id]?.({ path, query, body })) ?? {}
})

describe('clone', () => {
  it('copies pages, blocks, rows, schemas, views and comments under their ids, and lists what cannot be made', async () => {
    const { content, leftOut } = await cloneBy('whole', clientOf)
    const missing = new Set(leftOut.map(({ id }) => id))
    expect(content.pages).toEqual(original.pages)
    expect(blocksWithout(content.blocks, missing)).toEqual(blocksWithout(original.blocks, missing))
    expect(content.schemas.filter(({ id }) => !missing.has(id))).toEqual(original.schemas.filter(({ id }) => !missing.has(id)))
    expect(content.views).toEqual(original.views)
    expect(content.comments).toEqual(original.comments)
    expect(leftOut.map(({ what, reason }) => `${what}: ${reason}`).toSorted()).toEqual([
      'block: A block of type link_preview cannot be created like this.',
      'block: A block of type meeting_notes cannot be created like this.',
      'block: A block of type unsupported cannot be created like this.',
      'place of a page or database: It is inside of a block; the clone has it on the page itself, or not at all.',
      'title of a data source: Boats: alone, it has the title of its database.',
    ])
  })

  it('goes on where it was broken off, and makes nothing twice', { timeout: 120_000 }, async () => {
    const whole = await cloneBy('unbroken', clientOf)
    let left = 0
    const broken = await cloneBy('broken', () => {
      left = 25
      return clientOf({
        retries: 0,
        fetch: async (request) => {
          left -= 1
          if (left < 0) throw new TypeError('the cable is cut')
          return fetch(request)
        },
      })
    })
    expect(broken.runs).toBeGreaterThan(3)
    expect(broken.content).toEqual(whole.content)
    expect(broken.leftOut).toEqual(whole.leftOut)
  })

  it('waits as long as the server says', async () => {
    let answers = 0
    altering.alteration = (answer) => {
      answers += 1
      if (answers % 5 !== 0) return
      answer.status = 429
      answer.headers['retry-after'] = '0'
      answer.body = { object: 'error', status: 429, code: 'rate_limited', message: 'Slow down.', request_id: randomUUID() }
    }
    const limited = await cloneBy('limited', () => clientOf({ baseUrl: altering.url, retries: 10 }))
    expect(limited.runs).toBe(1)
    expect(limited.content.blocks.length).toBeGreaterThan(40)
  })
})

describe('workspace-service clone', () => {
  it('goes on after it was killed, and deletes its progress when it is complete', { timeout: 120_000 }, async () => {
    const database = await makeStore()
    const settings = { DATABASE_URL: database.url, FILES_URL: `file:${join(folder, 'killed-files')}`, CLONE_TOKEN: TOKEN }
    const progress = join(folder, 'killed')
    const words = ['clone', source.url, '--name', 'Killed', '--progress', progress, '--json']
    const steps = (): number => readFileSync(join(progress, 'steps.jsonl'), 'utf8').split('\n').length
    const first = spawnProcess('server/cli.js', words, settings)
    await until(() => (existsSync(join(progress, 'steps.jsonl')) && steps() > 40) || undefined, first)
    first.kill('SIGKILL')
    await first.ended
    const { code, output, errors } = await new CommandLine(database.url, settings).run(words)
    expect({ code, errors }).toEqual({ code: 0, errors: '' })
    expect(parseObject(output)).toMatchObject({ pages: 50, databases: 4, data_sources: 5, people: 3 })
    expect(existsSync(progress)).toBe(false)
    await database.drop()
  })

  it('refuses what it cannot begin with', async () => {
    const cli = new CommandLine('sqlite::memory:')
    expect(await cli.refusal(['clone', source.url, '--token', TOKEN], 2)).toContain('A database in memory disappears')
    const database = await makeStore()
    const onFile = new CommandLine(database.url)
    expect(await onFile.refusal(['clone', source.url], 2)).toContain('--token, or CLONE_TOKEN')
    expect(await onFile.refusal(['clone', 'ftp://x', '--token', TOKEN], 2)).toContain('is not the address of a server')
    expect(await onFile.refusal(['clone', source.url, '--token', TOKEN, '--email', 'a@b.example'], 2)).toContain('go together')
    expect(await onFile.refusal(['clone', source.url, '--token', 'itk_wrong'], 1)).toContain('does not accept the token')
    await database.drop()
  })
})
