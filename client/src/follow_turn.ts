import { clientOperations } from '../../generated/client_operations.ts'
import type { SessionStreamFrame, SessionUpdateRequest } from '../../generated/types.ts'
import {
  ConnectionResetError,
  LimitExceededError,
  StreamFailedError,
  UnreadableResponseError,
  type WorkspaceServiceError,
} from './errors.ts'
import { FrameBudget, framesOf } from './frames.ts'
import type { OpenStream } from './open.ts'
import type { Calls } from './calls.ts'
import type { AnyInput } from './request.ts'
import { abortedBy } from './responses.ts'
import { backoffWait, pause } from './retries.ts'
import type { SessionFrame, SessionView } from './session_view.ts'
import type { Input } from './types.ts'

const operation = clientOperations.createSession

/** The frames of a turn, over all its connections. @param view receives each frame before it is passed on */
export function followTurn(
  calls: Calls,
  input: Input<'createSession'>,
  view: SessionView,
): AsyncGenerator<SessionFrame, void, undefined> {
  return new Turn(calls, input, view).run()
}

class Turn {
  readonly #calls: Calls
  readonly #input: Input<'createSession'>
  readonly #view: SessionView
  #last: { readonly id: string; readonly sequence: number } | undefined

  constructor(calls: Calls, input: Input<'createSession'>, view: SessionView) {
    this.#calls = calls
    this.#input = input
    this.#view = view
  }

  async *run(): AsyncGenerator<SessionFrame, void, undefined> {
    const { retries, firstWait, longestWait, limits } = this.#calls.numbers(this.#input)
    const budget = new FrameBudget(limits)
    let stream = await this.#calls.open(operation, this.#input, false)
    // Consecutive connections without an event.
    for (let quiet = 0; ;) {
      const before = this.#last
      const ending = yield* this.#read(stream, budget)
      if (ending === 'stopped') return
      const isLimit = ending === 'time limit'
      if (this.#last !== before) quiet = 0
      if (!isLimit && quiet >= retries) throw ending
      if (!isLimit || this.#last === before) {
        await pause(backoffWait(quiet, firstWait, longestWait), this.#input.signal)
        quiet += 1
      }
      stream = await this.#calls.open(operation, this.#following(ending), true)
    }
  }

  /**
   * Passes on the frames of one connection.
   * @returns how it ended: with the turn, at the service's time limit, or prematurely
   * @throws UnreadableResponseError, LimitExceededError, AbortedError, or StreamFailedError if following the session would not help
   */
  async *#read(
    stream: OpenStream,
    budget: FrameBudget,
  ): AsyncGenerator<SessionFrame, 'stopped' | 'time limit' | WorkspaceServiceError, undefined> {
    const { silence } = this.#calls.numbers(this.#input)
    let failure: StreamFailedError | undefined
    try {
      for await (const frame of framesOf(stream, silence, budget)) {
        if (frame.type === 'stream.timeout') return 'time limit'
        if (frame.type === 'stream.error') failure = new StreamFailedError(frame.error)
        if (this.#isNews(frame)) {
          this.#view.add(frame)
          yield frame
        }
        if (frame.type === 'stream.end') return 'stopped'
      }
    } catch (error) {
      if (error instanceof UnreadableResponseError || error instanceof LimitExceededError) throw error
      const { signal } = this.#input
      if (signal?.aborted) throw abortedBy(operation, signal)
      return lost(error)
    }
    if (failure && !failure.isFollowable) throw failure
    return failure ?? lost(undefined)
  }

  /** Whether to pass a frame on: not if it has been seen already, or only a later release knows it. */
  #isNews(frame: SessionStreamFrame): frame is SessionFrame {
    if (frame.type !== 'event.committed')
      return frame.type === 'session.snapshot' || frame.type === 'event.provisional' || frame.type === 'stream.end'
    const { id, sequence } = frame.event
    if (this.#last && sequence <= this.#last.sequence) return false
    this.#last = { id, sequence }
    return true
  }

  /**
   * The request that follows the turn.
   * @throws the error that ended the stream, if it is unknown which turn to follow
   */
  #following(ending: 'time limit' | WorkspaceServiceError): AnyInput {
    const { idempotencyKey: _key, headers = {}, body, ...input } = this.#input
    const session_id = this.#view.session?.id ?? body.session_id
    const continue_from = this.#last?.id ?? startOf(body)
    if (session_id === undefined || continue_from === undefined) throw ending === 'time limit' ? lost(undefined) : ending
    const keyless = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'idempotency-key')
    return { ...input, headers: Object.fromEntries(keyless), body: { session_id, continue_from } }
  }
}

/** Where to continue as long as no event has arrived; unknown if the session had events before this request. */
function startOf(body: SessionUpdateRequest): string | undefined {
  if ('continue_from' in body) return body.continue_from
  return body.session_id === undefined ? '0' : undefined
}

function lost(cause: unknown): ConnectionResetError {
  return new ConnectionResetError('createSession: the stream ended before the turn did.', { cause })
}
