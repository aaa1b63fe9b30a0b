export type JsonObject = Record<string, unknown>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Sets a key whatever its name: a plain assignment to `__proto__` would not. */
export function put(object: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

/** A copy with one key called otherwise, at the same place among the keys. */
export function renamed(object: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key === from ? to : key, value]))
}

/** A copy that lacks some keys. */
export function without(object: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)))
}

/** A copy with every value that is an object changed. */
export function mapObjects(object: JsonObject, change: (value: JsonObject) => JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isObject(value) ? change(value) : value]))
}

/** The percent-decoded text; the text itself where it is not percent-encoded. */
export function decoded(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
