import { isObject } from '../harness/json.ts'

/**
 * In what an answer is not like an example: keys that it lacks, and values of other kinds. What stands in lists and maps is not compared:
 * the workspace of an example holds other things than the demo workspace.
 */
export function unlike(example: unknown, answer: unknown, place = ''): string[] {
  if (!isObject(example))
    return kindOf(example) === kindOf(answer) || example === null || answer === null ? [] : [`${place} is ${kindOf(answer)}`]
  if (!isObject(answer)) return answer === null ? [] : [`${place} is ${kindOf(answer)}`]
  // Of two kinds of parents or owners, each has keys of its own.
  if ('type' in example && example['type'] !== answer['type']) return []
  return Object.entries(example).flatMap(([key, value]) => {
    const inner = `${place}.${key}`
    if (!(key in answer)) return [`${inner} is missing`]
    return key === 'properties' ? [] : unlike(value, answer[key], inner)
  })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : typeof value
}
