/** Collects faults of the contract, so that authors see all of them at once. */

export class ContractFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const all = [...new Set(faults)]
    super(all.join('\n'))
    this.name = 'ContractFaults'
    this.faults = all
  }
}

export function faultsIn(thrown: unknown): readonly string[] {
  if (thrown instanceof ContractFaults) return thrown.faults
  return [thrown instanceof Error ? thrown.message : String(thrown)]
}

/** The file that a fault names; undefined if it names none. */
export function fileOf(fault: string): string | undefined {
  return /^(\S+?)(?::\d+:\d+)? {2}/.exec(fault)?.[1]
}

/** Collects the errors of several tasks. Each task runs even if earlier ones have failed. */
export class CollectedFaults {
  readonly #faults: string[]

  constructor(faults: readonly string[] = []) {
    this.#faults = [...faults]
  }

  get all(): readonly string[] {
    return [...new Set(this.#faults)]
  }

  add(...faults: readonly string[]): void {
    this.#faults.push(...faults)
  }

  /** The result of the work; undefined if it throws. */
  attempt<T>(work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      this.add(...faultsIn(error))
      return undefined
    }
  }

  /** The result of a promise; undefined if it rejects. */
  async result<T>(work: Promise<T>): Promise<T | undefined> {
    try {
      return await work
    } catch (error) {
      this.add(...faultsIn(error))
      return undefined
    }
  }

  /** @throws ContractFaults with all faults, if there are any */
  throwAny(): void {
    if (this.#faults.length > 0) throw new ContractFaults(this.#faults)
  }
}

/**
 * Runs a function on each item, even after some calls have thrown.
 * @throws ContractFaults with the faults of all calls
 */
export function forEachItem<T, U>(items: Iterable<T>, work: (item: T) => U): U[] {
  const results: U[] = []
  const faults = new CollectedFaults()
  for (const item of items) faults.attempt(() => results.push(work(item)))
  faults.throwAny()
  return results
}
