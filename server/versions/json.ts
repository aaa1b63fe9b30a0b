import { isObject } from '../kernel/is_object.ts'
import { percentDecoded } from '../kernel/urls.ts'

export type JsonObject = Record<string, unknown>

/** Sets a member of any name. Assigning to `__proto__` in the usual way would set the prototype instead. */
export function put(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A copy with one key renamed. The keys keep their order. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]))
}

/** A copy without some keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** A copy in which each value that is an object has been changed. */
export function mapObjects(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isObject(value) ? change(value) : value]))
}

/** The percent-decoded text. Values other than strings are returned unchanged. */
export function decoded(text: unknown): unknown {
  return typeof text === 'string' ? percentDecoded(text) : text
}
