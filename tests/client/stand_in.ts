import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createWorkspaceClient, type ClientOptions, type WorkspaceClient } from '../../client/src/index.ts'
import { afterAll } from 'vitest'

export type Play = (response: ServerResponse, request: IncomingMessage) => void

export interface StandIn {
  readonly url: string
  /** Every request that came, oldest first. */
  readonly requests: {
    readonly url: string
    readonly method: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  /** Forgets the requests and plays these answers next, one for each attempt; a good one follows. */
  play(...answers: Play[]): void
  /** A client of it that waits for nothing. */
  client(options?: Partial<ClientOptions>): WorkspaceClient
  stop(): Promise<void>
}

/** What only a misbehaving server or network shows: it plays the network, not a part of ours. */
export async function startStandIn(): Promise<StandIn> {
  let next: Play[] = []
  const requests: StandIn['requests'] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString('latin1')))
    request.on('end', () => {
      requests.push({ url: request.url ?? '', method: request.method ?? '', headers: request.headers, body })
      const play = next.shift() ?? good
      play(response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    requests,
    play: (...answers) => {
      next = answers
      requests.length = 0
    },
    client: (options = {}) => createWorkspaceClient({ baseUrl: url, token: 't', firstWaitMilliseconds: 0, ...options }),
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

export const good: Play = (response) => void response.writeHead(200).end('{"object":"user"}')
export const reset: Play = (response) => void response.destroy()
/** The headers and half of the body, then the end of the connection. */
export const torn: Play = (response) => {
  response.writeHead(200, { 'Content-Length': '100' })
  response.write('{"object":', () => response.destroy())
}
export const silence: Play = () => undefined

/** An error of the service, in its own form. */
export function fault(status: number, code: string, headers: Readonly<Record<string, string>> = { 'Retry-After': '0' }): Play {
  const body = JSON.stringify({ object: 'error', status, code, message: 'Not now.', error: code })
  return (response) => void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
}

/** A page of a proxy in between. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}, text = '<html>Bad gateway</html>'): Play {
  return (response) => void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(text)
}

/** A stand-in for all tests of a file, which is stopped behind them. */
export async function standInOfFile(): Promise<StandIn> {
  const standIn = await startStandIn()
  afterAll(() => standIn.stop())
  return standIn
}
