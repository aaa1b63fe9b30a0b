/** The parts of a request that are validated. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface RequestLocation {
  readonly path: string
  readonly value: unknown
  /** For each step of the path, its index among its siblings, which gives locations an order; -1 for a missing member. */
  readonly position: readonly number[]
}

/** The names of the parts in the validator and in messages, in the order in which violations are reported. */
const PART_NAMES: ReadonlyMap<string, string> = new Map([
  ['params', 'path'],
  ['query', 'query'],
  ['headers', 'headers'],
  ['body', 'body'],
])
const ORDER = [...PART_NAMES.keys()]

/**
 * Locates the values of a request, or of one value in it. It translates the validator's pointers, such as `/body/children/3/to_do`, into the paths
 * of messages, such as `body.children[3].to_do`.
 */
export class RequestLocations {
  /** The location of the request or value itself; its path is empty. */
  readonly top: RequestLocation
  readonly #prefix: string
  /** The positions of keys in objects, valid as long as no keys are added. */
  readonly #positions = new WeakMap<object, ReadonlyMap<string, number>>()

  /** @param prefix the validator's pointer to the value; empty for a request */
  constructor(node: unknown, prefix: string) {
    this.top = { path: '', value: node, position: [] }
    this.#prefix = prefix
  }

  static ofRequest({ path, query, body }: RequestParts): RequestLocations {
    return new RequestLocations({ params: path, query, body }, '')
  }

  /** A pointer of the validator without the prefix. */
  below(pointer: string): string {
    return pointer.slice(this.#prefix.length)
  }

  /** @param pointer relative to the value */
  at(pointer: string): RequestLocation {
    let location = this.top
    for (const step of pointer.split('/').slice(1))
      location = this.child(location, step.replaceAll('~1', '/').replaceAll('~0', '~'))
    return location
  }

  /** The location of a member of a value. The member may be missing. */
  child(location: RequestLocation, step: string): RequestLocation {
    const isPart = location === this.top && this.#prefix === ''
    return {
      path: isPart ? (PART_NAMES.get(step) ?? step) : childPath(location, step),
      value: member(location.value, step),
      position: [...location.position, isPart ? ORDER.indexOf(step) : this.#positionOf(location.value, step)],
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

/** Compares locations for sorting: negative if the first comes earlier in the request, positive if it comes later, 0 if they are the same. */
export function inDocumentOrder(
  { position: a }: Pick<RequestLocation, 'position'>,
  { position: b }: Pick<RequestLocation, 'position'>,
): number {
  for (const [index, left] of a.entries()) {
    const right = b[index]
    if (right === undefined) return 1
    if (left !== right) return left - right
  }
  return a.length - b.length
}

function childPath(location: RequestLocation, step: string): string {
  return Array.isArray(location.value) ? `${location.path}[${step}]` : `${location.path}.${step}`
}

function member(value: unknown, step: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined
}
