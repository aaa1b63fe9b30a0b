import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { SessionStreamFrame } from '../../generated/types.ts'
import { LimitExceededError, UnreadableResponseError } from './errors.ts'
import { countValues, type Limits } from './limits.ts'
import type { OpenStream } from './open.ts'

/** Larger than any frame: texts of a turn are far smaller. */
const FRAME_LENGTH_MAX = 16 * 2 ** 20

/**
 * The frames of a stream until its end. Ending the iteration ends the connection.
 * @param silence milliseconds without a byte after which the connection counts as lost
 * @throws UnreadableResponseError for an invalid frame; LimitExceededError for frames that exceed the limits in total; the runtime's error if
 * the connection breaks
 */
export async function* framesOf(
  stream: OpenStream,
  silence: number,
  budget: FrameBudget,
): AsyncGenerator<SessionStreamFrame, void, undefined> {
  const reader = stream.body.getReader()
  const decoder = new TextDecoder()
  const messages: EventSourceMessage[] = []
  const parser = createParser({
    maxBufferSize: FRAME_LENGTH_MAX,
    onEvent: (message) => void messages.push(message),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw unreadableFrame(stream, 'a frame without an end')
    },
  })
  try {
    for (;;) {
      // Runs only while a read is pending: a slow caller does not count as silence of the service.
      const timer = setTimeout(() => stream.close(), silence)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      for (const message of messages.splice(0)) {
        const values = budget.valuesOf(message.data)
        const frame = frameOf(stream, message)
        budget.keep(frame, message.data.length, values)
        yield frame
      }
    }
  } finally {
    stream.close()
  }
}

function frameOf(stream: OpenStream, { event, data }: EventSourceMessage): SessionStreamFrame {
  const frame = parsed(data)
  // Detects a proxy that garbles frames; otherwise the contract guarantees the shape.
  if (typeof frame === 'object' && frame !== null && 'type' in frame && frame.type === event) return frame as SessionStreamFrame
  throw unreadableFrame(stream, data)
}

/** The memory of a turn's frames, over all its connections. A repeated event replaces itself. */
export class FrameBudget {
  readonly limits: Limits
  readonly #kept = new Map<string, { readonly length: number; readonly values: number }>()
  #length = 0
  #values = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** @throws LimitExceededError for a frame with too many values or levels */
  valuesOf(data: string): number {
    const values = countValues(data, this.limits)
    if (typeof values === 'string') throw tooLarge(`${values} in a frame`)
    return values
  }

  /** @throws LimitExceededError for too many events */
  keep(frame: SessionStreamFrame, length: number, values: number): void {
    const key = 'event' in frame ? frame.event.id : frame.type
    const before = this.#kept.get(key) ?? { length: 0, values: 0 }
    this.#kept.set(key, { length, values })
    this.#length += length - before.length
    this.#values += values - before.values
    if (this.#length > this.limits.bytes) throw tooLarge(`at most ${this.limits.bytes} characters`)
    if (this.#values > this.limits.values) throw tooLarge(`at most ${this.limits.values} values`)
  }
}

function tooLarge(expected: string): LimitExceededError {
  return new LimitExceededError('createSession: stream', expected)
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function unreadableFrame({ request, requestId }: OpenStream, data: string): UnreadableResponseError {
  return new UnreadableResponseError(200, data, { request, requestId })
}
