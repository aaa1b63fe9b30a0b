import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { changeQuotas, findMiscounts, recount, showUsage, NO_QUOTA } from '../../server/domain/administration/quotas.ts'
import { countUsage, usageKinds, type WorkspaceCounts, type UsageKind } from '../../server/store/usage.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import type { TestResponse } from '../harness/responses.ts'
import { append, block, makePage, paragraph, text } from '../harness/content.ts'
import { databaseOfFile, makeDatabase, scratchFolder } from '../harness/databases.ts'
import { makeDatabase as makeRows } from '../harness/databases_content.ts'
import { expectError } from '../harness/expectations.ts'
import { create as createUpload, file, pdf, send, upload } from '../harness/files.ts'
import { idOf } from '../harness/json.ts'
import { makeSettledNote, plain } from '../harness/meeting_notes.ts'
import { runService, until } from '../harness/process.ts'
import { served, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sweep, sweepFiles } from '../harness/sweeps.ts'
import { withoutSql } from '../harness/long_runs.ts'

const { id: workspaceId } = exampleWorkspace.workspace

const database = await databaseOfFile()
let filesUrl: string
/** The host of imported files. Either server may run an import. */
let remote: RemoteHost
/** Two servers on one database, like two processes. */
let servers: readonly [TestServer, TestServer]
let server: TestServer
let cli: InProcessCommandLine
beforeAll(async () => {
  filesUrl = `file:${scratchFolder('quotas-')}`
  remote = await startRemoteHost({ 'plan.pdf': served(Buffer.concat([pdf, Buffer.alloc(1000)]), 'application/pdf') })
  const start = (): Promise<TestServer> =>
    startTestServer({ DATABASE_URL: database.url, FILES_URL: filesUrl, FILE_IMPORT_HOSTS: remote.host })
  servers = [await start(), await start()]
  server = servers[0]
  cli = new InProcessCommandLine(database.url)
})
afterAll(async () => {
  await Promise.all(servers.map((one) => one.stop()))
  await remote.close()
})

const used = async (): Promise<WorkspaceCounts> => (await server.service.database.read((db) => showUsage(db, workspaceId))).used
const setQuota = (kind: UsageKind, quota: number | null): Promise<void> =>
  server.service.database.write((db) => changeQuotas(db, workspaceId, { [kind]: quota }))
/** Sets a quota so that this much of it is left. */
const setFreeQuota = async (kind: UsageKind, room: number): Promise<void> => setQuota(kind, (await used())[kind] + room)
afterEach(async () => {
  for (const kind of usageKinds) await setQuota(kind, null)
})

/** Expects the counters to equal a count of all rows. */
async function expectRight(when = ''): Promise<void> {
  const counted = await server.service.database.read((db) => countUsage(db, workspaceId))
  expect(await used(), when).toEqual(counted)
}

function expectFull(response: TestResponse, kind: UsageKind): void {
  expectError(response, 406, 'row_limit_exceeded')
  expect(response.body['additional_data']).toEqual({ quota: kind, limit: expect.stringMatching(/^\d+$/) })
}

const newPage = (parent: string, more: object = {}, by = server): Promise<TestResponse> =>
  by.owner.call('createPage', { body: { parent: { page_id: parent }, properties: { title: [text('Page')] }, ...more } })
const newBlocks = (parent: string, count: number): Promise<TestResponse> =>
  server.owner.call('appendBlockChildren', {
    path: { block_id: parent },
    body: { children: Array.from({ length: count }, () => paragraph('block')) },
  })

