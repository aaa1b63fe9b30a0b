import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash, hash } from 'node:crypto'
import { drawRandomFrom, systemRandom, type RandomSource } from '@workspace-service/server/kernel/random.ts'

/** The sequence of the current asynchronous context: servers with and without a seed may share a process. */
const current = new AsyncLocalStorage<RandomSource>()
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/
const INT_BYTES = 6

/**
 * Makes ids, keys and secrets the same in each run, for the same requests in the same order. Each request, each call of the test kit and
 * each attempt of a job has a sequence of its own, so that concurrent work does not change its numbers.
 */
export class SeededRandom {
  readonly #seed: string
  #begun = new Map<string, number>()

  constructor(seed: string) {
    this.#seed = seed
    drawRandomFrom(() => current.getStore() ?? systemRandom)
  }

  /** How many sequences have begun, by name. */
  get begun(): ReadonlyMap<string, number> {
    return new Map(this.#begun)
  }

  restore(begun: ReadonlyMap<string, number>): void {
    this.#begun = new Map(begun)
  }

  /** Runs work with the next sequence of a name. */
  run<T>(work: () => T, name = ''): T {
    const number = (this.#begun.get(name) ?? 0) + 1
    this.#begun.set(name, number)
    return current.run(sequenceOf(`${this.#seed} ${name} ${number}`), work)
  }
}

/** The random numbers that a text determines. */
export function sequenceOf(start: string): RandomSource {
  let count = 0
  const next = (): string => `${start} ${(count += 1)}`
  const bytes = (size: number): Buffer => createHash('shake256', { outputLength: size }).update(next()).digest()
  return {
    uuid: () => uuidOf(next()),
    bytes,
    int: (max) => bytes(INT_BYTES).readUIntBE(0, INT_BYTES) % max,
  }
}

function uuidOf(text: string): string {
  return hash('sha256', text).replace(UUID, '$1-$2-4$3-a$4-$5').slice(0, 36)
}
