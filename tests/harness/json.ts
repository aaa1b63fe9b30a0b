/** JSON of unknown shape. */
export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** @throws Error unless the text is a JSON object, as every API response is */
export function parseObject(text: string): JsonObject {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error(`not a JSON object: ${text.slice(0, 200)}`)
  return value
}

/** The value at a path of keys and indexes, or undefined: `at(body, 'results', 0, 'id')`. */
export function at(value: Json | undefined, ...steps: (string | number)[]): Json | undefined {
  let found: Json | undefined = value
  for (const step of steps) {
    if (Array.isArray(found) && typeof step === 'number') found = found[step]
    else if (isObject(found) && typeof step === 'string') found = Object.hasOwn(found, step) ? found[step] : undefined
    else return undefined
  }
  return found
}

/** The string at a path. @throws Error if there is none */
export function textAt(value: Json | undefined, ...steps: (string | number)[]): string {
  const found = at(value, ...steps)
  if (typeof found !== 'string') throw new Error(`no text at ${steps.join('.')}: ${JSON.stringify(value)?.slice(0, 500)}`)
  return found
}

/** The object at a path. @throws Error if there is none */
export function objectAt(value: Json | undefined, ...steps: (string | number)[]): JsonObject {
  const found = at(value, ...steps)
  if (!isObject(found)) throw new Error(`no object at ${steps.join('.')}: ${JSON.stringify(value)?.slice(0, 500)}`)
  return found
}

export function idOf(value: Json | undefined): string {
  return textAt(value, 'id')
}

export function resultsOf(body: JsonObject): JsonObject[] {
  const results = body['results']
  if (!Array.isArray(results)) throw new Error(`no list: ${JSON.stringify(body).slice(0, 500)}`)
  return results.filter(isObject)
}
