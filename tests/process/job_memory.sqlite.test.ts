import { readFileSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { parseConfig } from '../../server/config.ts'
import { updateAgent } from '../../server/domain/administration/agents.ts'
import { updateCreditTerms } from '../../server/domain/administration/credits.ts'
import { openDatabase } from '../../server/store/open.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase, scratchFolder, type TestDatabase } from '../harness/databases.ts'
import { MEBIBYTE, upload } from '../harness/files.ts'
import { at, idOf } from '../harness/json.ts'
import { json, makeSettledNote, plain, vtt, type Recording } from '../harness/meeting_notes.ts'
import { keepService, until, type RunningProcess } from '../harness/process.ts'
import { onceAsked, startRemoteHost, type RemoteHost } from '../harness/remote_host.ts'
import { stopped } from '../harness/sessions.ts'
import { activated, allowing } from '../harness/webhooks.ts'
import { startReceiver, type HookReceiver } from '../harness/webhook_receiver.ts'

/** The size of the largest transcript that is read. */
const TRANSCRIPT_LENGTH = 16_000_000

/** What the process may have resident: its heap, its code, and the bytes of files and bodies on their way. */
const RESIDENT_MB_MAX = 900
/** The most blocks of one text. */
const BLOCKS = 20_000

let database: TestDatabase
let service: RunningProcess
let remote: RemoteHost
let receiver: HookReceiver
let page: string
beforeAll(async () => {
  database = await makeDatabase()
  remote = await startRemoteHost({ 'long.txt': onceAsked('text/plain', (_request, response) => pour(response, FILE_BYTES)) })
  receiver = await startReceiver()
  service = await keepService({
    DATABASE_URL: database.url,
    FILES_URL: `file:${scratchFolder('job-memory-')}`,
    LOG_LEVEL: 'error',
    FILE_IMPORT_HOSTS: remote.host,
    NODE_EXTRA_CA_CERTS: trusting(remote.certFile, receiver.host.certFile),
    ...allowing(receiver),
  })
  page = await makePage(service.owner)
})
afterAll(async () => {
  const peak = peakMegabytes()
  service.kill()
  expect(await service.ended).toMatchObject({ code: 0 })
  expect(service.log()).toStrictEqual([])
  await Promise.all([remote.close(), receiver.close(), database.drop()])
  expect(peak).toBeLessThan(RESIDENT_MB_MAX)
})

const words = (length: number, word = 'The sluice will open at noon '): string =>
  word.repeat(Math.ceil(length / word.length)).slice(0, length)

/** Words that are all different. */
function differentWords(length: number): string {
  let text = ''
  for (let n = 0; text.length < length; n += 1) text += `w${n.toString(36)} `
  return text.slice(0, length)
}

const CUES = 20_000
const TRANSCRIPTS: readonly (readonly [string, Recording])[] = [
  ['a text of one line', plain(words(TRANSCRIPT_LENGTH))],
  ['a text of one line of different words', plain(differentWords(TRANSCRIPT_LENGTH))],
  ['a text of one word', plain('a'.repeat(TRANSCRIPT_LENGTH))],
  ['a text of dots', plain('.'.repeat(TRANSCRIPT_LENGTH))],
  ['a text of the shortest sentences', plain('A. '.repeat(TRANSCRIPT_LENGTH / 3))],
  ['captions', vtt(`WEBVTT\n${`\n00:00:01.000 --> 00:00:02.000\n${words(700)}\n`.repeat(CUES)}`)],
  ['a list with one text', json([{ start: 0, end: 1, text: words(TRANSCRIPT_LENGTH) }])],
  [
    'a list of blank texts',
    json(Array.from({ length: 200_000 }, (_entry, n) => ({ start: n, end: n, text: n === 0 ? 'x' : ' ' }))),
  ],
]

/** Runs a task to its end. */
async function task(operation: 'createPage' | 'updatePageMarkdown', input: object): Promise<void> {
  const accepted = await service.owner.call(operation, input)
  expect(accepted.status, accepted.text).toBe(202)
  const path = { task_id: idOf(accepted.body) }
  const status = await until(async () => {
    const { body } = await service.owner.call('retrieveAsyncTask', { path })
    return ['succeeded', 'failed'].includes(String(body['status'])) ? body['status'] : undefined
  })
  expect(status).toBe('succeeded')
}

async function runTasks(): Promise<void> {
  const markdown = 'x\n'.repeat(BLOCKS)
  const body = { parent: { page_id: page }, markdown, allow_async: true }
  await Promise.all(Array.from({ length: 4 }, () => task('createPage', { body })))
  const long = await makePage(service.owner)
  const path = { page_id: long }
  const write = { type: 'replace_content', replace_content: { new_str: markdown }, allow_async: true }
  await task('updatePageMarkdown', { path, body: write })
  const add = { type: 'insert_content', insert_content: { content: markdown }, allow_async: true }
  await task('updatePageMarkdown', { path, body: add })
}

const FILE_BYTES = 64 * MEBIBYTE
/** As many as a process imports at once. */
const IMPORTS = 4

async function importFiles(): Promise<void> {
  const body = { mode: 'external_url', filename: 'long.txt', external_url: remote.url('long.txt') }
  const imported = async (): Promise<unknown> => {
    const path = { file_upload_id: idOf((await service.owner.call('createFileUpload', { body })).body) }
    return until(async () => {
      const { status } = (await service.owner.call('retrieveFileUpload', { path })).body
      return status === 'pending' ? undefined : status
    })
  }
  expect(await Promise.all(Array.from({ length: IMPORTS }, imported))).toStrictEqual(Array(IMPORTS).fill('uploaded'))
}

/** Fewer than a process runs at once, which takes long; all of their files would need 840 MB. */
const SESSIONS = 16

async function runTurns(): Promise<void> {
  await liftCreditLimits()
  const id = await upload(service.owner, 'The sluice \u2013 opens at noon. '.repeat(9_000), 'long.txt', 'text/plain')
  const attachments = Array.from({ length: 100 }, () => ({ type: 'file_upload', file_upload: { id } }))
  const body = { agent_id: story.agents.partsScout, message: 'When does the sluice open?', attachments }
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, async () => {
      const { status, text, body: session } = await service.owner.call('createSession', { body })
      expect(status, text).toBe(200)
      return stopped(service.owner, idOf(session))
    }),
  )
  const endings = sessions.map((session) => at(session, 'error', 'code') ?? session['status'])
  expect(new Set(endings)).toStrictEqual(new Set(['completed']))
}

