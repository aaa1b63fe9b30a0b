import fc from 'fast-check'
import type { DrawValue } from '../../scripts/samples.ts'
import type { Json, JsonObject } from './json.ts'

/** A sample with one change, and the path of the change. */
export interface Mutant {
  readonly name: string
  readonly body: Json
  /** A dotted path that begins with `body`. */
  readonly location: string
}

const LONG = 'x'.repeat(3000)
const LIST_LENGTH = 1001

/** Makes one change somewhere in a value, which may or may not violate a rule. */
export function mutate(value: Json, draw: DrawValue): Mutant {
  const copy = structuredClone(value)
  const spots = [...spotsIn(copy, 'body')]
  const { holder, key, location } = draw(fc.constantFrom, ...spots)
  const old = holder === undefined ? copy : (Reflect.get(holder, key) as Json)
  const [name, changed, at] = draw(fc.constantFrom, ...changesOf(old, holder, key, location))
  if (name === 'drop a key') {
    if (holder !== undefined) Reflect.deleteProperty(holder, key)
    return { name, body: copy, location: at }
  }
  if (holder === undefined) return { name, body: changed, location: at }
  Reflect.set(holder, key, changed)
  return { name, body: copy, location: at }
}

interface Spot {
  readonly holder: JsonObject | Json[] | undefined
  readonly key: string | number
  readonly location: string
}

function* spotsIn(value: Json, location: string): Generator<Spot> {
  if (location === 'body') yield { holder: undefined, key: '', location }
  if (Array.isArray(value)) {
    for (const [key, entry] of value.entries()) {
      yield { holder: value, key, location: `${location}[${key}]` }
      yield* spotsIn(entry, `${location}[${key}]`)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      yield { holder: value, key, location: `${location}.${key}` }
      yield* spotsIn(entry, `${location}.${key}`)
    }
  }
}

function changesOf(
  value: Json,
  holder: Spot['holder'],
  key: Spot['key'],
  location: string,
): [name: string, changed: Json, location: string][] {
  const others: [string, Json, string][] = [null, true, -1.5, 'ω', [], {}, [{}]]
    .filter(
      (other) =>
        typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value) || (other === null) !== (value === null),
    )
    .map((other) => [`become ${JSON.stringify(other)}`, other as Json, location])
  if (holder !== undefined && !Array.isArray(holder)) others.push(['drop a key', null, location])
  if (typeof value === 'string')
    others.push(
      ['grow long', value + LONG, location],
      ['become empty', '', location],
      ['become unknown', `${value}_zz`, location],
    )
  if (typeof value === 'number')
    others.push(
      ['become huge', 1e300, location],
      ['become negative', -1e15, location],
      ['become a fraction', value + 0.5, location],
    )
  if (Array.isArray(value)) others.push(['repeat', Array.from({ length: LIST_LENGTH }, () => value[0] ?? {}), location])
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const unknown of ['zz_unknown', '__proto__', 'type', ...(key === '' ? [] : ['paragraph', 'emoji'])]) {
      if (!Object.hasOwn(value, unknown))
        others.push([
          `gain ${unknown}`,
          Object.defineProperty({ ...value }, unknown, { value: {}, enumerable: true, configurable: true, writable: true }),
          `${location}.${unknown}`,
        ])
    }
  }
  return others
}
