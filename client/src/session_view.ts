import type {
  ProvisionalEvent,
  Session,
  SessionStreamFrame,
  StreamedEvent,
  StreamEndFrame,
  StreamErrorFrame,
  StreamTimeoutFrame,
} from '../../generated/types.ts'

/** A frame that callers get: frames about the connection are handled and not passed on. */
export type SessionFrame = Exclude<SessionStreamFrame, StreamTimeoutFrame | StreamErrorFrame>

/** An event of a stream. A provisional one has no `sequence` yet. */
export type ViewedEvent = StreamedEvent | ProvisionalEvent

/** Everything that a stream has delivered so far. */
export class SessionView {
  #session: Session | undefined
  #end: StreamEndFrame | undefined
  readonly #events = new Map<string, ViewedEvent>()

  /** The current session; undefined before the first frame. */
  get session(): Session | undefined {
    return this.#session
  }

  /** One entry for each event id, in the order of arrival; a committed event takes the place of its provisional states. */
  get events(): readonly ViewedEvent[] {
    return [...this.#events.values()]
  }

  /** The last frame; undefined while the turn is running. */
  get end(): StreamEndFrame | undefined {
    return this.#end
  }

  /** The texts of the agent's messages. */
  get messages(): readonly string[] {
    return this.events.flatMap((event) =>
      event.type === 'agent.message' ? [event.content.map((part) => part.text).join('')] : [],
    )
  }

  add(frame: SessionStreamFrame): void {
    if (frame.type === 'session.snapshot') this.#session = frame.session
    else if (frame.type === 'event.committed') this.#commit(frame.event)
    else if (frame.type === 'event.provisional') this.#sketch(frame.event)
    else if (frame.type === 'stream.end') this.#stop(frame)
  }

  #sketch(event: ProvisionalEvent): void {
    const known = this.#events.get(event.id)
    if (!known || !('sequence' in known)) this.#events.set(event.id, event)
  }

  #commit(event: StreamedEvent): void {
    this.#events.set(event.id, event)
    if (!this.#session) return
    this.#session = { ...this.#session, updated_at: event.created_at }
    if (event.type !== 'session.status') return
    const { required_actions: _actions, error: _error, ...session } = this.#session
    const { status, required_actions, error } = event
    this.#session = { ...session, status, ...(required_actions && { required_actions }), ...(error && { error }) }
  }

  /** Discards events that the agent started but will not finish. */
  #stop(frame: StreamEndFrame): void {
    this.#end = frame
    for (const [id, event] of this.#events) if (!('sequence' in event)) this.#events.delete(id)
  }
}