/** What stops agents that cost too much would stop most of these turns before they run. */
async function liftCreditLimits(): Promise<void> {
  const store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  await store.write(async (db) => {
    await updateCreditTerms(db, story.workspace.id, { credits: null, defaultAgentLimit: null }, Date.now())
    await updateAgent(
      db,
      story.workspace.id,
      story.agents.partsScout,
      { settings: {}, publish: false, creditLimit: null },
      Date.now(),
    )
  })
  await store.close()
}

async function deliverEvents(): Promise<void> {
  await activated(service.owner, receiver, { event_types: ['page.content_updated', 'page.created'] })
  await task('createPage', { body: { parent: { page_id: page }, markdown: 'x\n'.repeat(BLOCKS), allow_async: true } })
  await until(() => (receiver.events().length > 0 ? true : undefined))
}

async function processNotes(): Promise<void> {
  for (const [what, recording] of TRANSCRIPTS) {
    const note = await makeSettledNote(service.owner, page, recording)
    expect(at(note, 'meeting_notes', 'status'), what).toBe('notes_ready')
  }
}

/** A function runs the largest legal input of a kind of job; a text says why nothing that callers write makes it need more memory. */
type Row = (() => Promise<void>) | string

const DELETES = 'It deletes 200 rows in a transaction by their keys, and reads none of their content.'
const ROWS: Readonly<Record<string, Row>> = {
  async_task: runTasks,
  file_import: importFiles,
  'session turn': runTurns,
  'meeting note': processNotes,
  form_events: deliverEvents,
  webhook_delivery: 'A turn reads 50 deliveries, each of which names at most 500 blocks; see form_events.',
  webhook_slow_delivery: 'It is a webhook_delivery that waits among slow ones.',
  webhook_retry: 'It only adds a webhook_delivery.',
  webhook_verification: 'It sends one token.',
  'session limit': 'It changes the status of one session, whose messages it does not read.',
  agent_schedule: 'It starts one session with a message of its own or of at most 10,000 characters.',
  agent_triggers: 'It reads one agent, which has at most 100 triggers.',
  agent_change:
    'It reads at most 100 changes and 100 places of each, one after the other, and starts at most 20 sessions for an agent.',
  agent_end_turns: 'It changes one session after the other; of all that wait it holds the ids.',
  sweep_idempotency_keys: DELETES,
  sweep_budget_windows: DELETES,
  sweep_authorization_codes: DELETES,
  sweep_sign_ins: DELETES,
  sweep_async_tasks: DELETES,
  sweep_deleted_agents: DELETES,
  sweep_erased_content: DELETES,
  sweep_view_queries: DELETES,
  sweep_webhook_deliveries: DELETES,
  sweep_dead_jobs: DELETES,
  sweep_agent_hours: DELETES,
  sweep_file_uploads: 'It changes at most 200 uploads, one after the other, whose bytes it does not read.',
  sweep_files: 'It removes at most 200 files, whose bytes it does not read.',
  sweep_outbox: 'It adds one job for each of at most 200 streams, whose entries it does not read.',
  sweep_agent_schedules: 'It adds one job for each of at most 200 schedules.',
}
const RUN = Object.entries(ROWS).filter((row): row is [string, () => Promise<void>] => typeof row[1] === 'function')

describe('with a heap of 512 MB', () => {
  it('every kind of job of the service has a row', async () => {
    const { text } = await service.owner.page('/metrics')
    const kinds = new Set([...text.matchAll(/^workspace_jobs\{.*?kind="([^"]+)"/gm)].map(([, kind = '']) => kind))
    expect([...kinds].toSorted()).toStrictEqual(Object.keys(ROWS).toSorted())
  })

  it.each(RUN)('the largest legal input of a job ends well: %s', async (_kind, run) => {
    await run()
  })
})

/** Sends that many bytes of text, as fast as they are read. */
function pour(response: ServerResponse, bytes: number): void {
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': String(bytes) })
  Readable.from(Array(bytes / MEBIBYTE).fill(Buffer.alloc(MEBIBYTE, 'x'))).pipe(response)
}

/** A file with the certificates of all files. */
function trusting(...files: readonly string[]): string {
  const path = join(scratchFolder('certificates-'), 'all.pem')
  writeFileSync(path, files.map((file) => readFileSync(file, 'utf8')).join('\n'))
  return path
}

/** The most memory that the service has had resident; only Linux counts it for other processes. */
function peakMegabytes(): number {
  if (process.platform !== 'linux') return 0
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${service.pid}/status`, 'utf8'))?.[1]) / 1024
}
