import type { IncomingMessage, ServerResponse } from 'node:http'
import { pour, startLocalServer } from './local_server.ts'

/** The response to one recording, sent after all of it has been received. */
export type TranscriptionHandler = (response: ServerResponse) => void

/** A transcription service on the loopback address, with scripted responses. */
export interface TranscriptionServer {
  readonly url: string
  readonly requests: readonly {
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly byteLength: number
  }[]
  /** Adds responses for the next requests, in order. Without one, the response is 500. */
  respond(...next: TranscriptionHandler[]): void
  close(): Promise<void>
}

export async function startTranscriptionServer(): Promise<TranscriptionServer> {
  const queue: TranscriptionHandler[] = []
  const requests: { path: string; headers: IncomingMessage['headers']; byteLength: number }[] = []
  const { url, close } = await startLocalServer((response, { url: path = '', headers }, body) => {
    requests.push({ path, headers, byteLength: body.length })
    const received = queue.shift() ?? refuses(500)
    received(response)
  })
  return { url: `${url}/transcribe?model=large`, requests, respond: (...next) => void queue.push(...next), close }
}

/** Responds with JSON, usually a transcript. */
export function transcribes(body: unknown): TranscriptionHandler {
  return (response) => void response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

export function refuses(status: number): TranscriptionHandler {
  return (response) => void response.writeHead(status).end('words that nobody may ever see')
}

/** Sends the start of a transcript and resets the connection. */
export const cutsOff: TranscriptionHandler = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.write('[{"start":0,', () => response.destroy())
}

/** Sends an endless transcript. */
export const neverEnds: TranscriptionHandler = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' }).write('[{"start":0,"end":1,"text":"')
  pour(response)
}

/** Never responds. */
export const keepsSilent: TranscriptionHandler = () => undefined
