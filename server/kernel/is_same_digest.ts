import { timingSafeEqual } from 'node:crypto'

/**
 * Whether two digests or signatures are the same, in a time that does not reveal where they differ. Every comparison of a secret or
 * signature that a caller sends must use it.
 */
export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
