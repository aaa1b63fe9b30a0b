import pg from 'pg'
import { setTimeout as pause } from 'node:timers/promises'
import { outcomeUnknown } from '../../kernel/unavailable.ts'
import type { Connection, Transaction } from '../database.ts'
import { requireStorable, storageOverloaded } from '../failures.ts'
import type { StoreLimits } from '../limits.ts'
import type { SqlValue } from '../sql.ts'
import { PostgresqlConnection } from './postgresql_connection.ts'
import { isConnectionLost, isRepeatable, isUnavailable, isUnsent, postgresqlFailure } from './postgresql_failures.ts'
import { connect } from './postgresql_pool.ts'
import { control, runStatement } from './postgresql_statements.ts'
import type { Turn } from './semaphore.ts'

const ATTEMPTS_MAX = 5
const ATTEMPT_PAUSE_MS_MAX = 50
/** An arbitrary number, the same in every process of the service. */
const MIGRATION_LOCK = 7_402_611

/**
 * Called at points of a transaction: when it has a connection, when it has begun (it is rolled back if this throws), and when its commit
 * begins.
 */
interface Progress {
  onConnect(): void
  onBegin(): void
  onCommit(): void
}

/** How a transaction begins, and the maximum time in milliseconds that the driver waits for each of its statements. */
export interface Opening extends Partial<Progress> {
  readonly begin: string
  readonly timeoutMs: number
}

export const SNAPSHOT = 'begin isolation level repeatable read read only'
export const MIGRATION: Opening = {
  begin: `begin; set local statement_timeout = 0; set local lock_timeout = 0; select pg_advisory_xact_lock(${MIGRATION_LOCK})`,
  timeoutMs: 0,
}

/**
 * Begins a transaction and locks its workspace, in one round trip. The lock is on a row, not an advisory one, because in a distributed
 * PostgreSQL the row is on the workspace's node.
 */
export function beginIn(workspaceId: string): string {
  return `begin; select id from workspaces where id = ${pg.escapeLiteral(workspaceId)} for no key update`
}

/** The statements of one transaction on a connection. */
class OpenTransaction {
  readonly #client: pg.PoolClient
  readonly #timeoutMs: number
  #hasEnded = false
  /** The error of the first statement that failed. */
  failure: unknown

  constructor(client: pg.PoolClient, timeoutMs: number) {
    this.#client = client
    this.#timeoutMs = timeoutMs
  }

  /** @throws Error if the transaction has ended: the statement would become part of the next transaction on the connection */
  async query(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
    requireStorable(values)
    if (this.#hasEnded) throw this.failure ?? new Error('The transaction has ended.')
    try {
      return await runStatement(this.#client, sql, values, this.#timeoutMs)
    } catch (error) {
      this.failure ??= error
      throw error
    }
  }

  /** @throws ServiceError `gateway_timeout` if the connection breaks during the commit */
  async commit(): Promise<void> {
    if (this.failure !== undefined) throw this.failure
    this.#hasEnded = true
    let command: string | undefined
    try {
      command = await control(this.#client, 'commit', this.#timeoutMs)
    } catch (error) {
      throw isUnavailable(error) && !isUnsent(error) ? outcomeUnknown(error) : error
    }
    // If a statement failed that the work did not await, the server rolls back instead.
    if (command !== 'COMMIT') throw this.failure ?? new Error('The server did not commit the transaction.')
  }

  /** @returns whether the connection can be used again */
  async rollBack(): Promise<boolean> {
    this.#hasEnded = true
    try {
      await control(this.#client, 'rollback', this.#timeoutMs)
      return true
    } catch {
      return false
    }
  }
}

/** Runs work in a transaction, which is committed if the work resolves and rolled back if it throws. */
export async function transact<T>(
  pool: pg.Pool,
  work: (transaction: Transaction) => Promise<T>,
  { begin, timeoutMs, onConnect, onBegin, onCommit }: Opening,
): Promise<T> {
  const client = await connect(pool)
  const transaction = new OpenTransaction(client, timeoutMs)
  const connection: Connection = new PostgresqlConnection((sql, values) => transaction.query(sql, values))
  let isLost = false
  try {
    onConnect?.()
    await control(client, begin, timeoutMs)
    onBegin?.()
    const result = await work(connection as Transaction)
    onCommit?.()
    await transaction.commit()
    return result
  } catch (error) {
    isLost = isConnectionLost(error) || !(await transaction.rollBack())
    throw transaction.failure ?? error
  } finally {
    client.release(isLost)
  }
}

/**
 * Settles in time for the caller of a transaction, even if the server does not respond. The transaction continues and keeps its connection,
 * so that a server that hangs does not get more and more connections.
 * @param run receives a function to call when the transaction may take a connection
 * @throws ServiceError `service_overload` if the transaction cannot begin, `gateway_timeout` if its commit is not confirmed
 */
export function inTime<T>(
  { lockWaitMs, commitMs }: Pick<StoreLimits, 'lockWaitMs' | 'commitMs'>,
  run: (start: (slot: Turn, turn?: Turn) => Progress) => Promise<T>,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const late = (): Error => storageOverloaded('the transaction could not begin in time')
  let isLate = false
  let timer: NodeJS.Timeout | undefined
  const giveUp = (): void => {
    isLate = true
    reject(late())
  }
  const start = (slot: Turn, turn?: Turn): Progress => {
    const patienceMs = slot.since + lockWaitMs - performance.now()
    return {
      onConnect() {
        slot.progress()
        clearTimeout(timer)
        timer = setTimeout(giveUp, patienceMs)
      },
      onBegin() {
        if (isLate) throw late()
        clearTimeout(timer)
        slot.progress()
        turn?.progress()
      },
      onCommit() {
        timer = setTimeout(() => reject(outcomeUnknown('the commit takes too long')), commitMs)
      },
    }
  }
  run(start)
    .then(resolve, reject)
    .finally(() => clearTimeout(timer))
  return promise
}

/** Runs work again after a deadlock or serialization failure. @throws ServiceError `conflict_error` after too many attempts */
export async function attempts<T>(pool: pg.Pool, work: (transaction: Transaction) => Promise<T>, opening: Opening): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transact(pool, work, opening)
    } catch (error) {
      if (attempt >= ATTEMPTS_MAX || !isRepeatable(error)) throw postgresqlFailure(error)
    }
    await pause(Math.random() * ATTEMPT_PAUSE_MS_MAX * attempt)
  }
}
