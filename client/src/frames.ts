import { createParser, type EventSourceMessage } from 'eventsource-parser'
import type { SessionStreamFrame } from '../../generated/types.ts'
import { UnreadableAnswerError } from './errors.ts'
import type { OpenStream } from './open.ts'

/** Larger than any frame: texts of a turn are far smaller. */
const FRAME_LENGTH_MAX = 16 * 2 ** 20

/**
 * The frames of a stream until its end. Ending the iteration ends the connection.
 * @param silence milliseconds without a byte after which the connection counts as lost
 * @throws UnreadableAnswerError for an invalid frame; the runtime's error if the connection breaks
 */
export async function* framesOf(stream: OpenStream, silence: number): AsyncGenerator<SessionStreamFrame, void, undefined> {
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
      for (const message of messages.splice(0)) yield frameOf(stream, message)
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

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function unreadableFrame({ requestId }: OpenStream, data: string): UnreadableAnswerError {
  const facts = { headers: new Headers(), requestId, isRetryable: false, retryAfterMilliseconds: undefined }
  return new UnreadableAnswerError(200, data, facts)
}