describe('406 with the quota and its limit, and no change, when a write would exceed the quota for', () => {
  it('pages, including rows', async () => {
    const parent = await makePage(server.owner)
    const { sourceId } = await makeRows(server.owner, parent)
    await setFreeQuota('pages', 1)
    expect((await newPage(parent)).status).toBe(200)
    const before = await used()
    expectFull(await newPage(parent), 'pages')
    expectFull(await newPage(parent, { parent: { data_source_id: sourceId }, properties: {} }), 'pages')
    expectFull(await newPage(parent, { children: [paragraph('inside')] }), 'pages')
    expect(await used()).toEqual(before)
    expect((await newBlocks(parent, 3)).status).toBe(200)
    await expectRight()
  })

  it('blocks, in whatever way they are written', async () => {
    const parent = await makePage(server.owner)
    await setFreeQuota('blocks', 5)
    expectFull(await newBlocks(parent, 6), 'blocks')
    expectFull(
      await server.owner.call('appendBlockChildren', {
        path: { block_id: parent },
        body: { children: [block('toggle', 'a', { children: Array.from({ length: 5 }, () => paragraph('b')) })] },
      }),
      'blocks',
    )
    expectFull(await newPage(parent, { children: Array.from({ length: 6 }, () => paragraph('x')) }), 'blocks')
    expectFull(
      await server.owner.call('createPage', { body: { parent: { page_id: parent }, markdown: 'a\n\n'.repeat(6) } }),
      'blocks',
    )
    expectFull(
      await server.owner.call('updatePageMarkdown', {
        path: { page_id: parent },
        body: { type: 'replace_content', replace_content: { new_str: 'a\n\n'.repeat(6) } },
      }),
      'blocks',
    )
    expect((await newBlocks(parent, 5)).status).toBe(200)
    expectFull(await newBlocks(parent, 1), 'blocks')
    expect((await newPage(parent)).status).toBe(200)
    await expectRight()
  })

  it('meeting notes', async () => {
    const parent = await makePage(server.owner)
    const id = await upload(server.owner, 'We talked.', 'talk.txt')
    await setFreeQuota('notes', 0)
    const body = { source: { type: 'file_upload', file_upload_id: id }, parent: { type: 'page_id', page_id: parent } }
    expectFull(await server.owner.call('createMeetingNotes', { body }), 'notes')
    await setFreeQuota('notes', 1)
    expect((await server.owner.call('createMeetingNotes', { body })).status).toBe(200)
    await server.service.drainJobs()
    await expectRight()
  })

  it('files and their bytes, uploaded in one part or several', async () => {
    await setFreeQuota('files', 1)
    const id = idOf(await createUpload(server.owner, { filename: 'a.txt' }))
    expectFull(await server.owner.call('createFileUpload', { body: {} }), 'files')
    await setQuota('files', null)
    await setFreeQuota('bytes', 10)
    expectFull(await send(server.owner, id, file('x'.repeat(11), 'a.txt', 'text/plain')), 'bytes')
    expect((await send(server.owner, id, file('x'.repeat(10), 'a.txt', 'text/plain'))).status).toBe(200)
    const other = idOf(await createUpload(server.owner, { filename: 'b.txt' }))
    expectFull(await send(server.owner, other, file('y', 'b.txt', 'text/plain')), 'bytes')
    await sweepFiles(server.service.database, server.service.vault, server.clock.now() + 3_600_000)
    await expectRight()
  })
})

it('an import of a file by its address fails with the limit of a quota', async () => {
  await setFreeQuota('bytes', 100)
  const before = (await used()).bytes
  const body = { mode: 'external_url', filename: 'plan.pdf', external_url: remote.url('plan.pdf') }
  const path = { file_upload_id: idOf((await server.owner.call('createFileUpload', { body })).body) }
  const result = await until(async () => {
    const found = (await server.owner.call('retrieveFileUpload', { path })).body
    return found['status'] === 'pending' ? undefined : found
  })
  expect(result).toMatchObject({
    status: 'failed',
    file_import_result: {
      type: 'error',
      error: { code: 'file_upload_quota_exceeded', message: expect.stringContaining('at most') },
    },
  })
  expect((await used()).bytes).toBe(before)
  await expectRight()
})

describe('200 when no quota applies', () => {
  it('for changes, deletions and content of other kinds, even if the workspace exceeds a lowered quota', async () => {
    const parent = await makePage(server.owner)
    const [kept] = await append(server.owner, parent, [paragraph('kept')])
    await setQuota('blocks', 1)
    await setQuota('pages', 1)
    const path = { block_id: idOf(kept) }
    expect((await server.owner.call('updateBlock', { path, body: { paragraph: { rich_text: [text('changed')] } } })).status).toBe(
      200,
    )
    expect((await server.owner.call('deleteBlock', { path })).status).toBe(200)
    expect((await server.owner.call('updatePage', { path: { page_id: parent }, body: { in_trash: true } })).status).toBe(200)
    expect((await server.owner.call('createFileUpload', { body: {} })).status).toBe(200)
  })

  it('in a workspace with a higher quota of its own, or with none', async () => {
    const parent = await makePage(server.owner)
    const limited = await startTestServer({ DATABASE_URL: database.url, QUOTA_PAGES: '1' })
    expectFull(await newPage(parent), 'pages')
    await setQuota('pages', NO_QUOTA)
    expect((await newPage(parent)).status).toBe(200)
    await setQuota('pages', null)
    expectFull(await newPage(parent), 'pages')
    await limited.stop()
    const unlimited = await startTestServer({ DATABASE_URL: database.url })
    expect((await newPage(parent)).status).toBe(200)
    await unlimited.stop()
  })
})

