import { isObject } from '../harness/json.ts'

/**
 * Differences between a response and an example: missing keys, and values of other kinds. Content of lists and maps is not compared,
 * because the demo workspace has different content.
 */
export function differencesOf(example: unknown, response: unknown, location = ''): string[] {
  if (!isObject(example))
    return kindOf(example) === kindOf(response) || example === null || response === null
      ? []
      : [`${location} is ${kindOf(response)}`]
  if (!isObject(response)) return response === null ? [] : [`${location} is ${kindOf(response)}`]
  // Kinds of parents or owners have different keys.
  if ('type' in example && example['type'] !== response['type']) return []
  return Object.entries(example).flatMap(([key, value]) => {
    const inner = `${location}.${key}`
    if (!(key in response)) return [`${inner} is missing`]
    return key === 'properties' ? [] : differencesOf(value, response[key], inner)
  })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value
}
