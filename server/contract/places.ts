/** The parts of a request that the contract describes, as they came. */
export interface RequestParts {
  readonly path: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly body: unknown
}

export interface Place {
  readonly path: string
  readonly value: unknown
}

const LOCATIONS: Readonly<Record<string, keyof RequestParts>> = { params: 'path', query: 'query', body: 'body' }
const ORDER: readonly string[] = ['path', 'query', 'headers', 'body']

/** `/body/children/3/to_do` in the validator's words is `body.children[3].to_do` in ours. */
export function resolvePlace(pointer: string, parts: RequestParts): Place {
  const [root = '', ...steps] = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const location = LOCATIONS[root]
  let place: Place = { path: location ?? root, value: location === undefined ? undefined : parts[location] }
  for (const step of steps) place = { path: childPath(place, step), value: member(place.value, step) }
  return place
}

export function childPath(place: Place, step: string): string {
  return Array.isArray(place.value) ? `${place.path}[${step}]` : `${place.path}.${step}`
}

function member(value: unknown, step: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, step) ? Reflect.get(value, step) : undefined
}

/** Tells which of two dotted paths comes first in a request. */
export class DocumentOrder {
  readonly #parts: RequestParts
  readonly #positions = new WeakMap<object, ReadonlyMap<string, number>>()

  constructor(parts: RequestParts) {
    this.#parts = parts
  }

  /** Positions of the steps of a path, for comparing. What is missing stands where its object begins. */
  of(path: string): number[] {
    const [location = '', ...steps] = path.split(/[.[\]]+/).filter((step) => step !== '')
    const key = [ORDER.indexOf(location)]
    let value: unknown = location === 'path' || location === 'query' || location === 'body' ? this.#parts[location] : undefined
    for (const step of steps) {
      key.push(this.#positionOf(value, step))
      value = member(value, step)
    }
    return key
  }

  #positionOf(value: unknown, step: string): number {
    if (typeof value !== 'object' || value === null) return -1
    const positions = this.#positions.get(value) ?? new Map(Object.keys(value).map((key, index) => [key, index]))
    this.#positions.set(value, positions)
    return positions.get(step) ?? -1
  }
}
