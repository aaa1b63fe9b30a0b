import type { RequestParts } from '../contract/places.ts'
import type { Complaint } from '../kernel/errors.ts'
import { isObject, put, type JsonObject } from './json.ts'

/** No schema has a key or value that begins like this, and no message shows it. */
const HIDDEN = '\0'
const REFUSED = '\0!'

/** Where a member of an upgraded object stood in what the caller wrote. */
interface Origin {
  /** Steps from the object around it; none where the caller wrote no step of its own. */
  readonly steps: readonly string[]
  /** Values that are called otherwise now: the newer one, and the caller's. */
  readonly words?: ReadonlyMap<string, string>
}

/**
 * Rewrites a request in place and remembers what the caller wrote, so that messages name places and values in the caller's words.
 * Keys keep their place among the keys: of several faults, the first in the caller's order is reported.
 */
export class Origins {
  readonly #members = new WeakMap<object, Map<string, Origin>>()

  /** Calls a member otherwise. The object may lack it: messages that miss the newer key then ask for the older. */
  rename(object: JsonObject, from: string, to: string): void {
    if (Object.hasOwn(object, from)) this.replace(object, from, to, object[from])
    else if (!Object.hasOwn(object, to)) this.#note(object, to, { steps: [from] })
  }

  /** Puts another member in the place of one. Places inside the new value are told by `inline`. */
  replace(object: JsonObject, from: string, to: string, value: unknown): void {
    const origin = this.#members.get(object)?.get(from) ?? { steps: [from] }
    const entries = Object.entries(object)
    for (const [key] of entries) delete object[key]
    for (const [key, old] of entries) put(object, key === from ? to : key, key === from ? value : old)
    this.#note(object, to, origin)
  }

  /** Says that a member is no step of the caller's: it stands where the object around it stands. */
  inline(object: JsonObject, ...keys: readonly string[]): void {
    for (const key of keys) this.#note(object, key, { steps: [] })
  }

  /** Takes a key that the caller's version does not know out of the contract's sight: it is then unknown as any other. */
  hide(object: JsonObject, key: string): void {
    if (Object.hasOwn(object, key)) this.rename(object, key, HIDDEN + key)
  }

  /** The same for a key that cannot stand beside another: it is refused even where unknown keys are ignored. */
  refuse(object: JsonObject, key: string): void {
    if (Object.hasOwn(object, key)) this.rename(object, key, REFUSED + key)
  }

  /** Calls a value otherwise. The newer word is no word of the caller's version, and refused as any other. */
  renameValue(object: JsonObject, key: string, from: string, to: string): void {
    if (!Object.hasOwn(object, key)) return
    if (object[key] === to) object[key] = HIDDEN + to
    else if (object[key] === from) object[key] = to
    const origin = this.#members.get(object)?.get(key) ?? { steps: [key] }
    this.#note(object, key, { ...origin, words: new Map([...(origin.words ?? []), [to, from], [HIDDEN + to, to]]) })
  }

  /** The complaint in the caller's words. @param parts the upgraded request */
  translate(complaint: Complaint, parts: RequestParts): Complaint {
    const { path, words } = this.#locate(complaint.path, parts)
    if (!words) return { ...complaint, path }
    const claim = [...words].reduce((text, [newer, older]) => text.replaceAll(`"${newer}"`, `"${older}"`), complaint.claim)
    const { value } = complaint
    const written = typeof value === 'string' ? (words.get(value) ?? value) : value
    return { ...complaint, path, claim, ...('value' in complaint ? { value: written } : {}) }
  }

  translatePath(path: string, parts: RequestParts): string {
    return this.#locate(path, parts).path
  }

  #note(object: object, key: string, origin: Origin): void {
    const members = this.#members.get(object) ?? new Map<string, Origin>()
    this.#members.set(object, members.set(key, origin))
  }

  #locate(path: string, parts: RequestParts): { path: string; words?: ReadonlyMap<string, string> } {
    const location = /^(?:body|query|path)(?=[.[]|$)/.exec(path)?.[0]
    if (location !== 'body' && location !== 'query' && location !== 'path') return { path }
    let node: unknown = parts[location]
    let [written, rest] = [location as string, path.slice(location.length)]
    let origin: Origin | undefined
    while (rest !== '') {
      const step = Array.isArray(node) ? indexAt(rest) : isObject(node) ? keyAt(node, rest, this.#members.get(node)) : undefined
      if (step === undefined) break
      origin = typeof node === 'object' && node !== null ? this.#members.get(node)?.get(step.key) : undefined
      written += origin ? origin.steps.map((name) => `.${name}`).join('') : step.text
      rest = rest.slice(step.text.length)
      node = memberOf(node, step.key)
    }
    return rest === '' && origin?.words ? { path: written, words: origin.words } : { path: written + rest }
  }
}

/** Whether a key stays refused where unknown keys are ignored. */
export function isRefused(key: string): boolean {
  return key.startsWith(REFUSED)
}

interface Step {
  readonly key: string
  /** The step as the path spells it. */
  readonly text: string
}

function indexAt(rest: string): Step | undefined {
  const [text, key] = /^\[(\d+)\]/.exec(rest) ?? []
  return text === undefined || key === undefined ? undefined : { key, text }
}

/** The key that a path goes on with: the longest that the object knows, since names of properties may hold dots. */
function keyAt(node: JsonObject, rest: string, noted: ReadonlyMap<string, Origin> | undefined): Step | undefined {
  if (!rest.startsWith('.')) return undefined
  const known = [...Object.keys(node), ...(noted?.keys() ?? [])].filter((key) => {
    const end = rest[key.length + 1]
    return rest.startsWith(key, 1) && (end === undefined || end === '.' || end === '[')
  })
  const key = known.toSorted((a, b) => b.length - a.length)[0] ?? /^\.([^.[]*)/.exec(rest)?.[1]
  return key === undefined || key === '' ? undefined : { key, text: `.${key}` }
}

function memberOf(node: unknown, key: string): unknown {
  return typeof node === 'object' && node !== null && Object.hasOwn(node, key) ? Reflect.get(node, key) : undefined
}
