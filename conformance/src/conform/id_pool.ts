import { operations } from '../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/** An id that the server has shown, with the other ids in its address. */
export interface KnownId {
  readonly value: string
  readonly beside: Readonly<Record<string, string>>
}

/** The most ids of each kind. More are not needed: a run is not a crawler. */
const IDS_MAX = 200
/** Longer values are not ids. */
const ID_LENGTH_MAX = 200

const PARAMETERS: readonly string[] = [
  ...new Set(Object.values(operations).flatMap(({ pathParameters, queryParameters }) => [...pathParameters, ...queryParameters])),
].filter((name) => name.endsWith('_id'))

/** The contract says of `block_id` that it may be the id of a page, which stands for the page's block. */
const ALSO: Readonly<Record<string, readonly string[]>> = { page: ['block_id'] }

/** Ids of the server's records, by the names of the parameters that accept them: they come from the responses themselves. */
export class IdPool {
  readonly #ids = new Map<string, Map<string, KnownId>>()

  idsOf(parameter: string): readonly KnownId[] {
    return [...(this.#ids.get(parameter)?.values() ?? [])]
  }

  /**
   * Records every id in a response.
   * @param beside ids in the address that the response came from
   */
  record(value: unknown, beside: Readonly<Record<string, string>> = {}): void {
    if (Array.isArray(value)) for (const item of value) this.record(item, beside)
    if (!isObject(value)) return
    const { object, id } = value
    const names = typeof object === 'string' ? parametersFor(object) : []
    const own = typeof id === 'string' ? Object.fromEntries(names.map((name) => [name, id])) : {}
    for (const [name, known] of Object.entries(own)) this.#add(name, { value: known, beside })
    for (const [key, inner] of Object.entries(value)) {
      this.#learnMembers(key, inner, own)
      // Such members are mostly parents.
      if (typeof inner === 'string' && PARAMETERS.includes(key)) this.#add(key, { value: inner, beside })
      this.record(inner, beside)
    }
  }

  /** Lists and maps such as `data_sources` and `properties` contain ids that belong to their owner. */
  #learnMembers(key: string, members: unknown, owner: Readonly<Record<string, string>>): void {
    const name = `${singular(key)}_id`
    if (!PARAMETERS.includes(name) || typeof members !== 'object' || members === null) return
    for (const member of Object.values(members) as unknown[])
      if (isObject(member) && typeof member['id'] === 'string') this.#add(name, { value: member['id'], beside: owner })
  }

  #add(name: string, known: KnownId): void {
    const ids = this.#ids.get(name) ?? new Map<string, KnownId>()
    this.#ids.set(name, ids)
    const key = [known.value, ...Object.values(known.beside)].join(' ')
    if (ids.size < IDS_MAX && key.length <= ID_LENGTH_MAX) ids.set(key, ids.get(key) ?? known)
  }
}

/** `async_task` corresponds to `task_id`. */
function parametersFor(object: string): string[] {
  const named = PARAMETERS.filter((name) => name === `${object}_id` || `${object}_id`.endsWith(`_${name}`))
  return [...named, ...(ALSO[object] ?? [])]
}

function singular(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '')
}
