import { newestRelease, operations, releaseDates, type Operation } from '../../../generated/operations.ts'
import { DatedContract } from '../dated_contract.ts'
import type { Run } from '../run.ts'
import { withoutBody, type CheckedResponse, type RequestInput, type ConformClient } from './conform_client.ts'
import type { IdPool } from './id_pool.ts'
import { checkPaging } from './paging.ts'
import { checkCommonRefusals, checkRefusals } from './refusals.ts'
import { addressesOf, readingOperations, reasonAgainst, variantsOf } from './requests.ts'

const SUCCESS_MAX = 299
const FAULTY_REQUEST = 400
/** The most lists of an operation that are read in small pages. */
const LISTS_READ = 3

export interface ReadOnlyOptions {
  readonly client: ConformClient
  readonly run: Run
  readonly pool: IdPool
  /** How many addresses of each operation are requested. */
  readonly samples: number
  /** Ids of the only operations to call; undefined for all. */
  readonly only?: ReadonlySet<string>
  /** Whether another part of the run calls the operations that write. */
  readonly isPart?: boolean
  /** @param share finished, from 0 to 1 */
  onProgress(share: number): void
}

/** The result of testing an operation. */
interface Coverage {
  /** The paths and variants that have been requested, as JSON. */
  readonly input: Set<string>
  /** A successful request, to be repeated in other versions and with planted faults. */
  good: RequestInput | undefined
  last: Pick<CheckedResponse, 'status' | 'exchange'> | undefined
  listsRead: number
}

/** Reads everything that the token sees, within the limits of sampling, and checks each response. It changes nothing. */
export class ReadOnlyRun {
  readonly #options: ReadOnlyOptions
  readonly #coverage = new Map<Operation, Coverage>()

  constructor(options: ReadOnlyOptions) {
    this.#options = options
  }

  async run(): Promise<void> {
    const { only } = this.#options
    const reading = readingOperations.filter(
      (operation) => reasonAgainst(operation) === undefined && (only?.has(operation.id) ?? true),
    )
    for (const operation of reading)
      this.#coverage.set(operation, { input: new Set(), good: undefined, last: undefined, listsRead: 0 })
    // A response may show ids that another operation accepts.
    for (let isNew = true; isNew;) {
      isNew = false
      for (const [operation, coverage] of this.#coverage) if (await this.#explore(operation, coverage)) isNew = true
    }
    await checkCommonRefusals(this.#options.client, this.#options.run)
    let done = 0
    for (const [operation, { good }] of this.#coverage) {
      this.#options.onProgress((done += 1) / this.#coverage.size)
      if (good) await this.#repeat(operation, good)
    }
    this.#conclude()
  }

  /** @returns whether there was a request that had not been sent */
  async #explore(operation: Operation, coverage: Coverage): Promise<boolean> {
    const { pool, samples } = this.#options
    const version = dateOf(operation)
    const variants = variantsOf(operation, pool, DatedContract.of(version), samples)
    let isNew = false
    for (const [index, path] of addressesOf(operation, pool).slice(0, samples).entries()) {
      // The first record is read with every variant, the others only with the plain one.
      for (const variant of index === 0 ? variants : variants.slice(0, 1)) {
        const key = JSON.stringify([path, variant])
        if (coverage.input.has(key)) continue
        coverage.input.add(key)
        isNew = true
        await this.#ask(operation, { path, ...variant, version }, coverage)
      }
    }
    return isNew
  }

  async #ask(operation: Operation, input: RequestInput, coverage: Coverage): Promise<void> {
    const { client, run, pool } = this.#options
    const response = await client.call(operation, input)
    coverage.last = withoutBody(response)
    if (response.status > SUCCESS_MAX) return
    pool.record(response.value, input.path)
    coverage.good ??= input
    if (!operation.pagination || coverage.listsRead >= LISTS_READ) return
    coverage.listsRead += 1
    await checkPaging(client, run, operation, input, (value) => pool.record(value, input.path))
  }

  /** Repeats a successful request in every other version, and with faults planted. */
  async #repeat(operation: Operation, good: RequestInput): Promise<void> {
    const { client, run } = this.#options
    for (const date of releaseDates) {
      if (date === good.version) continue
      const { status, exchange } = await client.call(operation, { ...good, version: date })
      // The check of each exchange reports success responses of operations that a version lacks.
      if (status <= SUCCESS_MAX || DatedContract.of(date).operation(operation) === undefined) continue
      const text = `is accepted in version ${String(good.version)}, but refused in ${date}`
      if (status === FAULTY_REQUEST && isCertain(operation))
        run.report(refused(operation, 'header Service-Version', text), exchange)
      else run.leaveOut(`${operation.id} in ${date}`, `the response was ${status}`)
    }
    await checkRefusals(client, run, operation, good, DatedContract.of(dateOf(operation)))
  }

  #conclude(): void {
    const { run, only, isPart, pool } = this.#options
    for (const operation of Object.values(operations)) {
      if (only && !only.has(operation.id)) continue
      const coverage = this.#coverage.get(operation)
      if (isPart && !readingOperations.includes(operation)) continue
      const reason = coverage ? uncovered(coverage) : (reasonAgainst(operation) ?? 'it writes')
      if (reason !== undefined) run.leaveOut(operation.id, reason)
      if (coverage?.good || coverage?.last?.status !== FAULTY_REQUEST) continue
      if (isCertain(operation) && canBeNarrowed(operation, pool))
        run.report(refused(operation, 'request', 'no request that the contract allows was accepted'), coverage.last.exchange)
    }
  }
}

/**
 * Whether a refusal can only be a fault: a record may be of a kind that schemas cannot express, such as a database with several data
 * sources.
 */
function isCertain({ pathParameters }: Operation): boolean {
  return pathParameters.length === 0
}

/** Whether the query needs no id, or the server has shown at least one: a query may need only one of several ids. */
function canBeNarrowed({ queryParameters }: Operation, pool: IdPool): boolean {
  const names = queryParameters.filter((name) => name.endsWith('_id'))
  return names.length === 0 || names.some((name) => pool.idsOf(name).length > 0)
}

function refused({ id }: Operation, place: string, text: string) {
  return { rule: 'refused-request', operation: id, place, keyword: 'accepted', text } as const
}

function uncovered({ good, last, input }: Coverage): string | undefined {
  if (good) return undefined
  if (input.size === 0 || !last) return 'the token has access to no record that it could be called with'
  return `every response was an error, the last one ${last.status}`
}

/** The newest release that has the operation. */
function dateOf(operation: Operation): (typeof releaseDates)[number] {
  return releaseDates.findLast((date) => DatedContract.of(date).operation(operation) !== undefined) ?? newestRelease
}
