/** The parts of a request that the contract describes, as they came. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface RequestPlace {
  readonly path: string
  readonly value: unknown
  /** Where each step of the path stands among its siblings, for comparing. What is missing stands where its object begins. */
  readonly position: readonly number[]
}

/** The validator's names of the parts, in the order in which they count, and ours. */
const LOCATIONS: ReadonlyMap<string, string> = new Map([
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'headers'],
  ['body', 'body'],
])
const ORDER = [...LOCATIONS.keys()]

/** Positions of the keys of objects that were looked at, for as long as nothing is added to them. */
export type KeyPositions = WeakMap<object, ReadonlyMap<string, number>>

/**
 * Places at and below one node of a request: the request itself, or any value inside. `/body/children/3/to_do` in the validator's words
 * is `body.children[3].to_do` in ours.
 */
export class Places {
  /** The node; its path is empty. */
  readonly top: RequestPlace
  readonly #prefix: string
  readonly #positions: KeyPositions

  /** @param prefix the validator's pointer to the node */
  constructor(node: unknown, prefix: string, positions: KeyPositions = new WeakMap()) {
    this.top = { path: '', value: node, position: [] }
    this.#prefix = prefix
    this.#positions = positions
  }

  static ofRequest({ path, query, body }: RequestParts): Places {
    return new Places({ params: path, query, body }, '')
  }

  /** A pointer of the validator from the node on. */
  below(pointer: string): string {
    return pointer.slice(this.#prefix.length)
  }

  /** @param pointer from the node on */
  at(pointer: string): RequestPlace {
    let place = this.top
    for (const step of pointer.split('/').slice(1)) place = this.child(place, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return place
  }

  /** A member, there or missing, of the value at a place. */
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

/** Whether one place comes before another in a request (negative), behind it (positive), or is the same (0). */
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
