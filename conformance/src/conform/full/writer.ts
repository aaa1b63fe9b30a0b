import type { Operation } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { Run } from '../../run.ts'
import type { CheckedResponse, RequestInput, ConformClient } from '../conform_client.ts'
import type { IdPool } from '../id_pool.ts'
import type { RecordValues } from './example_records.ts'
import type { RunRecords } from './run_records.ts'

const SUCCESS_MAX = 299
const FAULTY_REQUEST = 400
const MESSAGE_LENGTH_MAX = 300

/** A successful response. */
export interface AcceptedWrite {
  readonly response: CheckedResponse
  readonly record: RecordValues
  readonly id: string
}

/** The name of a request, and the treatment of its refusal. */
export interface Purpose {
  /** Its name in reports. */
  readonly name: string
  /** Whether only a fault of the server can explain a refusal. */
  readonly isCertain: boolean
  /** Whether a refusal need not be reported. */
  readonly isQuiet?: boolean
}

/** Sends write requests, but only if they cannot change anything outside the page. */
export class Writer {
  readonly #client: ConformClient
  readonly #run: Run
  readonly #runRecords: RunRecords
  readonly #pool: IdPool
  readonly #good = new Map<string, RequestInput[]>()
  readonly #last = new Map<string, string>()

  constructor(client: ConformClient, run: Run, runRecords: RunRecords, pool: IdPool) {
    this.#client = client
    this.#run = run
    this.#runRecords = runRecords
    this.#pool = pool
  }

  /** A writer with the same records that uses another client. */
  with(client: ConformClient): Writer {
    return new Writer(client, this.#run, this.#runRecords, this.#pool)
  }

  /** @returns undefined if the request was refused, or not sent: the run reports the reason */
  async send(operation: Operation, input: RequestInput, purpose: Purpose): Promise<AcceptedWrite | undefined> {
    const response = await this.ask(operation, input, purpose.name, purpose.isQuiet)
    if (!response) return undefined
    if (response.status <= SUCCESS_MAX) {
      this.#good.set(operation.id, [...this.goodOf(operation), input])
      const record = isObject(response.value) ? response.value : {}
      this.#pool.record(response.value, input.path)
      return { response, record, id: String(record['id']) }
    }
    const words = wordsOf(response)
    if (response.status === FAULTY_REQUEST && purpose.isCertain)
      this.#run.report(
        {
          rule: 'refused-request',
          operation: operation.id,
          place: `request ${purpose.name}`,
          keyword: 'accepted',
          text: `should have been accepted; the response was ${words}`,
        },
        response.exchange,
      )
    else if (!purpose.isQuiet) this.#run.leaveOut(`${operation.id}: ${purpose.name}`, `the response was ${words}`)
    return undefined
  }

  /**
   * Sends a request that may be refused.
   * @returns undefined if it might reach outside the page
   */
  async ask(operation: Operation, input: RequestInput, name: string, isQuiet = false): Promise<CheckedResponse | undefined> {
    const reason = this.#runRecords.reasonAgainst(operation, input)
    if (reason !== undefined) {
      if (!isQuiet) this.#run.leaveOut(`${operation.id}: ${name}`, reason)
      return undefined
    }
    const response = await this.#client.call(operation, input)
    if (response.status <= SUCCESS_MAX) this.#runRecords.record(operation, response.value)
    else this.#last.set(operation.id, wordsOf(response))
    return response
  }

  /**
   * Reads a record inside the page.
   * @returns undefined if it does not exist
   */
  async read(operation: Operation, input: RequestInput): Promise<AcceptedWrite | undefined> {
    const response = await this.#client.call(operation, input)
    if (response.status > SUCCESS_MAX || !isObject(response.value)) return undefined
    if (this.#runRecords.reasonAgainst(operation, input) === undefined) this.#runRecords.record(operation, response.value)
    this.#pool.record(response.value, input.path)
    return { response, record: response.value, id: String(response.value['id']) }
  }

  /** Accepted requests of an operation. */
  goodOf({ id }: Operation): readonly RequestInput[] {
    return this.#good.get(id) ?? []
  }

  lastRefusalOf({ id }: Operation): string | undefined {
    return this.#last.get(id)
  }

  /** Reports that a response contradicts an earlier request. */
  expect(holds: boolean, operation: Operation, { exchange }: CheckedResponse, place: string, text: string): void {
    if (!holds) this.#run.report({ rule: 'effect', operation: operation.id, place, keyword: 'const', text }, exchange)
  }
}

function wordsOf({ status, value }: CheckedResponse): string {
  if (!isObject(value)) return String(status)
  const { code, message } = value
  return `${status} ${String(code)}: ${String(message).slice(0, MESSAGE_LENGTH_MAX)}`
}
