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

export interface RoundParts {
  readonly root: string
  readonly linter: Linter
  readonly site: LiveSite
  say(text: string): void
  /** Called when the contract has been read, and has no faults but what lint may find. */
  read(): void
  /** Called when the contract has been linted and the reference shows it. */
  shown(): void
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
      if (contract !== undefined && faults.length === 0) read()
      say(`${report(await linter.problems(reading))}\n${time()}`)
      if (contract === undefined || faults.length > 0) return
      site.show(await sourcesOf(contract))
      shown()
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
