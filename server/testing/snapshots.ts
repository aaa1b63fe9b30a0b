import type { Database, MemoryCopy } from '../store/database.ts'

/** A copy of the database, and what else has to come back with it. */
interface Snapshot<State> {
  readonly copy: MemoryCopy
  readonly state: State
}

/** There is no snapshot of this name. */
export class UnknownSnapshot extends Error {
  override readonly name = 'UnknownSnapshot'
}

/** Copies of a database by their names. */
export class Snapshots<State> {
  readonly #database: Database
  readonly #kept = new Map<string, Snapshot<State>>()

  constructor(database: Database) {
    this.#database = database
  }

  get names(): readonly string[] {
    return [...this.#kept.keys()]
  }

  /** Takes a snapshot, in place of an earlier one of this name. */
  async take(name: string, state: State): Promise<void> {
    const copy = await this.#copies().save()
    this.#kept.get(name)?.copy.close()
    this.#kept.set(name, { copy, state })
  }

  /** @throws UnknownSnapshot when there is none of this name */
  async restore(name: string): Promise<State> {
    const snapshot = this.#kept.get(name)
    if (!snapshot) throw new UnknownSnapshot(`There is no snapshot "${name}"${this.#others()}.`)
    await this.#copies().restore(snapshot.copy)
    return snapshot.state
  }

  close(): void {
    for (const { copy } of this.#kept.values()) copy.close()
    this.#kept.clear()
  }

  #copies(): NonNullable<Database['copies']> {
    const { copies } = this.#database
    if (!copies) throw new Error('Only a database in memory has snapshots; DATABASE_URL names another one.')
    return copies
  }

  #others(): string {
    const names = this.names.map((name) => `"${name}"`)
    return names.length === 0 ? '' : `, only ${names.join(', ')}`
  }
}
