/** Collects faults of the contract, so that authors see all of them at once. */

/** The faults of the contract, one line each. */
export class ContractFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const all = [...new Set(faults)]
    super(all.join('\n'))
    this.name = 'ContractFaults'
    this.faults = all
  }
}

/** The faults in a thrown value. */
export function faultsIn(thrown: unknown): readonly string[] {
  if (thrown instanceof ContractFaults) return thrown.faults
  return [thrown instanceof Error ? thrown.message : String(thrown)]
}

/**
 * Runs a function on each item, even after some have thrown.
 * @throws ContractFaults with what all of them have thrown
 */
export function forEachItem<T, U>(items: Iterable<T>, work: (item: T) => U): U[] {
  const results: U[] = []
  const faults: string[] = []
  for (const item of items) {
    try {
      results.push(work(item))
    } catch (error) {
      faults.push(...faultsIn(error))
    }
  }
  if (faults.length > 0) throw new ContractFaults(faults)
  return results
}
