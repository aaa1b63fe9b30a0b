import type { Operation } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { Run } from '../../run.ts'
import type { Answered, Asked, ConformClient } from '../conform_client.ts'
import type { IdPool } from '../id_pool.ts'
import type { RecordValues } from './example_records.ts'
import type { Inside } from './inside.ts'

const SUCCESS_MAX = 299
const FAULTY_REQUEST = 400
const MESSAGE_LENGTH_MAX = 300

/** A successful response. */
export interface Taken {
  readonly answer: Answered
  readonly record: RecordValues
  readonly id: string
}

/** The importance of a request. */
export interface Purpose {
  /** Its name in reports. */
  readonly name: string
  /** Whether only a fault of the server can explain a refusal. */
  readonly isCertain: boolean
  /** Whether a refusal need not be reported. */
  readonly isQuiet?: boolean
}

/** Sends write requests, but only if they cannot change anything outside of the page. */
export class Writer {
  readonly #client: ConformClient
  readonly #run: Run
  readonly #inside: Inside
  readonly #pool: IdPool
  readonly #good = new Map<string, Asked[]>()
  readonly #last = new Map<string, string>()

  constructor(client: ConformClient, run: Run, inside: Inside, pool: IdPool) {
    this.#client = client
    this.#run = run
    this.#inside = inside
    this.#pool = pool
  }

  /** The same with another client. */
  with(client: ConformClient): Writer {
    return new Writer(client, this.#run, this.#inside, this.#pool)
  }

  /** @returns undefined if the request was refused, or not sent: the run reports the reason */
  async send(operation: Operation, asked: Asked, purpose: Purpose): Promise<Taken | undefined> {
    const answer = await this.ask(operation, asked, purpose.name, purpose.isQuiet)
    if (!answer) return undefined
    if (answer.status <= SUCCESS_MAX) {
      this.#good.set(operation.id, [...this.goodOf(operation), asked])
      const record = isObject(answer.value) ? answer.value : {}
      this.#pool.learn(answer.value, asked.path)
      return { answer, record, id: String(record['id']) }
    }
    const words = wordsOf(answer)
    if (answer.status === FAULTY_REQUEST && purpose.isCertain)
      this.#run.report(
        {
          rule: 'refused-request',
          operation: operation.id,
          place: `request ${purpose.name}`,
          keyword: 'accepted',
          text: `should have been accepted, and was answered ${words}`,
        },
        answer.exchange,
      )
    else if (!purpose.isQuiet) this.#run.leaveOut(`${operation.id}: ${purpose.name}`, `it was answered ${words}`)
    return undefined
  }

  /**
   * Sends a request that may be refused.
   * @returns undefined if it might reach outside of the page
   */
  async ask(operation: Operation, asked: Asked, name: string, isQuiet = false): Promise<Answered | undefined> {
    const reason = this.#inside.reasonAgainst(operation, asked)
    if (reason !== undefined) {
      if (!isQuiet) this.#run.leaveOut(`${operation.id}: ${name}`, reason)
      return undefined
    }
    const answer = await this.#client.call(operation, asked)
    if (answer.status <= SUCCESS_MAX) this.#inside.learn(operation, answer.value)
    else this.#last.set(operation.id, wordsOf(answer))
    return answer
  }

  /**
   * Reads a record inside of the page.
   * @returns undefined if it does not exist
   */
  async read(operation: Operation, asked: Asked): Promise<Taken | undefined> {
    const answer = await this.#client.call(operation, asked)
    if (answer.status > SUCCESS_MAX || !isObject(answer.value)) return undefined
    if (this.#inside.reasonAgainst(operation, asked) === undefined) this.#inside.learn(operation, answer.value)
    this.#pool.learn(answer.value, asked.path)
    return { answer, record: answer.value, id: String(answer.value['id']) }
  }

  /** Accepted requests. */
  goodOf({ id }: Operation): readonly Asked[] {
    return this.#good.get(id) ?? []
  }

  /** The message of the last refusal of an operation. */
  lastRefusalOf({ id }: Operation): string | undefined {
    return this.#last.get(id)
  }

  /** Reports that a response contradicts an earlier request. */
  expect(holds: boolean, operation: Operation, { exchange }: Answered, place: string, text: string): void {
    if (!holds) this.#run.report({ rule: 'effect', operation: operation.id, place, keyword: 'const', text }, exchange)
  }
}

function wordsOf({ status, value }: Answered): string {
  if (!isObject(value)) return String(status)
  const { code, message } = value
  return `${status} ${String(code)}: ${String(message).slice(0, MESSAGE_LENGTH_MAX)}`
}
