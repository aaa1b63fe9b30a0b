import { timingSafeEqual } from 'node:crypto'

/**
 * Whether two digests or signatures are the same, in a time that does not reveal where they differ. All comparisons of proofs offered by
 * callers happen here.
 */
export function isSameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
