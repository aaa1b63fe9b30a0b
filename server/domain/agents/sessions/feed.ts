import { setTimeout as pause } from 'node:timers/promises'
import type { ProvisionalEvent } from '../../../../generated/types.ts'
import type { Database } from '../../../store/database.ts'
import { listNewEvents, type EventRow } from '../../../store/session_events.ts'
import type { FollowStart } from './followed.ts'
import { Follower } from './follower.ts'

const INTERVAL_MS = 200
/** The limit of one query; further events follow with the next one. */
const EVENTS_AT_ONCE = 1_000

interface FollowedSession {
  readonly workspaceId: string
  /** The number of the last event passed on. */
  sequence: number
  readonly followers: Set<Follower>
}

/**
 * Passes on the committed events of sessions, from all processes, to their followers in this process. One query serves all
 * sessions of a workspace. Events committed by this process are passed on without delay.
 */
export class SessionFeed {
  readonly #database: Database
  readonly #sessions = new Map<string, FollowedSession>()
  #isLooking = false
  #woken = Promise.withResolvers<void>()

  constructor(database: Database) {
    this.#database = database
  }

  /** Follows a session until the follower is closed. @param head the number of the last known event */
  follow(workspaceId: string, { sessionId, after }: FollowStart, head: number): Follower {
    const follower = new Follower(this.#database, workspaceId, sessionId, { after, head }, () => this.#leave(sessionId, follower))
    const session = this.#sessions.get(sessionId) ?? { workspaceId, sequence: head, followers: new Set() }
    session.followers.add(follower)
    this.#sessions.set(sessionId, session)
    if (!this.#isLooking) void this.#look()
    return follower
  }

  /** Called after a commit to a session. */
  committed(sessionId: string): void {
    if (this.#sessions.has(sessionId)) this.#woken.resolve()
  }

  /** Passes on a provisional event, which has not been committed yet. */
  provisional(event: ProvisionalEvent): void {
    for (const follower of this.#sessions.get(event.session_id)?.followers ?? []) follower.showProvisional(event)
  }

  #leave(sessionId: string, follower: Follower): void {
    const session = this.#sessions.get(sessionId)
    session?.followers.delete(follower)
    if (session?.followers.size === 0) this.#sessions.delete(sessionId)
    if (this.#sessions.size === 0) this.#woken.resolve()
  }

  /** Queries for events while there are followers. */
  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#sessions.size > 0) {
      this.#woken = Promise.withResolvers()
      const isAll = await this.#handOn().catch(() => this.#fail())
      if (!isAll) continue
      const waiting = new AbortController()
      await Promise.race([this.#woken.promise, pause(INTERVAL_MS, undefined, { signal: waiting.signal, ref: false })])
      waiting.abort()
    }
    this.#isLooking = false
  }

  /** @returns whether everything has been passed on */
  async #handOn(): Promise<boolean> {
    const byWorkspace = Map.groupBy(this.#sessions, ([, { workspaceId }]) => workspaceId)
    const queries = Array.from(byWorkspace, async ([workspaceId, sessions]) => {
      const positions = sessions.map(([id, { sequence }]) => ({ session_id: id, sequence }))
      const rows = await this.#database.read((db) => listNewEvents(db, workspaceId, positions, EVENTS_AT_ONCE))
      for (const row of rows) this.#handOnRow(row)
      return rows.length < EVENTS_AT_ONCE
    })
    return (await Promise.all(queries)).every(Boolean)
  }

  #handOnRow(row: EventRow): void {
    const session = this.#sessions.get(row.session_id)
    // Meanwhile, the last follower may have left and another one have joined.
    if (!session || row.sequence <= session.sequence) return
    session.sequence = row.sequence
    for (const follower of session.followers) follower.take(row)
  }

  /** Closes all streams after a failed query. Clients can reconnect. */
  #fail(): true {
    for (const { followers } of this.#sessions.values()) for (const follower of [...followers]) follower.end(follower.failure())
    return true
  }
}
