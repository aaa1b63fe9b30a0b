import { operations } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { DatedContract } from '../../dated_contract.ts'

/** An object of the protocol. */
export type RecordValues = Readonly<Record<string, unknown>>

export interface ExampleRecord {
  readonly kind: string
  readonly id: string
  readonly values: RecordValues
}

interface Seen extends ExampleRecord {
  readonly rank: number
  readonly length: number
}

/** Every record in the examples of responses: a page of the examples can be recreated anywhere. */
export class ExampleRecords {
  readonly #byKey = new Map<string, Seen>()
  readonly #kinds = new Map<string, string>()
  readonly #named = new Map<string, string>()

  constructor(contract = DatedContract.of()) {
    for (const operation of Object.values(operations))
      for (const value of contract.responseExamples(operation)) this.#learn(value, rankOf(operation.id))
  }

  of(kind: string): readonly ExampleRecord[] {
    return [...this.#byKey.values()].filter((record) => record.kind === kind)
  }

  find(kind: string, id: unknown): ExampleRecord | undefined {
    return this.#byKey.get(`${kind} ${String(id)}`)
  }

  /**
   * The kind of record that an id belongs to, or the name of the member whose value it is; undefined if no example of a response contains
   * it.
   */
  kindOf(id: string): string | undefined {
    return this.#kinds.get(id) ?? this.#named.get(id)
  }

  #learn(value: unknown, rank: number): void {
    if (Array.isArray(value)) for (const item of value) this.#learn(item, rank)
    if (!isObject(value)) return
    const { object: kind, id } = value
    if (typeof kind === 'string' && typeof id === 'string') {
      const key = `${kind} ${id}`
      const known = this.#byKey.get(key)
      const { length } = JSON.stringify(value)
      if (!known || rank < known.rank || (rank === known.rank && length > known.length))
        this.#byKey.set(key, { kind, id, values: value, rank, length })
      this.#kinds.set(id, this.#kinds.get(id) ?? kind)
    }
    for (const [key, inner] of Object.entries(value)) {
      this.#noteKind(key, inner, value)
      this.#learn(inner, rank)
    }
  }

  /**
   * Records that are only referred to, in `page_id` or as `custom_emoji`, are known by that name; members of lists by the name of the list.
   */
  #noteKind(key: string, inner: unknown, { type }: RecordValues): void {
    if (typeof inner === 'string' && key.endsWith('_id')) this.#name(inner, key)
    if (isObject(inner) && typeof inner['id'] === 'string') this.#name(inner['id'], key)
    if (key !== 'results' || !Array.isArray(inner) || typeof type !== 'string') return
    for (const member of inner) if (isObject(member) && typeof member['id'] === 'string') this.#name(member['id'], type)
  }

  #name(id: string, kind: string): void {
    this.#named.set(id, this.#named.get(id) ?? kind)
  }
}

/** The order of an operation's examples: a retrieved record is complete, and in its state before other examples changed it. */
function rankOf(operation: string): number {
  if (operation.startsWith('retrieve')) return 0
  return operation.startsWith('update') || operation.startsWith('move') ? 2 : 1
}
