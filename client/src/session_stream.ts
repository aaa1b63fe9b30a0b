import type { Calls } from './calls.ts'
import { SessionView, type SessionFrame } from './session_view.ts'
import type { Input } from './types.ts'

/**
 * A turn of a session as a stream that can be read once: iterate over its frames, or `collect` them. The request is sent when reading
 * begins. After a lost connection, the stream continues after the last committed event, so that each one arrives exactly once; the request
 * itself is not repeated once its response has begun. Ending the iteration ends the connection but not the turn.
 */
export class SessionStream implements AsyncIterable<SessionFrame> {
  /** The view of everything read so far. */
  readonly view = new SessionView()
  readonly #frames: AsyncGenerator<SessionFrame, void, undefined>

  /** @internal */
  constructor(calls: Calls, input: Input<'createSession'>) {
    this.#frames = this.#follow(calls, input)
  }

  [Symbol.asyncIterator](): AsyncGenerator<SessionFrame, void, undefined> {
    return this.#frames
  }

  /** Reads to the end: the turn has finished or requires a decision. */
  async collect(): Promise<SessionView> {
    for await (const _frame of this.#frames);
    return this.view
  }

  /** Loads the code that reads streams only now: most programs follow no session. */
  async *#follow(calls: Calls, input: Input<'createSession'>): AsyncGenerator<SessionFrame, void, undefined> {
    const { followTurn } = await import('./follow_turn.ts')
    yield* followTurn(calls, input, this.view)
  }
}
