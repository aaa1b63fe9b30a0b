import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** @param body the complete request body */
export type LocalHandler = (response: ServerResponse, request: IncomingMessage, body: Buffer) => void

/** A server on the loopback address. */
export interface LocalServer {
  readonly url: string
  /** Breaks all connections. */
  close(): Promise<void>
}

export async function startLocalServer(handler: LocalHandler): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => handler(response, request, Buffer.concat(chunks)))
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

/** Large, so that the reading program determines the time of a test. */
const FILLING = Buffer.alloc(2 ** 20, 'x')

/** Sends chunks as fast as they are read, until there are no more. */
export function pour(response: ServerResponse, chunk: Buffer | string = FILLING, count = Infinity): void {
  for (let sent = 0; !response.destroyed;) {
    if (sent === count) return void response.end()
    sent += 1
    if (!response.write(chunk)) return void response.once('drain', () => pour(response, chunk, count - sent))
  }
}
