import { randomBytes } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import { random } from '../../kernel/random.ts'
import { argon2id } from './argon2id.ts'

const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 } // KiB: the first choice for Argon2id in the OWASP cheat sheet
const SALT_BYTES = 16
const TAG_BYTES = 32
const PASSWORD_BYTES_MAX = 1024
const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22,86})\$([A-Za-z0-9+/]{22,86})$/

/**
 * Hashes with Argon2id, in the PHC string format, which includes the salt and the cost parameters, so that they can be raised
 * later.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = random.bytes(SALT_BYTES)
  const tag = await tagOf(password, salt, PARAMETERS, TAG_BYTES)
  return `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${plain64(salt)}$${plain64(tag)}`
}

/** The hash that is checked for accounts without a password and for unknown accounts, so that the response time reveals nothing. */
const NOBODY = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${plain64(randomBytes(SALT_BYTES))}$${plain64(randomBytes(TAG_BYTES))}`

/** @param stored the result of `hashPassword`; null or undefined for an account without a password */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const [, memory = '', passes = '', parallelism = '', salt = '', tag = ''] = PHC.exec(stored ?? NOBODY) ?? PHC.exec(NOBODY) ?? []
  const expected = Buffer.from(tag, 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await tagOf(password, Buffer.from(salt, 'base64'), cost, expected.length)
  return isSameDigest(actual, expected) && typeof stored === 'string'
}

function tagOf(password: string, nonce: Buffer, cost: typeof PARAMETERS, tagLength: number): Promise<Buffer> {
  const message = Buffer.from(password.normalize('NFKC'), 'utf8').subarray(0, PASSWORD_BYTES_MAX)
  return argon2id({ message, nonce, tagLength, ...cost })
}

function plain64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/={1,2}$/, '')
}
