import { timingSafeEqual } from 'node:crypto'

/**
 * Whether two digests or signatures are the same, in a time that says nothing of where they differ: whatever a caller offers as a proof
 * is compared here and nowhere else.
 */
export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
