import { createCipheriv, createDecipheriv, hash } from 'node:crypto'
import { isSameDigest } from '../../../kernel/is_same_digest.ts'
import { random } from '../../../kernel/random.ts'
import type { Connection, Transaction } from '../../../store/database.ts'
import { instanceValue, ensureInstanceValue } from '../../../store/instance.ts'
import { randomBase62 } from '../../shared/index.ts'

const RANDOM_LENGTH = 43
const KEY_NAME = 'webhook token key'
const KEY_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

/** A verification token of 256 bits, which is also the key of the signatures of a subscription. */
export function newVerificationToken(): string {
  return `secret_${randomBase62(RANDOM_LENGTH)}`
}

/**
 * Encrypts a token for its row. Signatures need the token itself, but the row alone must not reveal it.
 * @param subscriptionId the row, the only one in which the token can be decrypted
 */
export async function sealToken(db: Transaction, subscriptionId: string, token: string): Promise<Uint8Array> {
  const key = await ensureInstanceValue(db, KEY_NAME, random.bytes(KEY_BYTES).toString('base64'))
  const iv = random.bytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), iv).setAAD(Buffer.from(subscriptionId))
  const sealed = Buffer.concat([cipher.update(token, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** @throws Error if `sealed` is not the result of `sealToken` */
export async function openToken(db: Connection, subscriptionId: string, sealed: Uint8Array): Promise<string> {
  const key = await instanceValue(db, KEY_NAME)
  if (key === undefined) throw new Error('the key of verification tokens is missing')
  const [iv, tag] = [sealed.subarray(0, IV_BYTES), sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)]
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), iv)
    .setAAD(Buffer.from(subscriptionId))
    .setAuthTag(tag)
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8')
}

/**
 * A digest of the key with which a database encrypts tokens, for comparing databases; undefined if no token has been encrypted
 * yet.
 */
export async function tokenKeyDigest(db: Connection): Promise<string | undefined> {
  const key = await instanceValue(db, KEY_NAME)
  return key === undefined ? undefined : hash('sha256', key)
}

/** Compares in constant time. */
export function isSameToken(token: string, offered: string): boolean {
  return isSameDigest(hash('sha256', token, 'buffer'), hash('sha256', offered, 'buffer'))
}
