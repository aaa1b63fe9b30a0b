import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @param body all of the request's body, which has been received */
export type LocalAnswer = (response: ServerResponse, request: IncomingMessage, body: Buffer) => void

/** A server on the loopback address. */
export interface LocalServer {
  readonly url: string
  /** Breaks all connections. */
  close(): Promise<void>
}

export async function startLocalServer(answer: LocalAnswer): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(response, request, Buffer.concat(chunks)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

/** Large, so that the time of a test is that of the program that reads it. */
const FILLING = Buffer.alloc(2 ** 20, 'x')

/** Sends chunks as fast as they are read, until there are no more. */
export function pour(response: ServerResponse, chunk: Buffer | string = FILLING, count = Infinity): void {
  for (let sent = 0; !response.destroyed;) {
    if (sent === count) return void response.end()
    sent += 1
    if (!response.write(chunk)) return void response.once('drain', () => pour(response, chunk, count - sent))
  }
}
