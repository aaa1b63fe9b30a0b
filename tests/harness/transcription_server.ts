import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

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
  const server = createServer((request, response) => {
    let byteLength = 0
    request.on('data', (chunk: Buffer) => (byteLength += chunk.length))
    request.on('end', () => {
      requests.push({ path: request.url ?? '', headers: request.headers, byteLength })
      const answer = queue.shift() ?? refuses(500)
      answer(response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/transcribe?model=large`,
    requests,
    answers: (...next) => void queue.push(...next),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
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

/** Never answers. */
export const keepsSilent: TranscriptionAnswer = () => undefined
