import { operations } from '../../generated/operations.ts'
import type { SessionStreamFrame, SessionUpdateRequest, StreamErrorFrame, StreamTimeoutFrame } from '../../generated/types.ts'
import { abortedBy } from './answers.ts'
import type { Calls } from './call.ts'
import { ConnectionResetError, StreamFailedError, UnreadableAnswerError, type WorkspaceServiceError } from './errors.ts'
import { framesOf } from './frames.ts'
import type { OpenStream } from './open.ts'
import { growingWait, pause } from './repeats.ts'
import type { AnyInput } from './request.ts'
import { SessionView } from './session_view.ts'
import type { Input } from './types.ts'

const operation = operations.createSession

/** A frame as callers get it: what befalls the connection is dealt with and not passed on. */
export type SessionFrame = Exclude<SessionStreamFrame, StreamTimeoutFrame | StreamErrorFrame>

/**
 * A turn of a session as it happens, once: iterate over its frames, or `collect` them. The request is sent when reading begins. A lost
 * connection is taken up after the last committed event, so that each of them comes exactly once; the request itself is not repeated
 * once its answer has begun. Ending the iteration ends the connection but not the turn.
 */
export class SessionStream implements AsyncIterable<SessionFrame> {
  /** What has been read so far. */
  readonly view = new SessionView()
  readonly #calls: Calls
  readonly #input: Input<'createSession'>
  readonly #frames: AsyncGenerator<SessionFrame, void, undefined>
  #last: { readonly id: string; readonly sequence: number } | undefined

  constructor(calls: Calls, input: Input<'createSession'>) {
    this.#calls = calls
    this.#input = input
    this.#frames = this.#run()
  }

  [Symbol.asyncIterator](): AsyncGenerator<SessionFrame, void, undefined> {
    return this.#frames
  }

  /** Reads to the end, where the turn has stopped for good or for a decision. */
  async collect(): Promise<SessionView> {
    for await (const _frame of this.#frames);
    return this.view
  }

  async *#run(): AsyncGenerator<SessionFrame, void, undefined> {
    const { retries, firstWait, longestWait } = this.#calls.numbers(this.#input)
    let stream = await this.#calls.open(operation, this.#input, false)
    // Connections in a row that brought no event.
    for (let quiet = 0; ;) {
      const before = this.#last
      const ending = yield* this.#read(stream)
      if (ending === 'stopped') return
      const isLimit = ending === 'time limit'
      if (this.#last !== before) quiet = 0
      if (!isLimit && quiet >= retries) throw ending
      if (!isLimit || this.#last === before) {
        await pause(growingWait(quiet, firstWait, longestWait), this.#input.signal)
        quiet += 1
      }
      stream = await this.#calls.open(operation, this.#following(ending), true)
    }
  }

  /**
   * Passes on the frames of one connection.
   * @returns how it ended: with the turn, at the service's own limit of time, or too early
   * @throws UnreadableAnswerError, AbortedError, or StreamFailedError where following it would not help
   */
  async *#read(stream: OpenStream): AsyncGenerator<SessionFrame, 'stopped' | 'time limit' | WorkspaceServiceError, undefined> {
    const { silence } = this.#calls.numbers(this.#input)
    let failure: StreamFailedError | undefined
    try {
      for await (const frame of framesOf(stream, silence)) {
        if (frame.type === 'stream.timeout') return 'time limit'
        if (frame.type === 'stream.error') failure = new StreamFailedError(frame.error)
        if (this.#isNews(frame)) {
          this.view.add(frame)
          yield frame
        }
        if (frame.type === 'stream.end') return 'stopped'
      }
    } catch (error) {
      if (error instanceof UnreadableAnswerError) throw error
      const { signal } = this.#input
      if (signal?.aborted) throw abortedBy(operation, signal)
      return lost(error)
    }
    if (failure && !failure.isFollowable) throw failure
    return failure ?? lost(undefined)
  }

  /** Not what came before, on this connection or the one before it, nor what only a later release knows. */
  #isNews(frame: SessionStreamFrame): frame is SessionFrame {
    if (frame.type !== 'event.committed')
      return frame.type === 'session.snapshot' || frame.type === 'event.provisional' || frame.type === 'stream.end'
    const { id, sequence } = frame.event
    if (this.#last && sequence <= this.#last.sequence) return false
    this.#last = { id, sequence }
    return true
  }

  /** The request that follows what this one has begun. @throws what ended it, where nobody can know what to follow */
  #following(ending: 'time limit' | WorkspaceServiceError): AnyInput {
    const { idempotencyKey: _key, headers = {}, body, ...input } = this.#input
    const session_id = this.view.session?.id ?? body.session_id
    const continue_from = this.#last?.id ?? startOf(body)
    if (session_id === undefined || continue_from === undefined) throw ending === 'time limit' ? lost(undefined) : ending
    const keyless = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key')
    return { ...input, headers: Object.fromEntries(keyless), body: { session_id, continue_from } }
  }
}

/** What to continue from as long as no event has come; unknown where the session had events before this request. */
function startOf(body: SessionUpdateRequest): string | undefined {
  if ('continue_from' in body) return body.continue_from
  return body.session_id === undefined ? '0' : undefined
}

function lost(cause: unknown): ConnectionResetError {
  return new ConnectionResetError('createSession: the stream ended before the turn did.', false, cause)
}
