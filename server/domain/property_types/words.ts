import { canonicalId } from '../../kernel/ids.ts'

const PARTS_MAX = 100

/** The different parts of a text between commas. */
export function commaSeparated(text: string): string[] {
  return [...new Set(text.split(',').map((part) => part.trim()))].filter((part) => part !== '').slice(0, PARTS_MAX)
}

/** How a user is looked up: by id in its stored form, or by e-mail address. */
export function userKey(text: string): string {
  const id = /^[0-9a-f-]{32,36}$/i.test(text) && text.replaceAll('-', '').length === 32 ? canonicalId(text) : undefined
  return id ?? text.toLowerCase()
}
