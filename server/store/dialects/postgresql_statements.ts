import { createHash } from 'node:crypto'

export interface Statement {
  readonly text: string
  /** A named statement is prepared once on each connection and kept until the connection is closed. */
  readonly name?: string
}

interface Known extends Statement {
  uses: number
}

const NAMED_MAX = 500
const KNOWN_MAX = 2_000
/** The server plans a prepared statement anew for its first five executions, so a name gains nothing before that. */
const USES_BEFORE_NAMED = 5

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
