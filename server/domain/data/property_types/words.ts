import { canonicalId } from '../../../kernel/ids.ts'

const PARTS_MAX = 100

/** The distinct comma-separated parts of a text. */
export function commaSeparated(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '').slice(0, PARTS_MAX)
}

/** The key under which a user is found: the canonical id or the email address, in lower case. */
export function userKey(text: string): string {
  const id = /^[0-9a-f-]{32,36}$/i.test(text) && text.replaceAll('-', '').length === 32 ? canonicalId(text) : undefined
  return id ?? text.toLowerCase()
}
