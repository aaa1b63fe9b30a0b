import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import {
  AbortedError,
  ConnectionResetError,
  StreamFailedError,
  type SessionFrame,
  type SessionStreamFrame,
} from '../../client/src/index.ts'
import {
  begin,
  breaks,
  committed,
  example,
  frames,
  ids,
  message,
  playTurn,
  readFrom,
  session_id,
  turn,
  wire,
  type Read,
} from './session_stand_in.ts'
import { type Play, standInOfFile } from './stand_in.ts'

const standIn = await standInOfFile()

const read: Read = (input, options) => readFrom(standIn, input, options)
const bodies = (): unknown[] => standIn.requests.map(({ body }) => JSON.parse(body) as unknown)
const following = (...before: Play[]): void => playTurn(standIn, ...before)

describe('the client, reading an undisturbed stream,', () => {
  it('yields every frame unchanged, and sends one request', async () => {
    standIn.play(frames(turn))
    expect(await read()).toEqual({ seen: turn, error: undefined })
    expect(standIn.requests).toMatchObject([{ url: '/v1/sessions', headers: { accept: 'text/event-stream' } }])
  })

  it('yields the same frames however the bytes are split, and with any line ends', async () => {
    const foreign = JSON.parse(JSON.stringify(turn).replaceAll('Heron', 'Hærøn ⛵')) as SessionFrame[]
    const text = foreign.map(wire).join(': a comment\n')
    for (const lines of [text, text.replaceAll('\n', '\r\n')]) {
      standIn.play((response) => {
        begin(response)
        response.end(lines)
      })
      const fetchByBytes = async (request: Request): Promise<Response> => {
        const response = await fetch(request)
        const bytes = new Uint8Array(await response.arrayBuffer())
        let sent = 0
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => {
            if (sent >= bytes.length) return controller.close()
            controller.enqueue(bytes.subarray(sent, (sent += 1)))
          },
        })
        return new Response(body, response)
      }
      expect((await read(message, { fetch: fetchByBytes })).seen).toEqual(foreign)
    }
  })

  it('collects one entry for each event, and the final session', async () => {
    standIn.play(frames(turn))
    const { session, events, messages, end } = await standIn.client().sessions.stream(message.body).collect()
    expect(events.map(({ id }) => id)).toEqual(ids)
    expect(events.every((event) => 'sequence' in event)).toBe(true)
    expect(messages).toEqual(['Heron needs eight M20 keel bolts.\nI would put the order on a page named Bolt order.'])
    expect(session).toMatchObject({ status: 'requires_action', updated_at: '2026-05-04T09:20:05.640Z' })
    expect(session?.required_actions?.map(({ action_id }) => action_id)).toEqual(['f64b08d2-35a9-4ce7-8b10-d9e27c5f1a83'])
    expect(end).toEqual(example('End'))
  })

  it('shows provisional text until the text is committed, and drops it when the turn ends without a commit', async () => {
    standIn.play(
      frames([...turn.slice(0, 3), example('ProvisionalMessage'), { ...example('End'), status: 'failed' } as SessionFrame]),
    )
    const stream = standIn.client().sessions.stream(message.body)
    const shown: number[] = []
    for await (const _frame of stream) shown.push(stream.view.events.length)
    expect(shown).toEqual([0, 1, 2, 3, 2])
  })

  it('sends the request when the stream is first read, and yields the frames only once', async () => {
    standIn.play(frames(turn))
    const stream = standIn.client().sessions.stream(message.body)
    expect(standIn.requests).toHaveLength(0)
    await stream.collect()
    for await (const frame of stream) expect(frame).toBeUndefined()
    expect(standIn.requests).toHaveLength(1)
  })

  it('skips frames of types from later releases', async () => {
    const later = 'event: stream.mood\ndata: {"type":"stream.mood"}\n\n'
    standIn.play((response) => {
      begin(response)
      response.end(`retry: 5\nmood: good\n${later}${turn.map(wire).join(later)}`)
    })
    expect((await read()).seen).toEqual(turn)
  })
})

