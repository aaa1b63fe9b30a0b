import { describe, expect, it } from 'vitest'
import { story } from '../../server/bootstrap/story.ts'
import { updateAgent } from '../../server/domain/administration/agents.ts'
import { updateCreditTerms } from '../../server/domain/administration/credits.ts'
import { makePage } from '../harness/content.ts'
import { upload } from '../harness/files.ts'
import { at, idOf } from '../harness/json.ts'
import { makeSettledNote } from '../harness/meeting_notes.ts'
import { until } from '../harness/process.ts'
import { stopped } from '../harness/sessions.ts'
import { activated } from '../harness/webhooks.ts'
import { expiredRows } from './support/expired_rows.ts'
import { smallServiceOfFile } from './support/small_service.ts'
import { transcripts } from './support/transcripts.ts'

/** The most blocks of one text. */
const BLOCKS = 20_000

const { service, store, remote, receiver, page } = await smallServiceOfFile()

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
}

async function deliverEvents(): Promise<void> {
  await activated(service.owner, receiver, { event_types: ['page.content_updated', 'page.created'] })
  await task('createPage', { body: { parent: { page_id: page }, markdown: 'x\n'.repeat(BLOCKS), allow_async: true } })
  await until(() => (receiver.events().length > 0 ? true : undefined))
}

/** The others are in `job_memory.all.sqlite.test.ts`. */
const TRANSCRIPT = 'a text of one line of different words'

async function processNote(): Promise<void> {
  const recording = new Map(transcripts).get(TRANSCRIPT)
  if (!recording) throw new Error(`no ${TRANSCRIPT}`)
  const note = await makeSettledNote(service.owner, page, recording)
  expect(at(note, 'meeting_notes', 'status')).toBe('notes_ready')
}

/** A function runs the largest legal input of a kind of job; a text says why nothing that callers write makes it need more memory. */
type Row = (() => Promise<void>) | string

const ROWS: Readonly<Record<string, Row>> = {
  async_task: runTasks,
  file_import: importFiles,
  'session turn': runTurns,
  'meeting note': processNote,
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
  ...Object.fromEntries(Object.keys(expiredRows).map((kind) => [kind, 'It runs in `job_memory.all.sqlite.test.ts`.'])),
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
