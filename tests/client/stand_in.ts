import type { IncomingMessage, ServerResponse } from 'node:http'
import { createWorkspaceClient, type ClientOptions, type WorkspaceClient } from '../../client/src/index.ts'
import { afterAll } from 'vitest'
import { startLocalServer } from '../harness/local_server.ts'

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
  const { url, close } = await startLocalServer((response, request, body) => {
    const { url: path = '', method = '', headers } = request
    requests.push({ url: path, method, headers, body: body.toString('latin1') })
    const play = next.shift() ?? good
    play(response, request)
  })
  return {
    url,
    requests,
    play: (...answers) => {
      next = answers
      requests.length = 0
    },
    client: (options = {}) => createWorkspaceClient({ baseUrl: url, token: 't', firstWaitMilliseconds: 0, ...options }),
    stop: close,
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
