import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { SqlValue } from '../sql.ts'

interface Statement {
  readonly text: string
  /** A named statement is prepared once on each connection and kept until the connection is closed. */
  readonly name?: string
}

/** A query with an option that the types of the driver lack: a timeout in milliseconds, 0 for none. */
interface TimedQuery extends pg.QueryConfig {
  readonly query_timeout: number
}

const NAMED_MAX = 500
const KNOWN_MAX = 2_000
/** The server plans a prepared statement again for its first five executions, so a name saves nothing before that. */
const USES_BEFORE_NAMED = 5

/**
 * Translates statements into the form of PostgreSQL and names the frequent ones. Names cost memory on the server, and there is no end of
 * forms that composed statements can have, so the number of names is limited.
 */
class Statements {
  readonly #known = new Map<string, Statement & { uses: number }>()
  #named = 0

  /** @param sql contains `?` only for parameters, not in string literals or comments */
  of(sql: string): Statement {
    const known = this.#known.get(sql) ?? this.#learn(sql)
    known.uses += 1
    if (known.name !== undefined || known.uses < USES_BEFORE_NAMED || this.#named >= NAMED_MAX) return known
    this.#named += 1
    const named = { ...known, name: createHash('sha1').update(known.text).digest('base64url') }
    this.#known.set(sql, named)
    return named
  }

  #learn(sql: string): Statement & { uses: number } {
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

const statements = new Statements()
const owners = new WeakSet<pg.ClientBase>()

/**
 * Whether a connection always uses the same server process. A pooler shares processes among connections, and reports a number of its own.
 * @param row contains the `pid` that the process reports
 */
export function isOfServer(client: pg.ClientBase, row: object | undefined): boolean {
  return row !== undefined && 'pid' in row && 'processID' in client && row.pid === client.processID
}

/** Allows named statements on a connection that always uses the same server process. Another process would not know them. */
export function allowNames(client: pg.ClientBase): void {
  owners.add(client)
}

/** Runs a statement with `?` for its parameters. @param timeoutMs how long the driver waits for the result; 0 for no limit */
export function runStatement(
  client: pg.ClientBase,
  sql: string,
  values: readonly SqlValue[],
  timeoutMs: number,
): Promise<pg.QueryResult<object>> {
  const { text, name } = statements.of(sql)
  const isNamed = name !== undefined && owners.has(client)
  const timed: TimedQuery = { text, values: [...values], query_timeout: timeoutMs, ...(isNamed ? { name } : {}) }
  return client.query<object>(timed)
}

/** Runs control statements, such as `begin`, without preparing them. @returns the command that the server reports for the last statement */
export async function control(client: pg.ClientBase, text: string, timeoutMs: number): Promise<string | undefined> {
  const timed: TimedQuery = { text, query_timeout: timeoutMs }
  // If there are several statements, the driver returns a list.
  return [await client.query(timed)].flat().at(-1)?.command
}
