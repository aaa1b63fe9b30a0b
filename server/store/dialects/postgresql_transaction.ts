import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { outcomeUnknown } from '../../kernel/unavailable.ts'
import type { Connection, Transaction } from '../database.ts'
import { requireStorable } from '../failures.ts'
import type { Sql, SqlValue } from '../sql.ts'
import { JoinedInsertions, type Insertion } from './joined_insertions.ts'
import { PostgresqlConnection, type StatementRunner } from './postgresql_connection.ts'
import { isConnectionLost, isRepeatable, isUnavailable, isUnsent, postgresqlFailure } from './postgresql_failures.ts'
import { connect, control, query, sendTogether, type PostgresqlConnections } from './postgresql_pool.ts'

const ATTEMPTS_MAX = 5
const ATTEMPT_PAUSE_MS_MAX = 50
/** Statements on their way from which on the next one is waited for: what a transaction sends is in memory until the server takes it. */
const UNANSWERED_MAX = 16
/** An arbitrary number, the same in every process of the service. */
const MIGRATION_LOCK = 7_402_611

/** How a transaction begins and ends, and how long the driver waits for each statement, in milliseconds. */
export interface Opening {
  readonly begin: string
  /** Whose row is locked; none if it is left out. */
  readonly workspaceId?: string
  readonly answerMs: number
  /** Chosen when the work is done; `COMMIT` where it is left out. */
  commit?(): string
  /** Whether the work begins only once the transaction is open: it does more than run statements. */
  readonly isAwaited?: boolean
}

export const COMMIT = 'commit'
export const COMMIT_UNFLUSHED = 'set local synchronous_commit = off; commit'

