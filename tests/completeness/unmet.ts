import { JSON_BODY_BYTES_MAX } from '../../server/http/json_body_limit.ts'
import type { Limit } from './values.ts'

// If you are here because a word or a limit seems impossible to meet: a rule says which, and why no request can.

/** Why no test can meet a word of an enumeration there; undefined where one can. */
export function wordUnmetBecause(direction: 'request' | 'answer', name: string, word: string): string | undefined {
  return words.find((rule) => rule.direction === direction && rule.name === name && rule.words.includes(word))?.why
}

/** Why no test can go one beyond a limit there; undefined where one can. */
export function limitUnmetBecause(_name: string, { keyword, value }: Limit): string | undefined {
  return keyword === 'maxLength' && value >= JSON_BODY_BYTES_MAX ? 'the whole body is too long before the text is' : undefined
}

const words: readonly { direction: 'request' | 'answer'; name: string; words: readonly string[]; why: string }[] = []
