import { randomUUID } from 'node:crypto'
import type { ReportProgress } from './progress.ts'

/** How a change is undone. @returns what was done, for the model @throws ToolError if the record has changed since */
export type Undo = (progress: ReportProgress) => Promise<string>

/** The maximum number of changes that can be undone. A new change replaces the oldest one. */
const ENTRIES_MAX = 1_000

interface Entry {
  readonly owner: string
  readonly undo: Undo
}

/** Recent changes of all callers of a process. They are lost when it ends. */
export class UndoEntries {
  readonly #entries = new Map<string, Entry>()

  /** The changes of one caller. @param owner identifies the caller's token */
  ofCaller(owner: string): UndoLog {
    return new CallerUndoLog(this.#entries, owner)
  }
}

/** Records how changes are undone. */
export interface UndoLog {
  /** @returns the token that names the change; undefined if changes cannot be undone */
  add(undo: Undo): string | undefined
  /** @returns how a change of this caller is undone, once */
  take(token: string): Undo | undefined
}

/** Used where the next request may reach another process, which does not know the change. */
export const noUndo: UndoLog = { add: () => undefined, take: () => undefined }

class CallerUndoLog implements UndoLog {
  readonly #entries: Map<string, Entry>
  readonly #owner: string

  constructor(entries: Map<string, Entry>, owner: string) {
    this.#entries = entries
    this.#owner = owner
  }

  add(undo: Undo): string {
    const token = `undo_${randomUUID().slice(0, 13)}`
    this.#entries.set(token, { owner: this.#owner, undo })
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > ENTRIES_MAX && oldest !== undefined) this.#entries.delete(oldest)
    return token
  }

  take(token: string): Undo | undefined {
    const entry = this.#entries.get(token)
    if (entry?.owner !== this.#owner) return undefined
    this.#entries.delete(token)
    return entry.undo
  }
}
