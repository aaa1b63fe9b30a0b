import { AsyncLocalStorage } from 'node:async_hooks'
import { hash, randomUUID } from 'node:crypto'
import { makeIdsBy } from '../kernel/ids.ts'

/** Ids of what runs at the moment; servers with a seed and others may share a process. */
const current = new AsyncLocalStorage<() => string>()
const UUID = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/

/**
 * The same ids in each run, for the same requests in the same order: each request and each step of the kit has a sequence of its own, so
 * that what goes on meanwhile takes no ids from it.
 */
export class SeededIds {
  readonly #seed: string
  /** How many sequences have begun. */
  begun = 0

  constructor(seed: string) {
    this.#seed = seed
    makeIdsBy(() => (current.getStore() ?? randomUUID)())
  }

  /** Carries something out with a sequence of its own. */
  run<T>(work: () => T): T {
    const start = `${this.#seed} ${(this.begun += 1)}`
    let count = 0
    return current.run(() => uuidOf(`${start} ${(count += 1)}`), work)
  }
}

function uuidOf(text: string): string {
  return hash('sha256', text).replace(UUID, '$1-$2-4$3-a$4-$5').slice(0, 36)
}
