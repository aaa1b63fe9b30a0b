import { newId } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../store/database.ts'
import { insertEvents, type EventRow } from '../../../store/session_events.ts'
import { lockSession, updateSession, type SessionRow } from '../../../store/sessions.ts'
import { watchEnd } from '../watch.ts'
import { allows, transitions, type Trigger } from './state_machine.ts'
import type { StoredContents, StoredEvent } from './stored_content.ts'
import { readJson } from '../../../store/stored/read_json.ts'

/** The content of a status event besides its status. */
type StatusDetails = Omit<StoredContents['session.status'], 'status'>

/**
 * Writes to one session, whose row is locked: numbers the events, and updates the session accordingly. Nothing is stored before
 * `save`.
 */
export class SessionWriter {
  readonly #db: Transaction
  readonly #workspaceId: string
  /** In milliseconds since 1970. */
  readonly now: number
  readonly #events: EventRow[] = []
  #session: SessionRow
  /** The end of a run that has not been saved yet. */
  #ended: { readonly error: StatusDetails['error'] } | undefined

  constructor(db: Transaction, workspaceId: string, session: SessionRow, now: number) {
    this.#db = db
    this.#workspaceId = workspaceId
    this.#session = session
    this.now = now
  }

  static async hold(db: Transaction, workspaceId: string, id: string, now: number): Promise<SessionWriter | undefined> {
    const session = await lockSession(db, workspaceId, id)
    return session && new SessionWriter(db, workspaceId, session, now)
  }

  /** The session as it will be saved. */
  get session(): SessionRow {
    return this.#session
  }

  /** @returns the number of the event */
  add(event: StoredEvent, id = newId()): number {
    const sequence = this.#session.last_sequence + 1
    this.#events.push({
      session_id: this.#session.id,
      sequence,
      id,
      turn: this.#session.turn,
      type: event.type,
      status: event.type === 'session.status' ? event.content.status : null,
      created_time: this.now,
      content: JSON.stringify(event.content),
    })
    this.change({ last_sequence: sequence, updated_time: this.now, ...counted(this.#session, event) })
    return sequence
  }

  /**
   * @param countsForAgent whether the end of a run counts in the agent's statistics; false if only the processes that ran it caused it
   * @returns the number of the status event; undefined if the transition is not allowed now, in which case nothing has changed
   */
  move(trigger: Trigger, details: StatusDetails = {}, countsForAgent = true): number | undefined {
    if (!allows(this.#session.status, trigger)) return undefined
    const { to } = transitions[trigger]
    if (countsForAgent && (to === 'completed' || to === 'failed')) this.#ended = { error: details.error }
    this.change({
      status: to,
      error: details.error === undefined ? null : JSON.stringify(details.error),
      runs_completed: this.#session.runs_completed + (trigger === 'complete' ? 1 : 0),
    })
    return this.add({ type: 'session.status', content: { status: to, ...details } })
  }

  change(change: Partial<SessionRow>): void {
    this.#session = { ...this.#session, ...change }
  }

  async save(): Promise<void> {
    await insertEvents(this.#db, this.#workspaceId, this.#events.splice(0))
    await updateSession(this.#db, this.#workspaceId, this.#session)
    const ended = this.#ended
    this.#ended = undefined
    const watched = { workspaceId: this.#workspaceId, agentId: this.#session.agent_id, now: this.now }
    if (ended) await watchEnd(this.#db, watched, ended.error)
  }
}

/** The totals of a session after one more event. */
function counted(session: SessionRow, event: StoredEvent): Partial<SessionRow> {
  switch (event.type) {
    case 'user.message': {
      const { author } = event.content
      const message_count = session.message_count + 1
      return { message_count, ...(author?.type === 'user' ? { writers: withEntry('sessions.writers', session, author.id) } : {}) }
    }
    case 'agent.message':
      return { message_count: session.message_count + 1 }
    case 'agent.tool_use':
      return {
        tool_call_count: session.tool_call_count + 1,
        tool_types: withEntry('sessions.tool_types', session, event.content.tool),
      }
    case 'agent.thinking':
    case 'agent.tool_result':
    case 'session.status':
      return {}
  }
}

/** A JSON list of texts with another one, unless it already contains that. */
function withEntry(place: 'sessions.writers' | 'sessions.tool_types', session: SessionRow, entry: string): string {
  const list = place === 'sessions.writers' ? session.writers : session.tool_types
  const entries = readJson(place, session.id, list) as string[]
  return entries.includes(entry) ? list : JSON.stringify([...entries, entry])
}
