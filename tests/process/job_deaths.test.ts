import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseConfig } from '../../server/config.ts'
import type { Database } from '../../server/store/database.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makePage } from '../harness/content.ts'
import { databaseOfFile, scratchFolder } from '../harness/databases.ts'
import { wav } from '../harness/files.ts'
import { at, idOf } from '../harness/json.ts'
import { makeNote, settledNote } from '../harness/meeting_notes.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'
import { keepsSilent, startTranscriptionServer, transcribes, type TranscriptionServer } from '../harness/transcription_server.ts'

/** Longer than any lease. */
const LEASE_MS = 200_000
const NO_SUMMARY = { options: { kickoff_summary: false } }
const RECORDING = { content: wav, filename: 'talk.wav' }

const database = await databaseOfFile()
let store: Database
let remote: TranscriptionServer
let settings: Record<string, string>
beforeAll(async () => {
  store = openDatabase(parseConfig({ DATABASE_URL: database.url }).database)
  remote = await startTranscriptionServer()
  settings = {
    DATABASE_URL: database.url,
    FILES_URL: `file:${scratchFolder('job-deaths-')}`,
    TRANSCRIPTION_URL: remote.url,
    LOG_LEVEL: 'error',
  }
})
afterAll(async () => {
  await store.close()
  await remote.close()
})

/** Kills a process while its job runs, and advances the clock until another one may claim the job. */
async function killDuringAttempt(service: RunningProcess, attempt: number): Promise<void> {
  await until(() => (remote.requests.length === attempt ? true : undefined))
  service.kill('SIGKILL')
  expect(await service.ended).toMatchObject({ signal: 'SIGKILL' })
  await store.write((db) => db.run(`update jobs set due_time = due_time - ${LEASE_MS} where state = 'running'`))
}

it('a job whose process was killed twice is dead, with the reason, and is not run again', async () => {
  remote.respond(keepsSilent, keepsSilent)
  const first = await runService(settings)
  const page = await makePage(first.owner)
  const note = idOf(await makeNote(first.owner, page, RECORDING, NO_SUMMARY))
  await killDuringAttempt(first, 1)
  await killDuringAttempt(await runService(settings), 2)

  const third = await runService(settings)
  expect(at(await settledNote(third.owner, note), 'meeting_notes', 'status')).toBe('transcription_failed')
  expect(remote.requests).toHaveLength(2)
  expect(await new InProcessCommandLine(database.url, settings).json('job', 'list', '--dead')).toMatchObject({
    results: [
      { kind: 'meeting note', state: 'dead', interruptions: 2, error: 'the process died during each of the last 2 attempts' },
    ],
  })

  remote.respond(transcribes([{ start: 0, end: 1, text: 'Fine.' }]))
  const next = idOf(await makeNote(third.owner, page, RECORDING, NO_SUMMARY))
  expect(at(await settledNote(third.owner, next), 'meeting_notes', 'status')).toBe('notes_ready')
  third.kill()
  expect(await third.ended).toMatchObject({ code: 0 })
})
