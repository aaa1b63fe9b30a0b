import type { RequestParts } from '../contract/locations.ts'
import type { Complaint } from '../kernel/errors.ts'
import { put, type JsonObject } from './json.ts'
import { isObject } from '../kernel/is_object.ts'

/** Prefixes that do not occur in keys or values of the contract. Messages show the caller's words instead. */
const HIDDEN = '\0'
const REFUSED = '\0!'

/** Where the caller wrote a member of an upgraded object. */
interface Origin {
  /** The path from the enclosing object; empty if the member has no counterpart in the request. */
  readonly steps: readonly string[]
  /** Renamed values: the caller's value by the newer one. */
  readonly words?: ReadonlyMap<string, string>
}

/**
 * Rewrites a request in place and records the caller's paths and values, so that error messages can use them. The order of keys is kept,
 * because the first of several errors in the caller's order is reported.
 */
export class Origins {
  readonly #members = new WeakMap<object, Map<string, Origin>>()

  /** Renames a member. If the object does not have it, a message that requires the newer key names the older one. */
  rename(object: JsonObject, from: string, to: string): void {
    if (Object.hasOwn(object, from)) this.replace(object, from, to, object[from])
    else if (!Object.hasOwn(object, to)) this.#note(object, to, { steps: [from] })
  }

  /** Replaces a member with another. Use `inline` for members of the new value that the caller did not write. */
  replace(object: JsonObject, from: string, to: string, value: unknown): void {
    const origin = this.#members.get(object)?.get(from) ?? { steps: [from] }
    const entries = Object.entries(object)
    for (const [key] of entries) delete object[key]
    for (const [key, old] of entries) put(object, key === from ? to : key, key === from ? value : old)
    this.#note(object, to, origin)
  }

  /** Declares that the caller did not write these members: errors use the path of the enclosing object instead. */
  inline(object: JsonObject, ...keys: readonly string[]): void {
    for (const key of keys) this.#note(object, key, { steps: [] })
  }

  /** Hides a key that the caller's version does not have, so that it is treated as unknown. */
  hide(object: JsonObject, key: string): void {
    if (Object.hasOwn(object, key)) this.rename(object, key, HIDDEN + key)
  }

  /** Like `hide`, for a key that conflicts with another: it is refused even in versions that ignore unknown keys. */
  refuse(object: JsonObject, key: string): void {
    if (Object.hasOwn(object, key)) this.rename(object, key, REFUSED + key)
  }

  /** Renames a value. The newer value, which the caller's version does not have, is refused like any unknown value. */
  renameValue(object: JsonObject, key: string, from: string, to: string): void {
    if (!Object.hasOwn(object, key)) return
    if (object[key] === to) object[key] = HIDDEN + to
    else if (object[key] === from) object[key] = to
    const origin = this.#members.get(object)?.get(key) ?? { steps: [key] }
    this.#note(object, key, { ...origin, words: new Map([...(origin.words ?? []), [to, from], [HIDDEN + to, to]]) })
  }

  /** A complaint about the upgraded request, with the paths and values that the caller wrote. @param parts the upgraded request */
  translate(complaint: Complaint, parts: RequestParts): Complaint {
    const { path, words } = this.#locate(complaint.path, parts)
    if (!words) return { ...complaint, path }
    const claim = [...words].reduce((text, [newer, older]) => text.replaceAll(`"${newer}"`, `"${older}"`), complaint.claim)
    const { value } = complaint
    const written = typeof value === 'string' ? (words.get(value) ?? value) : value
    return { ...complaint, path, claim, ...('value' in complaint ? { value: written } : {}) }
  }

  /** The path in the caller's request that became the given path of the upgraded request. */
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

/** Whether a key is refused even in versions that ignore unknown keys. */
export function isRefused(key: string): boolean {
  return key.startsWith(REFUSED)
}

interface Step {
  readonly key: string
  /** The step as it is written in the path, with its dot or brackets. */
  readonly text: string
}

function indexAt(rest: string): Step | undefined {
  const [text, key] = /^\[(\d+)\]/.exec(rest) ?? []
  return text === undefined || key === undefined ? undefined : { key, text }
}

/** The next key of a path: the longest one that matches a key of the object, because property names may contain dots. */
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
