/** Replaces texts of descriptions, as a step requires. */

import { isObject } from '../../../server/kernel/is_object.ts'

/** Descriptions of the previous release: replacements by text. Line breaks count as spaces. */
export type WordChanges = Readonly<Record<string, string>>

/**
 * A part of a contract with texts replaced in all its descriptions.
 * @throws Error with a text that no description contains
 */
export function reworded<T extends object>(part: T, words: WordChanges): T {
  return Object.entries(words).reduce<T>((result, [newer, older]) => {
    const replacement = { pattern: patternOf(newer), older, isFound: false }
    const changed = withWords(result, replacement) as T
    if (!replacement.isFound) throw new Error(`no description says “${newer}”`)
    return changed
  }, part)
}

interface Replacement {
  readonly pattern: RegExp
  readonly older: string
  isFound: boolean
}

function patternOf(text: string): RegExp {
  const escaped = text.trim().replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(escaped.replaceAll(/\s+/g, String.raw`\s+`), 'g')
}

function withWords(value: unknown, replacement: Replacement): unknown {
  if (Array.isArray(value)) return value.map((item) => withWords(item, replacement))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'description' && typeof inner === 'string' ? replaced(inner, replacement) : withWords(inner, replacement),
    ]),
  )
}

function replaced(text: string, replacement: Replacement): string {
  const result = text.replaceAll(replacement.pattern, () => replacement.older)
  if (result !== text) replacement.isFound = true
  return result
}
