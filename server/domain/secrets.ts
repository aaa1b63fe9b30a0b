import { randomInt } from 'node:crypto'

/** What a secret is for, as its first letters say. No one may depend on them. */
export type SecretPrefix = 'itk' | 'oat' | 'ort' | 'pat' | 'cs' | 'code' | 'link' | 'session' | 'device'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 44

/** The prefix and 44 random letters and digits: 261 bits. */
export function newSecret(prefix: SecretPrefix): string {
  return `${prefix}_${Array.from({ length: RANDOM_LENGTH }, () => BASE62[randomInt(BASE62.length)]).join('')}`
}
