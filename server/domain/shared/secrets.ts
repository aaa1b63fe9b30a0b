import { random } from '../../kernel/random.ts'

/** The prefixes show the purpose of a secret. Clients must not depend on them. */
type SecretPrefix = 'itk' | 'oat' | 'ort' | 'pat' | 'cs' | 'code' | 'link' | 'session' | 'device'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 44

/** The prefix and 44 random letters and digits: 261 bits. */
export function newSecret(prefix: SecretPrefix): string {
  return `${prefix}_${randomBase62(RANDOM_LENGTH)}`
}

/** Random letters and digits with nearly 6 bits each. */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => BASE62[random.int(BASE62.length)]).join('')
}
