import { newestRelease, operations } from '../../../generated/operations.ts'
import type { JournalEntry } from './journal_entry.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'

/** An example in the form of the contract. */
export interface JournalExample {
  readonly summary: string
  readonly value: Readonly<Record<string, unknown>>
}

/**
 * Examples of a journal, by their file names: for each operation, the first performed request with its response, and the first of each
 * error. Requests of older versions are left out.
 */
export function examplesOf(entries: readonly JournalEntry[]): Readonly<Record<string, JournalExample>> {
  const examples: Record<string, JournalExample> = {}
  for (const { operation, method, path, headers, body, response, refusal } of entries) {
    const isNewest = (headers['service-version'] ?? newestRelease) === newestRelease
    if (!Object.hasOwn(operations, operation) || !isNewest || !isObject(response.body)) continue
    const name = `${pascal(operation)}Recorded${refusal ? pascal(refusal.code) : ''}`
    if (name in examples) continue
    const summary = `${method} ${path}, ${response.status ?? 'no response'}${refusal ? ` ${refusal.code}` : ''}`
    examples[name] = { summary, value: response.body }
    if (isObject(body) && !refusal) examples[`${name}Request`] = { summary: `${method} ${path}`, value: body }
  }
  return examples
}

/** `createPage` and `object_not_found` as parts of a name. */
function pascal(words: string): string {
  return words.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}