it('concurrent writers in several processes together stay within a quota', async () => {
  const parent = await makePage(server.owner)
  await setFreeQuota('pages', 7)
  const responses = await Promise.all(
    Array.from({ length: 40 }, (_, index) => newPage(parent, {}, servers[index % 2 === 0 ? 0 : 1])),
  )
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(7)
  for (const response of responses) if (response.status !== 200) expectFull(response, 'pages')
  await expectRight()
})

it('the idempotency key of a refused write can be used again after the quota is raised', async () => {
  const parent = await makePage(server.owner)
  await setFreeQuota('pages', 0)
  const headers = { 'Idempotency-Key': randomUUID() }
  const request = { body: { parent: { page_id: parent }, properties: { title: [text('Later')] } }, headers }
  expectFull(await server.owner.call('createPage', request), 'pages')
  await setFreeQuota('pages', 1)
  expect((await server.owner.call('createPage', request)).status).toBe(200)
})

/** A generator of numbers that is the same in every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

describe('counters of contents', () => {
  it('equal a recount after any order of changes', { timeout: 300_000 }, async () => {
    const random = numbers(Number(process.env['SEED'] ?? 7))
    const template = await makePage(server.owner, 'Template')
    await append(server.owner, template, [paragraph('one'), block('toggle', 'two', { children: [paragraph('three')] })])
    const { sourceId } = await makeRows(server.owner, template)
    const pages = [await makePage(server.owner)]
    const uploads: string[] = []
    const one = <T>(list: readonly T[]): T => list[random(list.length)] as T
    const { owner, service } = server
    const markdown = (): string => `# Title\n\n${'- item\n'.repeat(random(20))}\n`
    const changes: readonly [string, () => Promise<unknown>][] = [
      ['a page', async () => pages.push(idOf((await newPage(one(pages), { children: [paragraph('x'), paragraph('y')] })).body))],
      ['a row', () => newPage('', { parent: { data_source_id: sourceId }, properties: {}, children: [paragraph('x')] })],
      ['blocks', () => newBlocks(one(pages), 1 + random(30))],
      ['a page in Markdown', () => owner.call('createPage', { body: { parent: { page_id: one(pages) }, markdown: markdown() } })],
      [
        'other Markdown',
        () =>
          owner.call('updatePageMarkdown', {
            path: { page_id: one(pages) },
            body: { type: 'replace_content', replace_content: { new_str: markdown(), allow_deleting_content: true } },
          }),
      ],
      ['erased content', () => owner.call('updatePage', { path: { page_id: one(pages) }, body: { erase_content: true } })],
      ['the trash', () => owner.call('updatePage', { path: { page_id: one(pages) }, body: { in_trash: random(2) === 0 } })],
      [
        'a copy of a template',
        () =>
          owner.call('createPage', {
            body: { parent: { page_id: one(pages) }, template: { type: 'template_id', template_id: template } },
          }),
      ],
      [
        'a failing write',
        () => newPage(one(pages), { children: [{ synced_block: { synced_from: { block_id: randomUUID() } } }] }),
      ],
      ['a file', async () => uploads.push(await upload(owner, 'x'.repeat(random(1000)), 'a.txt'))],
      ['an upload without a file', () => createUpload(owner)],
      ['a note', () => makeSettledNote(owner, one(pages), plain('We talked.'), {})],
      ['jobs', () => service.drainJobs()],
      [
        'expiry',
        async () => {
          server.clock.advance(2 * 3_600_000)
          await sweep(service.database, server.clock.now())
          await sweepFiles(service.database, service.vault, server.clock.now())
        },
      ],
    ]
    const done = new Set<string>()
    for (let step = 0; step < Number(process.env['RUNS'] ?? 90); step += 1) {
      const [name, change] = step < changes.length ? (changes[step] ?? one(changes)) : one(changes)
      const result = await change().catch((error: unknown) => error)
      const { status = 200 } = (typeof result === 'object' ? result : {}) as Partial<TestResponse>
      if ((status === 200 || typeof status !== 'number') && !(result instanceof Error)) done.add(name)
      await expectRight(`step ${step}: ${name}`)
    }
    expect([...done].toSorted()).toEqual(
      changes
        .map(([name]) => name)
        .filter((name) => name !== 'a failing write')
        .toSorted(),
    )
    await service.drainJobs()
    await sweep(service.database, server.clock.now())
    await expectRight('at the end')
    const end = await used()
    for (const kind of usageKinds) expect(end[kind], kind).toBeGreaterThan(0)
  })

  withoutSql(it)('are correct for an imported workspace, and are deleted with a workspace', { timeout: 120_000 }, async () => {
    const { database: store } = server.service
    expect(await findMiscounts(store)).toEqual([])
    const archive = join(scratchFolder('quotas-'), 'export.tar')
    await new InProcessCommandLine(database.url, { FILES_URL: filesUrl }).json('workspace', 'export', workspaceId, archive)
    const other = await makeDatabase('none')
    const target = new InProcessCommandLine(other.url, { FILES_URL: `file:${scratchFolder('quotas-')}` })
    await target.json('migrate')
    await target.json('workspace', 'import', archive)
    expect(await target.json('workspace', 'show', workspaceId)).toMatchObject({ usage: await used() })
    await target.json('workspace', 'delete', workspaceId, '--yes')
    expect((await target.json('doctor'))['findings']).toContainEqual(expect.objectContaining({ check: 'usage', health: 'ok' }))
    await other.drop()
  })
})

describe('the command line for quotas', () => {
  it('shows and changes quotas', async () => {
    expect(await cli.json('workspace', 'quota', workspaceId)).toEqual({
      usage: await used(),
      quotas: { pages: null, blocks: null, notes: null, files: null, bytes: null },
    })
    expect(
      await cli.json('workspace', 'quota', exampleWorkspace.workspace.name, '--pages', '5', '--bytes', '123456789012'),
    ).toMatchObject({
      quotas: { pages: 5, blocks: null, bytes: 123_456_789_012 },
    })
    expect(await cli.json('workspace', 'quota', workspaceId, '--pages', 'none')).toMatchObject({
      quotas: { pages: null, bytes: 123_456_789_012 },
    })
    const { output } = await cli.run(['workspace', 'show', workspaceId])
    expect(output).toMatch(/^Pages: +\d+, no limit \(set for this workspace\)$/m)
    expect(output).toMatch(/^Bytes of files: +\d+, at most 123456789012 \(set for this workspace\)$/m)
    expect(await cli.json('workspace', 'quota', workspaceId, '--pages', 'default', '--bytes', 'default')).toMatchObject({
      quotas: { pages: null, bytes: null },
    })
    expect(await cli.refusal(['workspace', 'quota', workspaceId, '--pages', '-1'], 2)).toContain('whole number')
  })

  it('reports wrong counters and corrects them', async () => {
    await server.service.database.write((db) => db.run('update workspace_usage set pages = pages - 3'))
    await setQuota('pages', 1)
    const { database: store } = server.service
    expect((await findMiscounts(store)).map(({ workspaceId: id }) => id)).toContain(workspaceId)
    const { code, output } = await cli.run(['doctor'])
    expect({ code, output }).toMatchObject({ code: 3, output: expect.stringContaining('--recount') })
    await cli.json('workspace', 'quota', workspaceId, '--recount')
    await expectRight()
    await store.write((db) => recount(db, workspaceId))
    await expectRight()
  })
})

it('metrics show the contents of workspaces, and the number of full ones', async () => {
  await setFreeQuota('pages', 0)
  const service = await runService({ DATABASE_URL: database.url, METRICS: 'loopback' })
  const page = await (await fetch(`${service.url}/metrics`)).text()
  expect(page).toMatch(/^workspace_usage\{kind="pages"\} [1-9]\d*$/m)
  expect(page).toMatch(/^workspace_quotas_full\{kind="pages"\} 1$/m)
  expect(page).toMatch(/^workspace_quotas_full\{kind="bytes"\} 0$/m)
})
