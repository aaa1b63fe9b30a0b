import type { ProvisionalEvent, SessionStatus, SessionStreamFrame } from '../../../../generated/types.ts'
import type { Database } from '../../../store/database.ts'
import { listEventsAfter, type EventRow } from '../../../store/session_events.ts'
import { presentStreamed } from './present.ts'
import { isStopped } from './state_machine.ts'

/** The number of events buffered for a slow reader, who then gets the others from the database. */
const WAITING_MAX = 100

interface Position {
  /** The number of the last event that the reader has received. */
  readonly after: number
  /** The number of the last event when the stream was opened. Stops before it do not end the stream. */
  readonly head: number
}

export class Follower {
  readonly #database: Database
  readonly #workspaceId: string
  readonly #sessionId: string
  readonly #head: number
  readonly #onClose: () => void
  #sequence: number
  #waiting: EventRow[] = []
  /** Whether the database has events that are not in the buffer. */
  #isBehind: boolean
  readonly #provisional = new Map<string, ProvisionalEvent>()
  #last: SessionStreamFrame | undefined
  #isClosed = false
  #news = Promise.withResolvers<void>()

  constructor(database: Database, workspaceId: string, sessionId: string, { after, head }: Position, onClose: () => void) {
    this.#database = database
    this.#workspaceId = workspaceId
    this.#sessionId = sessionId
    this.#sequence = after
    this.#head = head
    this.#isBehind = after < head
    this.#onClose = onClose
  }

  /** Adds an event that was read from the database. */
  take(row: EventRow): void {
    const next = (this.#waiting.at(-1)?.sequence ?? this.#sequence) + 1
    if (row.sequence < next) return
    this.#provisional.delete(row.id)
    if (row.sequence > next || this.#isBehind || this.#waiting.length >= WAITING_MAX) this.#isBehind = true
    else this.#waiting.push(row)
    this.#news.resolve()
  }

  showProvisional(event: ProvisionalEvent): void {
    this.#provisional.set(event.id, event)
    this.#news.resolve()
  }

  end(frame: SessionStreamFrame): void {
    this.#last ??= frame
    this.#news.resolve()
  }

  /** The last frame of a stream that ends because of an error. */
  failure(): SessionStreamFrame {
    return {
      type: 'stream.error',
      error: { code: 'internal_server_error', message: 'The stream was interrupted. Follow the session again.', retryable: true },
      session_id: this.#sessionId,
    }
  }

  /** Ends the stream of a reader who no longer has access. */
  refuse(): void {
    this.end({
      type: 'stream.error',
      error: { code: 'agent_error', message: 'The caller no longer has access to the session.', retryable: false },
      session_id: this.#sessionId,
    })
  }

  /** Called when the reader has disconnected. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#onClose()
    this.#news.resolve()
  }

  /**
   * The frames after the snapshot, as fast as they are read.
   * @param status the status of the session when the stream was opened
   */
  async *frames(status: SessionStatus): AsyncGenerator<SessionStreamFrame, void, undefined> {
    let stopped = isStopped(status) && this.#sequence >= this.#head ? status : undefined
    while (!this.#isClosed) {
      this.#news = Promise.withResolvers()
      for (const row of await this.#nextEvents()) {
        this.#sequence = row.sequence
        this.#provisional.delete(row.id)
        const event = presentStreamed(row)
        if (event) yield { type: 'event.committed', event }
        if (row.sequence >= this.#head && row.status !== null && isStopped(row.status)) stopped = row.status
        if (stopped !== undefined) break
      }
      if (stopped !== undefined) return yield this.#endFrame(stopped)
      if (this.#last) return yield this.#last
      for (const [id, event] of this.#provisional) {
        this.#provisional.delete(id)
        yield { type: 'event.provisional', event }
      }
      if (this.#waiting.length === 0 && !this.#isBehind) await this.#news.promise
    }
  }

  async #nextEvents(): Promise<readonly EventRow[]> {
    if (this.#waiting.length > 0 || !this.#isBehind) return this.#waiting.splice(0)
    this.#isBehind = false
    const rows = await this.#database.read((db) =>
      listEventsAfter(db, this.#workspaceId, this.#sessionId, this.#sequence, WAITING_MAX),
    )
    this.#isBehind ||= rows.length === WAITING_MAX
    // Drop buffered events that were read here as well. Later ones stay.
    const last = rows.at(-1)?.sequence ?? this.#sequence
    this.#waiting = this.#waiting.filter(({ sequence }) => sequence > last)
    return rows
  }

  #endFrame(status: Exclude<SessionStatus, 'queued' | 'in_progress'>): SessionStreamFrame {
    return { type: 'stream.end', session_id: this.#sessionId, status, last_sequence: this.#sequence }
  }
}
