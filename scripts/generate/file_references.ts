/** What in a file of the contract refers to other files. */

import { isObject } from '../../server/kernel/is_object.ts'

interface FileReference {
  readonly keys: readonly string[]
  readonly text: string
}

/** All that a bundler may take for a reference, in order. */
export function fileReferences(value: unknown, keys: readonly string[] = []): FileReference[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => fileReferences(item, [...keys, String(index)]))
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, item]): FileReference[] => {
    const path = [...keys, key]
    if (typeof item !== 'string') return fileReferences(item, path)
    const isReference = key.startsWith('$') || ['externalValue', 'defaultMapping'].includes(key) || keys.at(-1) === 'mapping'
    return isReference ? [{ keys: path, text: item }] : []
  })
}

/** Whether two states of a file have the same references in the same places. */
export function referToTheSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(fileReferences(one)) === JSON.stringify(fileReferences(other))
}
