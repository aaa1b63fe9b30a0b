import { createHash } from 'node:crypto'

export interface Statement {
  readonly text: string
  /** With a name, the server prepares the statement once for each connection and keeps it as long as the connection lives. */
  readonly name?: string
}

interface Known extends Statement {
  uses: number
}

const NAMED_MAX = 500
const KNOWN_MAX = 2_000
/** The server plans a prepared statement anew for its first five uses: before that a name gains nothing. */
const USES_BEFORE_NAMED = 5

/**
 * Statements in the form that PostgreSQL takes. Those that come often get a name. Composed statements have no end of forms, so
 * that the number of names, which cost memory on the server, is bounded.
 */
export class Statements {
  readonly #known = new Map<string, Known>()
  #named = 0

  /** @param sql with `?` for parameters; no text or comment in it holds one */
  of(sql: string): Statement {
    const known = this.#known.get(sql) ?? this.#learn(sql)
    known.uses += 1
    if (known.name !== undefined || known.uses < USES_BEFORE_NAMED || this.#named >= NAMED_MAX) return known
    this.#named += 1
    const named = { ...known, name: createHash('sha1').update(known.text).digest('base64url') }
    this.#known.set(sql, named)
    return named
  }

  #learn(sql: string): Known {
    if (this.#known.size >= KNOWN_MAX) this.#forgetUnnamed()
    let count = 0
    const known = { text: sql.replace(/\?/g, () => `$${(count += 1)}`), uses: 0 }
    this.#known.set(sql, known)
    return known
  }

  #forgetUnnamed(): void {
    for (const [sql, { name }] of this.#known) if (name === undefined) this.#known.delete(sql)
  }
}
