import { randomBytes, randomInt, randomUUID } from 'node:crypto'

/** The source of randomness for ids, keys, secrets and jitter. */
export interface RandomSource {
  /** A UUIDv4, lower case, with dashes. */
  uuid(): string
  bytes(size: number): Buffer
  /** A whole number from 0 up to, but not including, the maximum. */
  int(max: number): number
}

export const systemRandom: RandomSource = { uuid: randomUUID, bytes: randomBytes, int: (max) => randomInt(max) }

let current: () => RandomSource = () => systemRandom

/**
 * Replaces the source in this process. Only the test kit calls this. No setting can, so that the keys of a service are never predictable.
 */
export function drawRandomFrom(source: () => RandomSource): void {
  current = source
}

export const random: RandomSource = {
  uuid: () => current().uuid(),
  bytes: (size) => current().bytes(size),
  int: (max) => current().int(max),
}

/** A number from 0 up to, but not including, 1. */
export function randomFraction(): number {
  return random.int(FRACTIONS) / FRACTIONS
}

const FRACTIONS = 2 ** 32