describe('the client, reading a broken stream,', () => {
  it.each(turn.slice(1, -1).map((_frame, index) => index + 1))(
    'resumes after the last committed event, without repeating any, when broken after frame %i',
    async (count) => {
      following(frames(turn.slice(0, count), breaks))
      const { seen, error } = await read({ ...message, idempotencyKey: 'crate-17' })
      expect(error).toBeUndefined()
      expect(committed(seen)).toEqual(ids)
      expect(seen.at(-1)).toEqual(example('End'))
      const continue_from = committed(turn.slice(0, count)).at(-1) ?? '0'
      expect(bodies()).toEqual([message.body, { session_id, continue_from }])
      expect(standIn.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['crate-17', undefined])
    },
  )

  it('resumes when the response ends early as if complete', async () => {
    following(frames(turn.slice(0, 5)))
    expect(committed((await read()).seen)).toEqual(ids)
  })

  it('skips events that the service repeats', async () => {
    standIn.play(frames(turn.slice(0, 6), breaks), frames(turn))
    const { seen } = await read()
    expect(committed(seen)).toEqual(ids)
  })

  it('keeps reconnecting while new events arrive, even beyond the allowed retries', async () => {
    const cuts = [2, 3, 5, 6, 8].map((count) => frames(turn.slice(0, count), breaks))
    following(...cuts)
    const { seen, error } = await read(message, { retries: 1 })
    expect(error).toBeUndefined()
    expect(committed(seen)).toEqual(ids)
    expect(standIn.requests).toHaveLength(6)
  })

  it('gives up after the allowed retries without a new event', async () => {
    standIn.play(...Array.from({ length: 9 }, () => frames(turn.slice(0, 2), breaks)))
    const { seen, error } = await read(message, { retries: 3 })
    expect(committed(seen)).toEqual(ids.slice(0, 1))
    expect(error).toBeInstanceOf(ConnectionResetError)
    expect(standIn.requests).toHaveLength(4)
  })

  it('sends no second request before the session is known', async () => {
    for (const input of [message, { ...message, idempotencyKey: 'crate-17' }]) {
      following(frames([], breaks))
      expect((await read(input)).error).toBeInstanceOf(ConnectionResetError)
      expect(standIn.requests).toHaveLength(1)
    }
  })

  it('resumes before the first event only when the caller gave a position', async () => {
    const snapshot = frames(turn.slice(0, 1), breaks)
    following(snapshot)
    expect(committed((await read({ body: { session_id, continue_from: ids[1] ?? '' } })).seen)).toEqual(ids.slice(2))
    expect(bodies()).toEqual(Array.from({ length: 2 }, () => ({ session_id, continue_from: ids[1] })))
    following(snapshot)
    expect((await read({ body: { session_id, message: 'And washers?' } })).error).toBeInstanceOf(ConnectionResetError)
    expect(standIn.requests).toHaveLength(1)
  })

  it('reconnects when the stream falls silent', async () => {
    following(frames(turn.slice(0, 6), () => undefined))
    const { seen, error } = await read(message, { silenceMilliseconds: 300, retries: 20 })
    expect(error).toBeUndefined()
    expect(committed(seen)).toEqual(ids)
    expect(bodies()[1]).toEqual({ session_id, continue_from: ids.at(3) })
  })

  it('does not reconnect while comments arrive or the reader pauses', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const pieces = [...Array.from({ length: 5 }, () => ': still there\n'), ...turn.map(wire)]
      let isClosed = false
      const slowly = (request: Request): Promise<Response> => {
        request.signal.addEventListener('abort', () => (isClosed ||= pieces.length > 0))
        const body = new ReadableStream<Uint8Array>(
          {
            pull: (controller) => {
              vi.advanceTimersByTime(999)
              controller.enqueue(new TextEncoder().encode(pieces.shift()))
            },
          },
          { highWaterMark: 0 },
        )
        return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
      }
      const stream = standIn.client({ fetch: slowly, silenceMilliseconds: 1_000 }).sessions.stream(message.body)
      for await (const _frame of stream) vi.advanceTimersByTime(5_000)
      expect([isClosed, stream.view.end]).toEqual([false, example('End')])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('the client, reading a stream that the service ends,', () => {
  it('resumes after the time limit of the stream, even beyond the allowed retries', async () => {
    const limit = { ...example('Timeout'), session_id } as SessionStreamFrame
    following(...[1, 2, 2, 2, 6].map((count) => frames([...turn.slice(0, count), limit])))
    const { seen, error } = await read(message, { retries: 0 })
    expect(error).toBeUndefined()
    expect(committed(seen)).toEqual(ids)
    expect(seen.map(({ type }) => type)).not.toContain('stream.timeout')
  })

  it('waits before a second request if the time limit came before any event', async () => {
    const limit = frames([...turn.slice(0, 1), { ...example('Timeout'), session_id } as SessionStreamFrame])
    following(...Array.from({ length: 9 }, () => limit))
    const caller = new AbortController()
    const reading = read(
      { ...message, signal: caller.signal },
      { firstWaitMilliseconds: 2 ** 31 - 1, longestWaitMilliseconds: 2 ** 31 - 1 },
    )
    await vi.waitFor(() => expect(standIn.requests).toHaveLength(1))
    await pause(200)
    caller.abort()
    expect((await reading).error).toBeInstanceOf(AbortedError)
    expect(standIn.requests).toHaveLength(1)
  })

  it('resumes after a retryable error', async () => {
    following(frames([...turn.slice(0, 5), example('Error')]))
    const { seen, error } = await read()
    expect(error).toBeUndefined()
    expect(committed(seen)).toEqual(ids)
  })

  it('gives up after repeated errors, without sending the message again', async () => {
    standIn.play(...Array.from({ length: 9 }, () => frames([...turn.slice(0, 5), example('Error')])))
    const { error } = await read(message, { retries: 2 })
    expect(error).toBeInstanceOf(StreamFailedError)
    expect(error).toMatchObject({ code: 'internal_server_error', isFollowable: true, isRetryable: false })
    expect(standIn.requests).toHaveLength(3)
  })

  it('fails with a permanent error', async () => {
    const failed = { type: 'stream.error', error: { code: 'agent_deleted', message: 'Gone.', retryable: false } } as const
    following(frames([...turn.slice(0, 5), failed]))
    const { seen, error } = await read()
    expect(committed(seen)).toEqual(ids.slice(0, 3))
    expect(error).toBeInstanceOf(StreamFailedError)
    expect(error).toMatchObject({ code: 'agent_deleted', message: 'Gone.', isFollowable: false, isRetryable: false })
    expect(standIn.requests).toHaveLength(1)
  })

  it('ends with the turn when the stream reports an error and then the end of the turn', async () => {
    standIn.play(frames([...turn.slice(0, -1), example('Error'), example('End')]))
    expect(await read()).toEqual({ seen: turn, error: undefined })
  })
})
