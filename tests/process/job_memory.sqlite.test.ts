import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateAgent } from '../../server/domain/agents/administration/agents.ts'
import { updateCreditTerms } from '../../server/domain/agents/administration/credits.ts'
import { makePage } from '../harness/content.ts'
import { upload } from '../harness/files.ts'
import { at, idOf } from '../harness/json.ts'
import { makeSettledNote } from '../harness/meeting_notes.ts'
import { isLongRun } from '../harness/long_runs.ts'
import { until } from '../harness/process.ts'
import { stopped } from '../harness/sessions.ts'
import { activated } from '../harness/webhooks.ts'
import {
  endTurns,
  fillFromTemplate,
  followTriggers,
  mentionEverywhere,
  reachLimit,
  runBatch,
  runSchedules,
  sweepSchedules,
} from './support/agent_loads.ts'
import { longKinds } from './support/long_kinds.ts'
import { smallServiceOfFile } from './support/small_service.ts'
import { transcripts } from './support/transcripts.ts'
import { deliverToFew, retryMany, verifyEndlessly } from './support/webhook_loads.ts'

/** The maximum number of blocks of one text. */
const BLOCKS = 20_000

const small = await smallServiceOfFile()
const { service, store, remote, receiver, page } = small

/** Runs a task to its end. @returns the id of its page */
async function task(operation: 'createPage' | 'updatePageMarkdown', input: object): Promise<string> {
  const accepted = await service.owner.call(operation, input)
  expect(accepted.status, accepted.text).toBe(202)
  const path = { task_id: idOf(accepted.body) }
  const ended = await until(async () => {
    const { body } = await service.owner.call('retrieveAsyncTask', { path })
    return ['succeeded', 'failed'].includes(String(body['status'])) ? body : undefined
  })
  expect(ended['status']).toBe('succeeded')
  return String(at(ended, 'result', 'id'))
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

/** The maximum number of concurrent imports in a process. */
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

/** Fewer than the concurrent turns of a process, which take long; all of their files would need 840 MB. */
const SESSIONS = 16

async function runTurns(): Promise<void> {
  await liftCreditLimits()
  const id = await upload(service.owner, 'The sluice \u2013 opens at noon. '.repeat(9_000), 'long.txt', 'text/plain')
  const attachments = Array.from({ length: 100 }, () => ({ type: 'file_upload', file_upload: { id } }))
  const body = { agent_id: exampleWorkspace.agents.partsScout, message: 'When does the sluice open?', attachments }
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

/** Removes the credit limits of agents, which would stop most of these turns. */
async function liftCreditLimits(): Promise<void> {
  await store.write(async (db) => {
    await updateCreditTerms(db, exampleWorkspace.workspace.id, { credits: null, defaultAgentLimit: null }, Date.now())
    await updateAgent(
      db,
      exampleWorkspace.workspace.id,
      exampleWorkspace.agents.partsScout,
      { settings: {}, publish: false, creditLimit: null },
      Date.now(),
    )
  })
}

/** The maximum number of copied blocks. */
const COPIED_BLOCKS = 10_000

async function fillPage(): Promise<void> {
  const body = { parent: { page_id: page }, markdown: 'x\n'.repeat(COPIED_BLOCKS), allow_async: true }
  await fillFromTemplate(small, await task('createPage', { body }))
}

async function deliverEvents(): Promise<void> {
  await activated(service.owner, receiver, { event_types: ['page.content_updated', 'page.created'] })
  await task('createPage', { body: { parent: { page_id: page }, markdown: 'x\n'.repeat(BLOCKS), allow_async: true } })
  await until(() => (receiver.events().length > 0 ? true : undefined))
}

/** The other transcripts are in `job_memory.all.sqlite.test.ts`. */
const TRANSCRIPT = 'a text of one line of different words'

async function processNote(): Promise<void> {
  const recording = new Map(transcripts).get(TRANSCRIPT)
  if (!recording) throw new Error(`no ${TRANSCRIPT}`)
  const note = await makeSettledNote(service.owner, page, recording)
  expect(at(note, 'meeting_notes', 'status')).toBe('notes_ready')
}

/** Runs the largest legal input of a kind of job. */
const RUN: Readonly<Record<string, () => Promise<void>>> = {
  async_task: runTasks,
  'async_task of a batch': () => runBatch(small),
  'async_task of a template': fillPage,
  file_import: importFiles,
  'session turn': runTurns,
  'session limit': () => reachLimit(small),
  'meeting note': processNote,
  form_events: deliverEvents,
  webhook_delivery: () => deliverToFew(small),
  webhook_retry: () => retryMany(small),
  webhook_verification: () => verifyEndlessly(small),
  agent_triggers: () => followTriggers(small),
  agent_change: () => mentionEverywhere(small),
  agent_schedule: () => runSchedules(small),
  agent_end_turns: () => endTurns(small),
  sweep_agent_schedules: () => sweepSchedules(small),
}

/** A file and a turn of an agent. The others only run in long runs. */
const IN_EVERY_RUN: readonly string[] = ['file_import', 'session turn']

describe('with a heap of 512 MB,', () => {
  it('every kind of job is tested here or in job_memory.all.sqlite.test.ts', async () => {
    const { text } = await service.owner.page('/metrics')
    const kinds = new Set([...text.matchAll(/^workspace_jobs\{.*?kind="([^"]+)"/gm)].map(([, kind = '']) => kind))
    const run = new Set([...Object.keys(RUN).map((name) => name.replace(/ of .*/, '')), ...longKinds])
    expect([...kinds].toSorted()).toStrictEqual([...run].toSorted())
  })

  it.each(Object.entries(RUN).filter(([name]) => isLongRun || IN_EVERY_RUN.includes(name)))(
    'a job with the largest valid input succeeds: %s',
    async (_kind, run) => {
      await run()
    },
  )
})
