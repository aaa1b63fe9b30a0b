import fc from 'fast-check'
import type { DrawValue } from '../../scripts/samples.ts'
import type { Json, JsonObject } from './json.ts'

/** A sample with one change, and the place of the change. */
export interface Mutant {
  readonly name: string
  readonly body: Json
  /** A dotted path that begins with `body`. */
  readonly place: string
}

const LONG = 'x'.repeat(3000)
const LIST_LENGTH = 1001

/** Makes one change somewhere in a value, which may or may not violate a rule. */
export function mutate(value: Json, draw: DrawValue): Mutant {
  const copy = structuredClone(value)
  const spots = [...spotsIn(copy, 'body')]
  const { holder, key, place } = draw(fc.constantFrom, ...spots)
  const old = holder === undefined ? copy : (Reflect.get(holder, key) as Json)
  const [name, changed, at] = draw(fc.constantFrom, ...changesOf(old, holder, key, place))
  if (name === 'drop a key') {
    if (holder !== undefined) Reflect.deleteProperty(holder, key)
    return { name, body: copy, place: at }
  }
  if (holder === undefined) return { name, body: changed, place: at }
  Reflect.set(holder, key, changed)
  return { name, body: copy, place: at }
}

interface Spot {
  readonly holder: JsonObject | Json[] | undefined
  readonly key: string | number
  readonly place: string
}

function* spotsIn(value: Json, place: string): Generator<Spot> {
  if (place === 'body') yield { holder: undefined, key: '', place }
  if (Array.isArray(value)) {
    for (const [key, entry] of value.entries()) {
      yield { holder: value, key, place: `${place}[${key}]` }
      yield* spotsIn(entry, `${place}[${key}]`)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      yield { holder: value, key, place: `${place}.${key}` }
      yield* spotsIn(entry, `${place}.${key}`)
    }
  }
}

function changesOf(
  value: Json,
  holder: Spot['holder'],
  key: Spot['key'],
  place: string,
): [name: string, changed: Json, place: string][] {
  const others: [string, Json, string][] = [null, true, -1.5, 'ω', [], {}, [{}]]
    .filter(
      (other) =>
        typeof other !== typeof value || Array.isArray(other) !== Array.isArray(value) || (other === null) !== (value === null),
    )
    .map((other) => [`become ${JSON.stringify(other)}`, other as Json, place])
  if (holder !== undefined && !Array.isArray(holder)) others.push(['drop a key', null, place])
  if (typeof value === 'string')
    others.push(['grow long', value + LONG, place], ['become empty', '', place], ['become unknown', `${value}_zz`, place])
  if (typeof value === 'number')
    others.push(['become huge', 1e300, place], ['become negative', -1e15, place], ['become a fraction', value + 0.5, place])
  if (Array.isArray(value)) others.push(['repeat', Array.from({ length: LIST_LENGTH }, () => value[0] ?? {}), place])
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const unknown of ['zz_unknown', '__proto__', 'type', ...(key === '' ? [] : ['paragraph', 'emoji'])]) {
      if (!Object.hasOwn(value, unknown))
        others.push([
          `gain ${unknown}`,
          Object.defineProperty({ ...value }, unknown, { value: {}, enumerable: true, configurable: true, writable: true }),
          `${place}.${unknown}`,
        ])
    }
  }
  return others
}
