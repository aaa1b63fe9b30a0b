import type { ServerResponse } from 'node:http'
import { afterAll } from 'vitest'
import { startRemoteHost, type RemoteHost } from './remote_host.ts'
import { parseObject, textAt, type JsonObject } from './json.ts'
import { markValuesOfEvent } from './seen_values.ts'

export interface ReceivedHook {
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
  readonly body: JsonObject
}

/** A receiver of webhooks on the loopback address, over HTTPS. */
export interface HookReceiver {
  readonly host: RemoteHost
  /** All requests, in the order in which they were complete. */
  readonly received: readonly ReceivedHook[]
  /** The events sent to a path. */
  events(path?: string): readonly ReceivedHook[]
  /** The verification tokens sent to a path. */
  tokens(path?: string): readonly string[]
  url(path?: string): string
  /** Sets the response from now on; undefined for an immediate 204. */
  respondWith(handler: HookHandler | undefined, path?: string): void
  close(): Promise<void>
}

export type HookHandler = (response: ServerResponse, hook: ReceivedHook) => void

const PATHS = ['in', 'other', 'third', 'once']

export async function startReceiver(paths: readonly string[] = PATHS): Promise<HookReceiver> {
  const received: ReceivedHook[] = []
  const responses = new Map<string, HookHandler>()
  const responsesOf =
    (path: string): Parameters<typeof startRemoteHost>[0][string] =>
    (request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const hook = { path, headers: request.headers, text, body: parseObject(text) }
        markValuesOfEvent(hook.body)
        received.push(hook)
        const handler = responses.get(path)
        if (handler) handler(response, hook)
        else response.writeHead(204).end()
      })
    }
  const host = await startRemoteHost(Object.fromEntries(paths.map((path) => [path, responsesOf(path)])))
  const at = (path: string): ReceivedHook[] => received.filter((hook) => hook.path === path)
  return {
    host,
    received,
    events: (path = 'in') => at(path).filter(({ body }) => !('verification_token' in body)),
    tokens: (path = 'in') =>
      at(path)
        .filter(({ body }) => 'verification_token' in body)
        .map(({ body }) => textAt(body, 'verification_token')),
    url: (path = 'in') => host.url(path),
    respondWith(handler, path = 'in') {
      if (handler) responses.set(path, handler)
      else responses.delete(path)
    },
    close: () => host.close(),
  }
}

/** Starts a receiver for all tests of a file, which is closed after them, and after the servers that are started later. */
export async function receiverOfFile(): Promise<HookReceiver> {
  const receiver = await startReceiver()
  afterAll(() => receiver.close())
  return receiver
}
