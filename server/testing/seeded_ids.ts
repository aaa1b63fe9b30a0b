import { AsyncLocalStorage } from 'node:async_hooks'
import { hash, randomUUID } from 'node:crypto'
import { makeIdsBy } from '../kernel/ids.ts'

/** The sequence of ids of the current asynchronous context, as servers with and without a seed may share a process. */
const current = new AsyncLocalStorage<() => string>()
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/

/**
 * Makes ids the same in each run, for the same requests in the same order. Each request and each call of the test kit has a sequence of
 * its own, so that concurrent work does not change its ids.
 */
export class SeededIds {
  readonly #seed: string
  /** The number of sequences that have begun. */
  begun = 0

  constructor(seed: string) {
    this.#seed = seed
    makeIdsBy(() => (current.getStore() ?? randomUUID)())
  }

  /** Runs work with a new sequence of ids. */
  run<T>(work: () => T): T {
    const start = `${this.#seed} ${(this.begun += 1)}`
    let count = 0
    return current.run(() => uuidOf(`${start} ${(count += 1)}`), work)
  }
}

function uuidOf(text: string): string {
  return hash('sha256', text).replace(UUID, '$1-$2-4$3-a$4-$5').slice(0, 36)
}
