/** Bundles, lints and shows the contract after each change, in one round at a time. */

import { sourcesOf } from '../docs/sources.ts'
import { readWithFaults } from '../generate/contract.ts'
import { Linter, problemsIn } from '../lint/linter.ts'
import { report } from '../lint/report.ts'
import type { LiveSite } from './site.ts'

/** Milliseconds without a change before work begins: editors and git save in several steps. */
const QUIET_MS = 60

export interface RoundParts {
  readonly root: string
  readonly site: LiveSite
  say(text: string): void
  /** Called when the contract has been linted and the reference shows it. */
  shown(): void
  /** Called after `shown`. The contract could be read, but lint may have found faults. */
  read(): void
}

export class Rounds {
  readonly #parts: RoundParts
  #timer: NodeJS.Timeout | undefined
  #isWorking = false
  #hasChanged = false

  constructor(parts: RoundParts) {
    this.#parts = parts
  }

  /** Must be called when a file was saved. */
  changed(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.work(), QUIET_MS)
  }

  /** Runs a round. A change in the meantime starts another one after it. */
  async work(): Promise<void> {
    this.#hasChanged = true
    if (this.#isWorking) return
    this.#isWorking = true
    while (this.#hasChanged) {
      this.#hasChanged = false
      await this.#round()
    }
    this.#isWorking = false
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  async #round(): Promise<void> {
    const { root, site, say, read, shown } = this.#parts
    const started = performance.now()
    const time = (): string => `${new Date().toLocaleTimeString('en-GB')}  ${((performance.now() - started) / 1000).toFixed(1)} s`
    say('\nLinting …') // editors that list problems start a new list at this line
    try {
      const reading = await readWithFaults(root)
      const { contract, faults } = reading
      const linter = await Linter.load()
      say(`${report(await linter.problems(reading))}\n${time()}`)
      if (contract === undefined || faults.length > 0) return
      site.show(await sourcesOf(contract))
      shown()
      // Last, because it keeps the processor busy for seconds.
      read()
    } catch (error) {
      // No fault of the contract may end the loop, not even an unexpected error.
      say(`${report(problemsIn(error))}\n${time()}`)
    }
  }
}
