import type { JournalEntry } from './journal_entry.ts'

/**
 * The expected content of a request and its response. Objects must have the given keys and may have others; a regular expression matches
 * text; asymmetric matchers of vitest and jest, such as `expect.any(String)`, can be used anywhere.
 */
export interface ReceivedExpectation {
  readonly path?: string | RegExp
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly status?: number
  /** The error code of its refusal. */
  readonly code?: string
  readonly response?: unknown
}

/** Whether an entry matches an expectation. */
export function isReceived(entry: JournalEntry, expectation: ReceivedExpectation): boolean {
  const { response, refusal } = entry
  const found = { ...entry, status: response.status, code: refusal?.code, response: response.body }
  return isLike(found, expectation)
}

interface Matcher {
  asymmetricMatch(value: unknown): boolean
}

/** Whether a value matches another one, as in `ReceivedExpectation`. */
export function isLike(found: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return typeof found === 'string' && expected.test(found)
  if (typeof expected !== 'object' || expected === null) return Object.is(found, expected)
  if (isMatcher(expected)) return expected.asymmetricMatch(found)
  if (typeof found !== 'object' || found === null) return false
  if (Array.isArray(expected))
    return Array.isArray(found) && found.length === expected.length && expected.every((item, index) => isLike(found[index], item))
  const keys = found as Readonly<Record<string, unknown>>
  return Object.entries(expected).every(([key, value]) => isLike(keys[key], value))
}

function isMatcher(value: object): value is Matcher {
  return 'asymmetricMatch' in value && typeof value.asymmetricMatch === 'function'
}
