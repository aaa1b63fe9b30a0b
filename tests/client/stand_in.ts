import type { IncomingMessage, ServerResponse } from 'node:http'
import { createWorkspaceClient, type ClientOptions, type WorkspaceClient } from '../../client/src/index.ts'
import { afterAll } from 'vitest'
import { startLocalServer } from '../harness/local_server.ts'

export type Play = (response: ServerResponse, request: IncomingMessage) => void

export interface StandIn {
  readonly url: string
  /** Every received request, oldest first. */
  readonly requests: {
    readonly url: string
    readonly method: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  /** Clears the requests and sets the next responses, one for each attempt; successful ones follow. */
  play(...plays: Play[]): void
  /** A client for this server that never waits before retrying. */
  client(options?: Partial<ClientOptions>): WorkspaceClient
  stop(): Promise<void>
}

/** Simulates a misbehaving server or network, which the real service cannot. */
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
    play: (...plays) => {
      next = plays
      requests.length = 0
    },
    client: (options = {}) => createWorkspaceClient({ baseUrl: url, token: 't', firstWaitMilliseconds: 0, ...options }),
    stop: close,
  }
}

export const good: Play = (response) => void response.writeHead(200).end('{"object":"user"}')
export const reset: Play = (response) => void response.destroy()
/** Sends the headers and half of the body, then ends the connection. */
export const torn: Play = (response) => {
  response.writeHead(200, { 'Content-Length': '100' })
  response.write('{"object":', () => response.destroy())
}
export const silence: Play = () => undefined

/** An error in the service's form. */
export function fault(status: number, code: string, headers: Readonly<Record<string, string>> = { 'Retry-After': '0' }): Play {
  const body = JSON.stringify({ object: 'error', status, code, message: 'Not now.', error: code })
  return (response) => void response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body)
}

/** An HTML page, as of a proxy. */
export function page(status: number, headers: Readonly<Record<string, string>> = {}, text = '<html>Bad gateway</html>'): Play {
  return (response) => void response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end(text)
}

/** A stand-in for all tests of a file, stopped after them. */
export async function standInOfFile(): Promise<StandIn> {
  const standIn = await startStandIn()
  afterAll(() => standIn.stop())
  return standIn
}
