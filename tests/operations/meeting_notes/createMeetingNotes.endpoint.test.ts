import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { children, makePage } from '../../harness/content.ts'
import { makeDatabase, scratchFolder } from '../../harness/databases.ts'
import { wav } from '../../harness/files.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { makeNote, makeSettledNote, retrieve, settledNote, textsOf } from '../../harness/meeting_notes.ts'
import { until } from '../../harness/process.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'
import {
  cutsOff,
  keepsSilent,
  refuses,
  startTranscriptionServer,
  transcribes,
  type TranscriptionServer,
} from '../../harness/transcription_server.ts'

const KEY = 'key-of-the-transcription-service'
const recording = { content: wav, filename: 'talk.wav' }
const good = transcribes([{ start: 0, end: 2, speaker: 'Ines', text: 'At noon.' }])
const NO_SUMMARY = { options: { kickoff_summary: false } }

let remote: TranscriptionServer
let server: TestServer
let page: string
beforeAll(async () => {
  remote = await startTranscriptionServer()
  server = await startTestServer({ TRANSCRIPTION_URL: remote.url, TRANSCRIPTION_KEY: KEY })
  page = await makePage(server.owner)
})
afterAll(() => Promise.all([server.stop(), remote.close()]))

const statusOf = (note: JsonObject): unknown => at(note, 'meeting_notes', 'status')
/** Advances the clock past the pauses between attempts. */
const waitAMinute = (): void => server.clock.advance(60_000)

describe('createMeetingNotes with a transcription service', () => {
  it('sends sound to that service, and stores the response as the transcript', async () => {
    remote.respond(good)
    const note = await makeSettledNote(server.owner, page, recording, { ...NO_SUMMARY, language: 'pt' })
    expect(await textsOf(server.owner, note, 'transcript')).toStrictEqual(['[00:00:00] Ines: At noon.'])
    expect(at(note, 'meeting_notes', 'recording')).toBeDefined()
    expect(remote.requests.at(-1)).toMatchObject({
      path: '/transcribe?model=large&language=pt',
      byteLength: wav.length,
      headers: { 'content-type': 'audio/wav', authorization: `Bearer ${KEY}` },
    })
  })

  it.each([
    ['a temporary error', refuses(503)],
    ['a response that breaks off', cutsOff],
  ])('retries after %s', async (_what, bad) => {
    const before = remote.requests.length
    remote.respond(bad, bad, good)
    const note = idOf(await makeNote(server.owner, page, recording, NO_SUMMARY))
    expect(statusOf(await settledNote(server.owner, note, waitAMinute))).toBe('notes_ready')
    expect(remote.requests.length - before).toBe(3)
  })

  it('ends as transcription_failed after four failed attempts', async () => {
    const before = remote.requests.length
    remote.respond(refuses(500), refuses(429), cutsOff, refuses(401))
    const note = await settledNote(server.owner, idOf(await makeNote(server.owner, page, recording)), waitAMinute)
    expect(note).toMatchObject({ has_children: false, meeting_notes: { status: 'transcription_failed' } })
    expect(remote.requests.length - before).toBe(4)
  })

  it.each([
    ['a refusal', refuses(415)],
    ['a response that is not a transcript', transcribes({ text: 'At noon.' })],
  ])('does not retry after %s', async (_what, response) => {
    const before = remote.requests.length
    remote.respond(response)
    expect(statusOf(await makeSettledNote(server.owner, page, recording))).toBe('transcription_failed')
    expect(remote.requests.length - before).toBe(1)
  })

  it('shows the transcription as in progress, and starts again in the next process when its own stops', async () => {
    const database = await makeDatabase()
    const settings = {
      DATABASE_URL: database.url,
      TRANSCRIPTION_URL: remote.url,
      TRANSCRIPTION_KEY: KEY,
      FILES_URL: `file:${scratchFolder('notes-')}`,
    }
    const first = await startTestServer(settings)
    remote.respond(keepsSilent, good)
    const before = remote.requests.length
    const note = idOf(await makeNote(first.owner, await makePage(first.owner), recording))
    await until(() => Promise.resolve(remote.requests.length > before ? true : undefined))
    expect(statusOf(await retrieve(first.owner, note))).toBe('transcription_in_progress')
    expect(await children(first.owner, note)).toStrictEqual([])
    await first.stop()
    const second = await startTestServer(settings)
    try {
      const ready = await settledNote(second.owner, note)
      expect(await textsOf(second.owner, ready, 'transcript')).toStrictEqual(['[00:00:00] Ines: At noon.'])
      expect(await children(second.owner, note)).toHaveLength(3)
    } finally {
      await second.stop()
      await database.drop()
    }
  })
})
