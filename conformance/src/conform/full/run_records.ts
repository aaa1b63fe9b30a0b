import type { Operation } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RequestInput } from '../conform_client.ts'
import { idsIn, plainId } from './replacements.ts'
import type { RecordValues } from './example_records.ts'

/** Records in pages: everything that refers to one of them is in that page, too. */
const PLACED: ReadonlySet<unknown> = new Set(['page', 'block', 'database', 'data_source', 'view', 'comment'])

/** The records that the run has created, and so may change; other records are only mentioned. */
export class RunRecords {
  readonly #placed = new Set<string>()
  /** Uploads, tasks, subscriptions, which belong to no page. */
  readonly #loose = new Map<string, string>()
  readonly #mentioned = new Set<string>()

  /**
   * Records the contents of a response to a request inside the page. The parent of a new record follows from the operation, as the
   * response may be wrong.
   */
  record({ tag, method }: Operation, response: unknown): void {
    if (!isObject(response)) return
    const { id, object: kind, results } = response
    const isUnplaced = PLACELESS.has(tag) || LOOSE.has(kind)
    if (typeof id === 'string' && isUnplaced) this.#loose.set(plainId(id), tag)
    else if (typeof id === 'string' && (method !== 'get' || PLACED.has(kind))) this.#learnPlaced(response)
    for (const record of Array.isArray(results) ? results.filter(isObject) : [])
      if (PLACED.has(record['object'])) this.#learnPlaced(record)
  }

  /** Allows an id to be mentioned. */
  allow(id: string): void {
    this.#mentioned.add(plainId(id))
  }

  /** Records outside pages that operations with a tag have created. */
  made(tag: string): readonly string[] {
    return [...this.#loose].flatMap(([id, one]) => (one === tag ? [id] : []))
  }

  /** Notes that a record no longer exists. */
  forget(id: string): void {
    this.#loose.delete(plainId(id))
    this.#mentioned.add(plainId(id))
  }

  holds(id: string): boolean {
    return this.#placed.has(plainId(id))
  }

  /** @returns why a write request might reach outside the page; undefined if it cannot */
  reasonAgainst({ method, pathParameters, tag }: Operation, { path = {}, body }: RequestInput): string | undefined {
    const foreign = [...Object.values(path).flatMap(idsIn), ...idsIn(body)].find((id) => !this.#isKnown(id))
    if (foreign !== undefined) return `it names ${foreign}, which the run did not create`
    const parent = isObject(body) ? body['parent'] : undefined
    if (parent !== undefined && !this.#namesPlace(parent)) return 'it would change something outside the page'
    const isPlaced = pathParameters.length > 0 || PLACELESS.has(tag) || this.#namesPlace(body)
    return method === 'post' && !isPlaced ? 'it would change something outside the page' : undefined
  }

  #isKnown(id: string): boolean {
    return this.#placed.has(id) || this.#loose.has(id) || this.#mentioned.has(id)
  }

  #namesPlace(value: unknown): boolean {
    return idsIn(value).some((id) => this.#placed.has(id))
  }

  #learnPlaced(record: RecordValues): void {
    const { id, discussion_id: discussion, data_sources: sources } = record
    const members = Array.isArray(sources) ? sources.filter(isObject).map((source) => source['id']) : []
    for (const own of [id, discussion, ...members]) if (typeof own === 'string') this.#placed.add(plainId(own))
  }
}

const LOOSE: ReadonlySet<unknown> = new Set(['async_task', 'view_query'])

/** Records of these operations belong to no page: they are removed, expire, or belong to the named agent. */
const PLACELESS: ReadonlySet<string> = new Set(['File uploads', 'Webhooks', 'Agents', 'Sessions'])
