import type { IncomingMessage, ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { pour, startLocalServer, type LocalServer } from '../../../harness/local_server.ts'

/** How a hostile server responds to each request. */
export type Attack = (response: ServerResponse, request: IncomingMessage) => void

export interface HostileServer extends LocalServer {
  attack(next: Attack): void
}

/** A server on the loopback address with responses that no real service sends. */
export async function startHostileServer(first: Attack = sends({})): Promise<HostileServer> {
  let attack = first
  const server = await startLocalServer((response, request) => attack(response, request))
  return { ...server, attack: (next) => void (attack = next) }
}

const JSON_HEADERS = { 'Content-Type': 'application/json' }

export function sends(value: object): Attack {
  return (response) => void response.writeHead(200, JSON_HEADERS).end(JSON.stringify(value))
}

export const endlessBody: Attack = (response) => {
  response.writeHead(200, JSON_HEADERS)
  response.write('{"object":"list","results":["')
  pour(response)
}

const MEMBER_BYTES = 64 * 2 ** 20
const MEMBERS = 70
/** 64 MB of blanks in gzip. Consecutive members form one body. */
let member: Buffer | undefined

/** 4.5 GB in 4.5 MB. */
export const gzipBomb: Attack = (response) => {
  member ??= gzipSync(Buffer.alloc(MEMBER_BYTES, ' '))
  response.writeHead(200, { ...JSON_HEADERS, 'Content-Encoding': 'gzip' })
  pour(response, member, MEMBERS)
}

export const deepValue: Attack = (response) => void response.writeHead(200, JSON_HEADERS).end('['.repeat(10_000_000))

/** Few bytes with many values. */
export const manyValues: Attack = (response) => {
  response.writeHead(200, JSON_HEADERS).end(`{"object":"list","results":[${'{},'.repeat(9_000_000)}{}]}`)
}

const list = { object: 'list', results: [], has_more: true }

/** A list whose cursors form a ring. */
export function cursorRing(length: number): Attack {
  return (response, { url }) => {
    const at = Number(/start_cursor=c(\d+)/.exec(url ?? '')?.[1] ?? 0)
    sends({ ...list, next_cursor: `c${(at + 1) % length}` })(response, { url } as IncomingMessage)
  }
}

/** An endless list without items. */
export const endlessList: Attack = (response, { url }) => {
  const at = Number(/start_cursor=c(\d+)/.exec(url ?? '')?.[1] ?? 0)
  sends({ ...list, next_cursor: `c${at + 1}` })(response, { url } as IncomingMessage)
}

const busy = { object: 'error', status: 429, code: 'rate_limited', message: 'Wait.' }

export const longWait: Attack = (response) => {
  response.writeHead(429, { ...JSON_HEADERS, 'Retry-After': '99999999' }).end(JSON.stringify(busy))
}
