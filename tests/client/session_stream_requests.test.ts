import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { AbortedError, ApiError, UnreadableResponseError } from '../../client/src/index.ts'
import {
  breaks,
  committed,
  example,
  frames,
  ids,
  message,
  playTurn,
  readFrom,
  turn,
  wire,
  type Read,
} from './session_stand_in.ts'
import { fault, page, type Play, reset, standInOfFile } from './stand_in.ts'

const standIn = await standInOfFile()

const read: Read = (input, options) => readFrom(standIn, input, options)
const following = (...before: Play[]): void => playTurn(standIn, ...before)

describe('a request for a session stream', () => {
  it.each([
    ['429', fault(429, 'rate_limited'), 2, 2],
    ["the service's 503", fault(503, 'service_unavailable'), 1, 2],
    ['a reset connection', reset, 1, 2],
    ['404', fault(404, 'object_not_found'), 1, 1],
  ])('is retried like any other request after %s before the response begins', async (_name, failure, plain, keyed) => {
    for (const [input, requests] of [
      [message, plain],
      [{ ...message, idempotencyKey: 'crate-17' }, keyed],
    ] as const) {
      standIn.play(failure, frames(turn))
      const { seen } = await read(input)
      expect([standIn.requests.length, seen.length]).toEqual([requests, requests === 1 ? 0 : turn.length])
    }
  })

  it.each([
    ['429', fault(429, 'rate_limited')],
    ["the service's 503", fault(503, 'service_unavailable')],
    ["a proxy's 502", page(502)],
    ['a reset connection', reset],
  ])('that follows a session is retried after %s, and carries no idempotency key', async (_name, failure) => {
    following(frames(turn.slice(0, 4), breaks), failure)
    const { seen, error } = await read(message, { automaticIdempotencyKeys: true })
    expect([error, committed(seen)]).toEqual([undefined, ids])
    expect(standIn.requests.map(({ headers }) => typeof headers['idempotency-key'])).toEqual(['string', 'undefined', 'undefined'])
  })

  it("that follows a session fails with the service's refusal", async () => {
    following(frames(turn.slice(0, 4), breaks), fault(404, 'object_not_found'))
    const { error } = await read()
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 404, code: 'object_not_found' })
  })

  it.each([
    ['JSON', (response: ServerResponse) => void response.writeHead(200).end('{"object":"session"}')],
    ['an HTML page', page(200)],
    ['a frame whose names differ', frames([], (it) => it.end('event: stream.end\ndata: {"type":"event.committed"}\n\n'))],
    ['a frame without a name', frames([], (it) => it.end(wire(example('End')).replace(/event: .+\n/, '')))],
    ['a frame that is not JSON', frames([], (it) => it.end('event: stream.end\ndata: {"type":"stream.end"\n\n'))],
    ['an unterminated frame', frames([], (it) => it.end(`data: ${'x'.repeat(17 * 2 ** 20)}`))],
  ])('fails when the response is %s', async (_name, play) => {
    standIn.play(play)
    expect((await read()).error).toBeInstanceOf(UnreadableResponseError)
    expect(standIn.requests).toHaveLength(1)
  })
})

describe('a reader that stops early', () => {
  /**
   * Sends some frames and keeps the connection open.
   * @returns a promise that resolves when the connection has ended
   */
  function waiting(): Promise<unknown> {
    return new Promise((closed) => {
      standIn.play((response, request) => {
        void once(response, 'close').then(closed)
        frames(turn.slice(0, 5), () => undefined)(response, request)
      })
    })
  }

  it('in the middle closes the connection', async () => {
    const closed = waiting()
    for await (const frame of standIn.client().sessions.stream(message.body)) if (frame.type === 'event.committed') break
    await closed
    expect(standIn.requests).toHaveLength(1)
  })

  it('by its abort signal closes the connection and receives the reason', async () => {
    const closed = waiting()
    const caller = new AbortController()
    const seen: string[] = []
    const reading = (async () => {
      for await (const { type } of standIn.client().sessions.stream(message.body, { signal: caller.signal }))
        if (seen.push(type) === 5) setTimeout(() => caller.abort('the window was closed'))
    })()
    const error: unknown = await reading.catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(AbortedError)
    expect(error).toMatchObject({ cause: 'the window was closed' })
    await closed
    expect([seen.length, standIn.requests.length]).toEqual([5, 1])
  })
})
