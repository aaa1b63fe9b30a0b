import type { Sql } from '../sql.ts'

/** Rows that are inserted into a table: its statement has one parameter, which is all of them. */
export interface Insertion extends Sql {
  readonly table: string
  readonly parameters: readonly [string]
}

/** The most characters of rows that go out together, so that they take no longer than a statement may. */
const CHARACTERS_MAX = 65_536

/**
 * Insertions into different tables with nothing between them, which are made by one statement. None of them sees the rows of another; references
 * are checked at its end.
 */
export class JoinedInsertions {
  #waiting: readonly Insertion[] = []

  /** Adds one. @returns the statement of those before it, if it cannot be made together with them */
  add(insertion: Insertion): Sql | undefined {
    const length = this.#waiting.reduce((sum, { parameters: [rows] }) => sum + rows.length, insertion.parameters[0].length)
    const isJoined = length <= CHARACTERS_MAX && this.#waiting.every(({ table }) => table !== insertion.table)
    const before = isJoined ? undefined : this.take()
    this.#waiting = [...this.#waiting, insertion]
    return before
  }

  /** The statement of all that wait, which then wait no more; undefined if there are none. */
  take(): Sql | undefined {
    const last = this.#waiting.at(-1)
    const others = this.#waiting.slice(0, -1).map(({ table, sql: text }) => `of_${table} as (${text})`)
    const parameters = this.#waiting.flatMap((one) => one.parameters)
    this.#waiting = []
    return last && { sql: others.length === 0 ? last.sql : `with ${others.join(', ')} ${last.sql}`, parameters }
  }
}