export const MIGRATION: Opening = {
  begin: `begin; set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  answerMs: 0,
  isAwaited: true,
}

export const SNAPSHOT = 'begin isolation level repeatable read read only'
export const UNFLUSHED = 'begin; set local synchronous_commit = off'
const LOCK_WORKSPACE = 'select id from workspaces where id = ? for no key update'

/**
 * The statements of one transaction. Those whose results nobody needs are sent, and the work goes on: the server runs all of them in order,
 * and after one that failed it refuses the others, the commit included.
 */
export class TransactionStatements implements StatementRunner {
  readonly #client: pg.PoolClient
  readonly #answerMs: number
  readonly #opened: Promise<unknown>
  #isOpen = false
  #unanswered = 0
  /** Rows with nothing behind them yet. */
  readonly #insertions = new JoinedInsertions()
  #failure: unknown
  #hasEnded = false

  constructor(client: pg.PoolClient, { begin, workspaceId, answerMs }: Opening) {
    this.#client = client
    this.#answerMs = answerMs
    sendTogether(client)
    const begun = this.#answer(control(client, begin, answerMs))
    this.#opened = workspaceId === undefined ? begun : Promise.all([begun, this.#run(LOCK_WORKSPACE, [workspaceId])])
    this.#opened.then(
      () => (this.#isOpen = true),
      () => undefined,
    )
  }

  /** Why the first statement failed that did; undefined if none did. */
  get failure(): unknown {
    return this.#failure
  }

  opened(): Promise<unknown> {
    return this.#opened
  }

  /** The first statement may follow at once: where the transaction could not be opened, the server refuses what comes after it. */
  async query(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
    requireStorable(values)
    return this.#run(sql, values)
  }

  async send(sql: string, values: readonly SqlValue[]): Promise<void> {
    requireStorable(values)
    // After a failed `begin`, a change would be a transaction of its own.
    if (!this.#isOpen) await this.#opened
    await this.#sent(this.#run(sql, values))
  }

  async insert(insertion: Insertion): Promise<void> {
    if (!this.#isOpen) await this.#opened
    this.#requireOngoing()
    const before = this.#insertions.add(insertion)
    if (before) await this.#sent(this.#put(before))
  }

  /**
   * @throws ServiceError `gateway_timeout` if the connection breaks meanwhile
   * @throws the error of a statement that failed, with which the transaction was rolled back
   */
  async commit(text: string): Promise<void> {
    await this.#opened
    if (this.#failure !== undefined) throw this.#failure
    this.#insertJoined()
    this.#hasEnded = true
    let command: string | undefined
    try {
      sendTogether(this.#client)
      command = await control(this.#client, text, this.#timeoutMs)
    } catch (error) {
      if (this.failure instanceof pg.DatabaseError) throw this.failure
      throw isUnavailable(error) && !isUnsent(error) ? outcomeUnknown(error) : error
    }
    if (command === 'COMMIT') return
    throw this.failure ?? new Error('The server did not commit a transaction in which no statement had failed.')
  }

  /** @returns whether the connection can be used again */
  rollBack(): Promise<boolean> {
    this.#hasEnded = true
    return control(this.#client, 'rollback', this.#timeoutMs).then(
      () => true,
      () => false,
    )
  }

  /** The driver counts from when a statement is sent, also while those before it run. */
  get #timeoutMs(): number {
    return this.#answerMs * (this.#unanswered + 1)
  }

  /** @throws Error behind the end of the transaction, where the statement would be a transaction of its own, or part of the next one */
  #run(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
    this.#requireOngoing()
    this.#insertJoined()
    return this.#put({ sql, parameters: values })
  }

  #requireOngoing(): void {
    if (this.#hasEnded) throw this.#failure ?? new Error('The transaction has ended.')
  }

  /** Sends the rows that wait for others. */
  #insertJoined(): void {
    const joined = this.#insertions.take()
    if (joined) this.#put(joined).catch(() => undefined)
  }

  #put({ sql, parameters }: Sql): Promise<pg.QueryResult<object>> {
    sendTogether(this.#client)
    return this.#answer(query(this.#client, sql, parameters, this.#timeoutMs))
  }

  /** Goes on while the statement is on its way, unless too many are. */
  async #sent(statement: Promise<unknown>): Promise<void> {
    if (this.#unanswered > UNANSWERED_MAX) await statement
    else statement.catch(() => undefined)
  }

  async #answer<T>(statement: Promise<T>): Promise<T> {
    this.#unanswered += 1
    try {
      return await statement
    } catch (error) {
      this.#failure ??= error
      throw this.#failure
    } finally {
      this.#unanswered -= 1
    }
  }
}

/** Runs work again after a deadlock or serialization failure. @throws ServiceError `conflict_error` after too many attempts */
export async function attempts<T>(
  connections: PostgresqlConnections,
  work: (transaction: Transaction) => Promise<T>,
  opening: Opening,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(connections, work, opening)
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRepeatable(error)) throw postgresqlFailure(error)
    }
    await pause(Math.random() * ATTEMPT_PAUSE_MS_MAX * attempt)
  }
}

export function transact<T>(
  connections: PostgresqlConnections,
  work: (transaction: Transaction) => Promise<T>,
  opening: Opening,
): Promise<T> {
  return transactWith(connections, (statements) => work(transactionOf(statements)), opening)
}

/** A transaction by its statements. */
export function transactionOf(statements: StatementRunner): Transaction {
  const connection: Connection = new PostgresqlConnection(statements)
  return connection as Transaction
}

/** Like `transact`, for work on statements. */
export async function transactWith<T>(
  connections: PostgresqlConnections,
  work: (statements: TransactionStatements) => Promise<T>,
  opening: Opening,
): Promise<T> {
  const client = await connect(connections)
  const statements = new TransactionStatements(client, opening)
  let isLost = false
  let isCommitting = false
  try {
    if (opening.isAwaited) await statements.opened()
    const result = await work(statements)
    isCommitting = true
    await statements.commit(opening.commit?.() ?? COMMIT)
    return result
  } catch (thrown) {
    isLost = isConnectionLost(thrown) || !(await statements.rollBack())
    // A statement that failed before may have been answered only now.
    throw isCommitting ? thrown : (statements.failure ?? thrown)
  } finally {
    client.release(isLost)
  }
}
