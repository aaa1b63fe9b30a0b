/** Bundles, lints and shows the contract after each change, in one round at a time. */

import { sourcesOf } from '../docs/sources.ts'
import { readWithFaults } from '../generate/contract.ts'
import { ContractFiles } from '../generate/files.ts'
import { ProjectRules } from '../lint/project_rules.ts'
import { Linter } from '../lint/linter.ts'
import { report } from '../lint/report.ts'
import type { LiveSite } from './site.ts'

/** Milliseconds without a change before work begins: editors and git save in several steps. */
const QUIET_MS = 60

/** How often a save is rehearsed, of one file of how many. */
const WARM_UP_ROUNDS = 3
const WARM_UP_STEP = 50

export interface RoundParts {
  readonly root: string
  readonly linter: Linter
  readonly site: LiveSite
  say(text: string): void
  /** Called when the contract has been linted and the reference shows it. */
  shown(): void
  /** Called after that: the contract has no faults but what lint may have found. */
  read(): void
}

export class Rounds {
  readonly #parts: RoundParts
  readonly #files = new ContractFiles()
  #timer: NodeJS.Timeout | undefined
  #isWorking = false
  #hasChanged = false

  constructor(parts: RoundParts) {
    this.#parts = parts
  }

  /** To be called when a file was saved. */
  changed(file: string): void {
    if (/rules\/.*\.js$/.test(file)) void this.#reloadRules()
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

  /**
   * Goes through rounds in which some files seem to have changed, without a word, so that the first save finds the code compiled and what has
   * been read in order.
   */
  async warmUp(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    try {
      for (let round = 0; round < WARM_UP_ROUNDS && !this.#hasChanged; round += 1) await this.#rehearse()
    } catch {} // the round before has told what is wrong
    this.#isWorking = false
    if (this.#hasChanged) await this.work()
  }

  async #rehearse(): Promise<void> {
    const { root, linter, site } = this.#parts
    this.#files.forgetOneOf(WARM_UP_STEP)
    const reading = await readWithFaults(root, this.#files)
    await linter.problems(reading)
    if (reading.contract === undefined || reading.faults.length > 0) return
    site.show(await sourcesOf(reading.contract))
    await site.file('/index.html')
  }

  end(): void {
    clearTimeout(this.#timer)
  }

  async #round(): Promise<void> {
    const { root, linter, site, say, read, shown } = this.#parts
    const started = performance.now()
    const time = (): string => `${new Date().toLocaleTimeString('en-GB')}  ${((performance.now() - started) / 1000).toFixed(1)} s`
    say('\nLinting …') // lets editors that list problems start a new list
    this.#files.forgetChanged()
    try {
      const reading = await readWithFaults(root, this.#files)
      const { contract, faults } = reading
      say(`${report(await linter.problems(reading))}\n${time()}`)
      if (contract === undefined || faults.length > 0) return
      site.show(await sourcesOf(contract))
      shown()
      // Last, since it keeps the processor busy for seconds, while somebody waits for the others.
      read()
    } catch (error) {
      // No fault of the contract may end the loop, not even an unexpected error.
      const problems = await linter.problemsOfFiles(root, this.#files, error)
      say(`${report(problems)}\n${time()}`)
    }
  }

  async #reloadRules(): Promise<void> {
    try {
      this.#parts.linter.useRules(await ProjectRules.load())
      await this.work()
    } catch (error) {
      this.#parts.say(`\nThe rules cannot be loaded: ${String(error)}`)
    }
  }
}
