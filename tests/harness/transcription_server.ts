import type { IncomingMessage, ServerResponse } from 'node:http'
import { pour, startLocalServer } from './local_server.ts'

/** The answer to one recording, after all of it has been received. */
export type TranscriptionAnswer = (response: ServerResponse) => void

/** A transcription service on the loopback address, with scripted answers. */
export interface TranscriptionServer {
  readonly url: string
  readonly requests: readonly {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly byteLength: number
  }[]
  /** Adds answers for the next requests, in order. Without one, the answer is 500. */
  answers(...next: TranscriptionAnswer[]): void
  close(): Promise<void>
}

export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const queue: TranscriptionAnswer[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; byteLength: number }[] = []
  const { url, close } = await startLocalServer((response, { url: path = '', headers }, body) => {
    requests.push({ path, headers, byteLength: body.length })
    const answer = queue.shift() ?? refuses(500)
    answer(response)
  })
  return { url: `${url}/transcribe?model=large`, requests, answers: (...next) => void queue.push(...next), close }
}

/** Answers with JSON, usually a transcript. */
export function transcribes(body: unknown): TranscriptionAnswer {
  return (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

export function refuses(status: number): TranscriptionAnswer {
  return (response) => void response.writeHead(status).end('words that nobody may ever see')
}

/** Sends the start of a transcript and breaks the connection. */
export const cutsOff: TranscriptionAnswer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write('[{"start":0,', () => response.destroy())
}

/** Sends a transcript without an end. */
export const neverEnds: TranscriptionAnswer = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('[{"start":0,"end":1,"text":"')
  pour(response)
}

/** Never answers. */
export const keepsSilent: TranscriptionAnswer = () => undefined
