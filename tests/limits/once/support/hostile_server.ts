import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

/** How a hostile server answers each request. */
export type Attack = (response: ServerResponse, request: IncomingMessage) => void

export interface HostileServer {
  readonly url: string
  attack(next: Attack): void
  close(): Promise<void>
}

/** A server on the loopback address that sends what no service sends. */
export async function startHostileServer(first: Attack = sends({})): Promise<HostileServer> {
  let attack = first
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => attack(response, request))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attack: (next) => void (attack = next),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

export function sends(value: object): Attack {
  return (response) => void response.writeHead(200, JSON_HEADERS).end(JSON.stringify(value))
}

/** Sends chunks as fast as they are read, until there are no more. */
function pour(response: ServerResponse, chunk: Buffer | string, count = Infinity): void {
  for (let sent = 0; !response.destroyed;) {
    if (sent === count) return void response.end()
    sent += 1
    if (!response.write(chunk)) return void response.once('drain', () => pour(response, chunk, count - sent))
  }
}

/** Large, so that the time of a test is that of the program that reads it. */
const FILLING = Buffer.alloc(2 ** 20, 'x')

export const endlessBody: Attack = (response) => {
  response.writeHead(200, JSON_HEADERS)
  response.write('{"object":"list","results":["')
  pour(response, FILLING)
}

const MEMBER_BYTES = 64 * 2 ** 20
const MEMBERS = 70
/** 64 MB of blanks in gzip. Members that follow each other are one body. */
let member: Buffer | undefined

/** 4.5 GB in 4.5 MB. */
export const gzipBomb: Attack = (response) => {
  member ??= gzipSync(Buffer.alloc(MEMBER_BYTES, ' '))
  response.writeHead(200, { ...JSON_HEADERS, 'Content-Encoding': 'gzip' })
  pour(response, member, MEMBERS)
}

export const deepValue: Attack = (response) => void response.writeHead(200, JSON_HEADERS).end('['.repeat(10_000_000))

/** Few bytes that become many values. */
export const manyValues: Attack = (response) => {
  response.writeHead(200, JSON_HEADERS).end(`{"object":"list","results":[${'{},'.repeat(9_000_000)}{}]}`)
}

const list = { object: 'list', results: [], has_more: true }

/** A list whose pages lead to each other in a ring. */
export function cursorRing(length: number): Attack {
  return (response, { url }) => {
    const at = Number(/start_cursor=c(\d+)/.exec(url ?? '')?.[1] ?? 0)
    sends({ ...list, next_cursor: `c${(at + 1) % length}` })(response, { url } as IncomingMessage)
  }
}

/** A list without an end and without items. */
export const endlessList: Attack = (response, { url }) => {
  const at = Number(/start_cursor=c(\d+)/.exec(url ?? '')?.[1] ?? 0)
  sends({ ...list, next_cursor: `c${at + 1}` })(response, { url } as IncomingMessage)
}

const busy = { object: 'error', status: 429, code: 'rate_limited', message: 'Wait.' }

export const longWait: Attack = (response) => {
  response.writeHead(429, { ...JSON_HEADERS, 'Retry-After': '99999999' }).end(JSON.stringify(busy))
}
