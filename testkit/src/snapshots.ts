import type { Database, MemoryCopy } from '@workspace-service/server/store/database.ts'

/** A copy of the database, with the state to restore along with it. */
interface Snapshot<State> {
  readonly copy: MemoryCopy
  readonly state: State
}

/** Thrown for the name of a snapshot that does not exist. */
export class UnknownSnapshot extends Error {
  override readonly name = 'UnknownSnapshot'
}

/** Named snapshots of a database in memory. */
export class Snapshots<State> {
  readonly #database: Database
  readonly #kept = new Map<string, Snapshot<State>>()

  constructor(database: Database) {
    this.#database = database
  }

  get names(): readonly string[] {
    return [...this.#kept.keys()]
  }

  /** Takes a snapshot, which replaces an earlier one with this name. */
  async take(name: string, state: State): Promise<void> {
    const copy = await this.#copies().save()
    this.#kept.get(name)?.copy.close()
    this.#kept.set(name, { copy, state })
  }

  /** Restores a snapshot. @returns the state saved with it @throws UnknownSnapshot if there is none with this name */
  async restore(name: string): Promise<State> {
    const snapshot = this.#kept.get(name)
    if (!snapshot) throw new UnknownSnapshot(`No snapshot is named "${name}"${this.#others()}.`)
    await this.#copies().restore(snapshot.copy)
    return snapshot.state
  }

  close(): void {
    for (const { copy } of this.#kept.values()) copy.close()
    this.#kept.clear()
  }

  #copies(): NonNullable<Database['copies']> {
    const { copies } = this.#database
    if (!copies) throw new Error('Snapshots require a database in memory, but DATABASE_URL names another one.')
    return copies
  }

  #others(): string {
    const names = this.names.map((name) => `"${name}"`)
    return names.length === 0 ? '' : `, only ${names.join(', ')}`
  }
}
