import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Media } from '../../server/domain/agents/meeting_notes/media.ts'
import { transcriptionEndpoint } from '../../server/runtimes/meeting_notes/transcription_endpoint.ts'
import {
  cutsOff,
  keepsSilent,
  neverEnds,
  refuses,
  startTranscriptionServer,
  transcribes,
  type TranscriptionServer,
} from '../harness/transcription_server.ts'

const KEY = 'key-of-the-transcription-service'
const TIMEOUT_MS = 60_000
let remote: TranscriptionServer
beforeEach(async () => {
  remote = await startTranscriptionServer()
})
afterEach(() => remote.close())

const CHUNK = new Uint8Array(64 * 1024)
/** Generated while it is read, so that it is never in memory as a whole. */
function recording(chunks: number, more: Partial<Media> = {}): Media {
  return {
    contentType: 'audio/mpeg',
    byteLength: chunks * CHUNK.length,
    language: undefined,
    async *bytes() {
      for (let sent = 0; sent < chunks; sent += 1) yield CHUNK
    },
    ...more,
  }
}
const transcribe = (media: Media, milliseconds = TIMEOUT_MS, signal = new AbortController().signal) =>
  transcriptionEndpoint({ url: remote.url, key: KEY }, milliseconds).transcribe(media, signal)

it('a transcription sends the recording as stored, with its type, length, language and the key', async () => {
  remote.respond(transcribes({ segments: [{ start: 0, end: 1, speaker: 'Ines', text: 'At noon.' }] }))
  expect(await transcribe(recording(40, { language: 'pt' }))).toStrictEqual([
    { start: 0, end: 1, speaker: 'Ines', text: 'At noon.' },
  ])
  const byteLength = 40 * CHUNK.length
  expect(remote.requests).toMatchObject([
    {
      path: '/transcribe?model=large&language=pt',
      byteLength,
      headers: { 'content-type': 'audio/mpeg', 'content-length': String(byteLength), authorization: `Bearer ${KEY}` },
    },
  ])
})

it.each([400, 413, 415, 422])('the status %i of a transcription endpoint is final, without a transcript', async (status) => {
  remote.respond(refuses(status))
  await expect(transcribe(recording(1))).rejects.toMatchObject({ name: 'TranscriptionError' })
})

it.each([301, 401, 403, 404, 408, 429, 500, 503])(
  'the status %i of a transcription endpoint is temporary, and its message is not repeated',
  async (status) => {
    remote.respond(refuses(status))
    await expect(transcribe(recording(1))).rejects.toMatchObject({
      name: 'Error',
      message: `The transcription service responded with ${status}.`,
    })
  },
)

it.each([
  ['not JSON', (response: Parameters<typeof cutsOff>[0]) => void response.end('hello')],
  ['JSON of another form', transcribes({ text: 'At noon.' })],
  ['an empty transcript', transcribes([])],
  ['endless', neverEnds],
  ['in another encoding', (response: Parameters<typeof cutsOff>[0]) => void response.end(Buffer.from('["\xe9"]', 'latin1'))],
])('the response of a transcription endpoint is refused if %s', async (_what, response) => {
  remote.respond(response)
  await expect(transcribe(recording(1))).rejects.toMatchObject({ name: 'TranscriptionError' })
})

it('a response of a transcription endpoint that breaks off is a temporary failure', async () => {
  remote.respond(cutsOff)
  await expect(transcribe(recording(1))).rejects.toMatchObject({ name: 'ConfiguredHostError', hasTimedOut: false })
})

it('a response of a transcription endpoint that takes too long is aborted', async () => {
  remote.respond(keepsSilent)
  await expect(transcribe(recording(1), 50)).rejects.toMatchObject({ name: 'ConfiguredHostError', hasTimedOut: true })
})

it("a transcription fails with the caller's own reason after an abort", async () => {
  remote.respond(keepsSilent)
  const ending = new AbortController()
  const transcription = transcribe(recording(1), TIMEOUT_MS, ending.signal)
  ending.abort(new Error('enough'))
  await expect(transcription).rejects.toThrow('enough')
})

it('a recording that cannot be read is not reported as a failure of the endpoint', async () => {
  const broken = { ...recording(2), bytes: () => breaking(new Error('the storage is gone')) }
  await expect(transcribe(broken)).rejects.toThrow('the storage is gone')
})

async function* breaking(error: Error): AsyncGenerator<Uint8Array> {
  yield CHUNK
  throw error
}

it('an unreachable transcription endpoint is reported as temporary', async () => {
  await remote.close()
  await expect(transcribe(recording(1))).rejects.toMatchObject({ name: 'ConfiguredHostError' })
  remote = await startTranscriptionServer()
})
