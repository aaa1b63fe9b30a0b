/** Faults of the contract, gathered, so that whoever writes it hears of all of them at once. */

/** What is wrong with the contract: one line for each fault. */
export class ContractFaults extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    const all = [...new Set(faults)]
    super(all.join('\n'))
    this.name = 'ContractFaults'
    this.faults = all
  }
}

/** The faults that something thrown stands for. */
export function faultsIn(thrown: unknown): readonly string[] {
  if (thrown instanceof ContractFaults) return thrown.faults
  return [thrown instanceof Error ? thrown.message : String(thrown)]
}

/**
 * Does something with each item, although some throw.
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
