/** The parts of a request that are validated. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface RequestPlace {
  readonly path: string
  readonly value: unknown
  /** For each step of the path, its index among its siblings, which gives places an order; -1 for a missing member. */
  readonly position: readonly number[]
}

/** The names of the parts in the validator and in messages, in the order in which violations are reported. */
const LOCATIONS: ReadonlyMap<string, string> = new Map([
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'headers'],
  ['body', 'body'],
])
const ORDER = [...LOCATIONS.keys()]

/**
 * The places in a request, or in one value of it. It translates the validator's pointers, such as `/body/children/3/to_do`, into the paths
 * of messages, such as `body.children[3].to_do`.
 */
export class Places {
  /** The place of the request or value itself; its path is empty. */
  readonly top: RequestPlace
  readonly #prefix: string
  /** The positions of keys in objects, valid as long as no keys are added. */
  readonly #positions = new WeakMap<object, ReadonlyMap<string, number>>()

  /** @param prefix the validator's pointer to the value; empty for a request */
  constructor(node: unknown, prefix: string) {
    this.top = { path: '', value: node, position: [] }
    this.#prefix = prefix
  }

  static ofRequest({ path, query, body }: RequestParts): Places {
    return new Places({ params: path, query, body }, '')
  }

  /** A pointer of the validator without the prefix. */
  below(pointer: string): string {
    return pointer.slice(this.#prefix.length)
  }

  /** @param pointer relative to the value */
  at(pointer: string): RequestPlace {
    let place = this.top
    for (const step of pointer.split('/').slice(1)) place = this.child(place, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return place
  }

  /** The place of a member, which may be missing, of the value at a place. */
  child(place: RequestPlace, step: string): RequestPlace {
    const isPart = place === this.top && this.#prefix === ''
    return {
      path: isPart ? (LOCATIONS.get(step) ?? step) : childPath(place, step),
      value: member(place.value, step),
      position: [...place.position, isPart ? ORDER.indexOf(step) : this.#positionOf(place.value, step)],
    }
  }

  #positionOf(value: unknown, step: string): number {
    if (typeof value !== 'object' || value === null) return -1
    if (Array.isArray(value)) return Object.hasOwn(value, step) ? Number(step) : -1
    const positions = this.#positions.get(value) ?? new Map(Object.keys(value).map((key, index) => [key, index]))
    this.#positions.set(value, positions)
    return positions.get(step) ?? -1
  }
}

/** Compares places for sorting: negative if the first comes earlier in the request, positive if it comes later, 0 if they are the same. */
export function inDocumentOrder(
  { position: a }: Pick<RequestPlace, 'position'>,
  { position: b }: Pick<RequestPlace, 'position'>,
): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left !== right) return left - right
  }
  return a.length - b.length
}

function childPath(place: RequestPlace, step: string): string {
  return Array.isArray(place.value) ? `${place.path}[${step}]` : `${place.path}.${step}`
}

function member(value: unknown, step: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined
}
