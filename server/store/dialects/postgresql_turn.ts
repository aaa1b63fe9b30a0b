import type pg from 'pg'
import { ServiceError } from '../../kernel/errors.ts'
import { storageUnavailable } from '../../kernel/unavailable.ts'
import type { SqlValue } from '../sql.ts'
import type { Insertion } from './joined_insertions.ts'
import type { StatementRunner } from './postgresql_connection.ts'
import { isConnectionLost, isRepeatable, isTerminated, postgresqlFailure } from './postgresql_failures.ts'
import { statements, type PostgresqlConnections } from './postgresql_pool.ts'
import { attempts, transactionOf, transactWith, type Opening, type TransactionStatements } from './postgresql_transaction.ts'
import type { WriterTurn, WaitingWriter } from './writer_turns.ts'

/** The opening of one transaction of a turn. */
export interface TurnOpening extends Opening {
  /** Behind the commit: what the answer waits for besides. */
  flush(): Promise<void> | undefined
}

interface TurnParts {
  readonly connections: PostgresqlConnections
  readonly turn: WriterTurn
  /** How long those who were carried out may wait for others in the same transaction, in milliseconds. */
  readonly togetherMs: number
  /** An opening for another transaction. */
  open(): TurnOpening
}

/** A writer that has been carried out, and what answers it once the transaction is committed. */
interface Carried {
  readonly writer: WaitingWriter
  /** Whether it was refused before it changed anything. */
  readonly isRefused: boolean
  answer(): void
}

/** When another writer may begin in a transaction, and begin to write, as parts of the time that it may take: those before it wait for it. */
const [BEGINS_AT_MOST, WRITES_AT_MOST] = [0.6, 0.8]
/** As many statements as small work may have. */
const STATEMENTS_FEW = 16

/** Carries out a turn: one writer in a transaction of its own, or those who share the turn in one. */
export async function carryOutTurn(parts: TurnParts): Promise<void> {
  const first = parts.turn.first()
  if (first === undefined) return
  if (parts.turn.isShared) await carryOutTogether(parts, first)
  else await carryOutAlone(parts, first)
}

async function carryOutAlone({ connections, open }: TurnParts, writer: WaitingWriter): Promise<void> {
  const opening = open()
  try {
    const answer = await attempts(connections, (db) => writer.perform(db), opening)
    void answerAll([{ writer, isRefused: false, answer }], opening)
  } catch (error) {
    writer.reject(error)
  }
}

/**
 * Several writers in one transaction, in their order: it begins, locks the workspace and is committed once. None is answered before, not even
 * one who was refused, as it may have seen what the others have changed. A failure takes all of the transaction with it, and need not be that
 * of the writer who meets it: then they are carried out anew, each in a transaction of its own.
 */
async function carryOutTogether(parts: TurnParts, first: WaitingWriter): Promise<void> {
  const opening = parts.open()
  const together = new Together(parts)
  try {
    await transactWith(parts.connections, (shared) => together.carry(first, shared), opening)
    void answerAll(together.carried, opening)
  } catch (error) {
    const { begun } = together
    if (begun.length < 2 && !isRepeatable(error)) return first.reject(postgresqlFailure(error))
    if (isOfAll(error)) return together.failAll(error)
    for (const writer of begun) await carryOutAlone(parts, writer)
  }
}

/** Whether every writer of the transaction would have failed with it. */
function isOfAll(error: unknown): boolean {
  return (error instanceof ServiceError && error.code === 'gateway_timeout') || isConnectionLost(error) || isTerminated(error)
}

/** Answers writers whose transaction is committed. The turn does not wait for it. */
async function answerAll(carried: readonly Carried[], opening: TurnOpening): Promise<void> {
  try {
    await opening.flush()
  } catch (error) {
    return failAll(carried, error)
  }
  for (const { answer } of carried) answer()
}

/** @param error for those who may have changed something */
function failAll(carried: readonly Carried[], error: unknown): void {
  for (const { writer, isRefused } of carried) writer.reject(isRefused ? storageUnavailable(error) : error)
}

/** The writers of one transaction. */
class Together {
  readonly carried: Carried[] = []
  readonly #turn: WriterTurn
  readonly #togetherMs: number
  readonly #beginning = performance.now()
  #present: WaitingWriter | undefined

  constructor({ turn, togetherMs }: TurnParts) {
    this.#turn = turn
    this.#togetherMs = togetherMs
  }

  /** Those who have begun and have not been given back. */
  get begun(): readonly WaitingWriter[] {
    return [...this.carried.map(({ writer }) => writer), ...(this.#present ? [this.#present] : [])]
  }

  /** @throws what has taken the transaction with it */
  async carry(first: WaitingWriter, shared: TransactionStatements): Promise<void> {
    this.#present = first
    while (this.#present) {
      const carried = await this.#carryOne(this.#present, shared)
      if (carried) this.carried.push(carried)
      else this.#turn.giveBack(this.#present)
      this.#present = this.#age > BEGINS_AT_MOST ? undefined : this.#turn.next()
    }
  }

  failAll(error: unknown): void {
    failAll(this.carried, postgresqlFailure(error))
    this.#present?.reject(postgresqlFailure(error))
  }

  /** As a part of the time that the transaction may take. */
  get #age(): number {
    return (performance.now() - this.#beginning) / this.#togetherMs
  }

  /** @returns undefined for a writer that has changed nothing, and begins anew in the next turn */
  async #carryOne(writer: WaitingWriter, shared: TransactionStatements): Promise<Carried | undefined> {
    const isAwaited = this.carried.length > 0
    const own = new WriterStatements(shared, () => (isAwaited ? this.#age : 0))
    try {
      const answer = await writer.perform(transactionOf(own))
      return { writer, isRefused: false, answer }
    } catch (error) {
      if (own.hasWritten || shared.failure !== undefined) throw error
      return own.isLate ? undefined : { writer, isRefused: true, answer: () => writer.reject(error) }
    } finally {
      own.end()
    }
  }
}

/** The statements of one writer in a transaction of several. */
class WriterStatements implements StatementRunner {
  readonly #shared: TransactionStatements
  readonly #age: () => number
  hasWritten = false
  isLate = false
  #hasEnded = false
  #count = 0

  /** @param age how much of the time that others may wait has passed: 1 is all of it */
  constructor(shared: TransactionStatements, age: () => number) {
    this.#shared = shared
    this.#age = age
  }

  async query(sql: string, values: readonly SqlValue[]): Promise<pg.QueryResult<object>> {
    this.#require(!statements.isRead(sql))
    return this.#shared.query(sql, values)
  }

  async send(sql: string, values: readonly SqlValue[]): Promise<void> {
    this.#require(true)
    return this.#shared.send(sql, values)
  }

  async insert(insertion: Insertion): Promise<void> {
    this.#require(true)
    return this.#shared.insert(insertion)
  }

  end(): void {
    this.#hasEnded = true
  }

  /** @throws Error behind the end of the work, and where others would wait too long for it */
  #require(writes: boolean): void {
    if (this.#hasEnded) throw new Error('The transaction has ended.')
    this.#count += 1
    // One that has written and is small ends sooner than everyone could be carried out anew.
    this.isLate ||= this.hasWritten ? this.#count > STATEMENTS_FEW && this.#age() > 1 : this.#age() > WRITES_AT_MOST
    if (this.isLate) throw new Error('Others wait for the transaction.')
    this.hasWritten ||= writes
  }
}
