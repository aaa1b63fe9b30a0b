import { createHash } from 'node:crypto'

export interface Statement {
  readonly text: string
  /** A named statement is prepared once on each connection and kept until the connection is closed. */
  readonly name?: string
}

interface Known extends Statement {
  uses: number
  /** How long it took, the last times counting most; undefined before the first. */
  milliseconds?: number
  readonly isRead: boolean
}

const NAMED_MAX = 500
const KNOWN_MAX = 2_000
/** The server plans a prepared statement anew for its first five executions, so a name gains nothing before that. */
const USES_BEFORE_NAMED = 5
const READ = /^\s*select\b/i
const QUICK_MS = 5
/** One that took so long has to be quick several times before it counts as quick again. */
const SLOW_MS = 50
/** How much the last time counts. */
const WEIGHT = 0.2

/**
 * Translates statements into the form of PostgreSQL and names the frequent ones. Names cost memory on the server, and composed statements
 * can have any number of forms, so the number of names is limited.
 */
export class Statements {
  readonly #known = new Map<string, Known>()
  #named = 0

  /** @param sql with `?` for parameters, and in no string literal or comment */
  of(sql: string): Statement {
    const known = this.#known.get(sql) ?? this.#learn(sql)
    known.uses += 1
    if (known.name !== undefined || known.uses < USES_BEFORE_NAMED || this.#named >= NAMED_MAX) return known
    this.#named += 1
    const named = { ...known, name: createHash('sha1').update(known.text).digest('base64url') }
    this.#known.set(sql, named)
    return named
  }

  /** Whether it only reads, comes often and has been answered quickly so far. */
  isQuickRead(sql: string): boolean {
    const known = this.#known.get(sql)
    return known?.name !== undefined && known.isRead && (known.milliseconds ?? SLOW_MS) <= QUICK_MS
  }

  /** Whether it only reads, which an unknown one need not do. */
  isRead(sql: string): boolean {
    return (this.#known.get(sql) ?? this.#learn(sql)).isRead
  }

  /** Notes how long a statement took until its rows were here. */
  took(sql: string, milliseconds: number): void {
    const known = this.#known.get(sql)
    if (known === undefined) return
    const before = known.milliseconds ?? milliseconds
    known.milliseconds = milliseconds > SLOW_MS ? SLOW_MS : before + (milliseconds - before) * WEIGHT
  }

  #learn(sql: string): Known {
    if (this.#known.size >= KNOWN_MAX) this.#forgetUnnamed()
    let count = 0
    const known = { text: sql.replace(/\?/g, () => `$${(count += 1)}`), uses: 0, isRead: READ.test(sql) }
    this.#known.set(sql, known)
    return known
  }

  #forgetUnnamed(): void {
    for (const [sql, { name }] of this.#known) if (name === undefined) this.#known.delete(sql)
  }
}
