import { afterAll, expect } from 'vitest'
import type { StretchMeter, Stretches } from '../../harness/stretches.ts'

/**
 * No work blocks requests for much longer than 50 ms on an idle machine, regardless of its content. The test measures processor time of the
 * thread, the minimum of several attempts, because garbage collection and compilation come at any time. It allows three times as much: work
 * takes more processor time while others use the same caches, and the speed of one machine differed by a third from day to day.
 */
const STRETCH_MS_MAX = 150
/** Maximum processor time of all stretches during an open write transaction. */
const TRANSACTION_MS_MAX = 1_500
const ATTEMPTS_MAX = 10
/** The number of worst results to print. */
const PRINTED = 15

/** @param prepare creates the data of the work, which is not measured */
type RequireShort = (name: string, prepare: () => Promise<() => Promise<unknown>>) => Promise<void>

/**
 * Checks how long work blocks requests, and prints the longest after the tests of the file.
 * @param kind of the work, in the plural
 */
export function shortStretches(meter: StretchMeter, kind: string): RequireShort {
  const measured: (Stretches & { readonly name: string })[] = []
  afterAll(() => {
    const worst = measured.toSorted((one, other) => other.longest - one.longest).slice(0, PRINTED)
    const rows = worst.map(
      ({ name, longest, inTransaction }) =>
        `${longest.toFixed(0).padStart(6)} ms, ${inTransaction.toFixed(0).padStart(6)} ms in a transaction: ${name}`,
    )
    console.log(`Longest stretches of ${measured.length} ${kind}:\n${rows.join('\n')}`)
  })
  return async (name, prepare) => {
    let [longest, inTransaction] = [Infinity, Infinity]
    const isLong = (): boolean => longest > STRETCH_MS_MAX || inTransaction > TRANSACTION_MS_MAX
    for (let attempt = 0; attempt < ATTEMPTS_MAX && isLong(); attempt += 1) {
      const work = await prepare()
      const found = await meter.of(async () => void (await work()))
      longest = Math.min(longest, found.longest)
      inTransaction = Math.min(inTransaction, found.inTransaction)
    }
    measured.push({ name, longest, inTransaction })
    expect.soft(longest, name).toBeLessThanOrEqual(STRETCH_MS_MAX)
    expect.soft(inTransaction, `${name}, in a transaction`).toBeLessThanOrEqual(TRANSACTION_MS_MAX)
  }
}
