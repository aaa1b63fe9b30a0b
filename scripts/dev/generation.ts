/** Makes `generated/` after each save by `npm run generate`: first what the mock and the service start with, then the rest. */

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { nameOf, projectRoot } from '../generate/files.ts'
import { COMPILED } from './programs.ts'

export interface GenerationParts {
  readonly root: string
  readonly out: string
  say(text: string): void
  /** Called when the files that the mock and the service start with have changed, and the first time in any case. */
  restart(): Promise<void>
}

export class Generation {
  readonly #parts: GenerationParts
  #process: ChildProcess | undefined
  #working = Promise.resolve()
  /** Counts the saves: work for an earlier one ends. */
  #saves = 0
  #areRunning = false

  constructor(parts: GenerationParts) {
    this.#parts = parts
  }

  /** Generates from what is on disk now. */
  begin(): void {
    const save = this.#endWork()
    this.#working = this.#working.then(() => this.#make(() => save === this.#saves))
  }

  async end(): Promise<void> {
    this.#endWork()
    await this.#working
  }

  #endWork(): number {
    this.#process?.kill()
    return (this.#saves += 1)
  }

  async #make(isWanted: () => boolean): Promise<void> {
    const { out, say } = this.#parts
    const first = isWanted() ? await this.#generate(['--for-programs'], isWanted) : undefined
    if (first === undefined) return
    if (first > 0 || !this.#areRunning) await this.#restart()
    const others = isWanted() ? await this.#generate([], isWanted) : undefined
    if (others === undefined) {
      if (first > 0)
        say(`${nameOf(out)} has what the mock and the service need; the rest is older. \`npm run generate\` makes all of it.`)
      return
    }
    say(`${first + others} files have changed in ${nameOf(out)}`)
    // Files that they read when they are asked for them, and then keep.
    if (first === 0 && others > 0) await this.#restart()
  }

  async #restart(): Promise<void> {
    this.#areRunning = true
    await this.#parts.restart()
  }

  /** @returns how many files have changed; undefined if the contract has faults, which are said, or the work is not wanted any more */
  async #generate(options: readonly string[], isWanted: () => boolean): Promise<number | undefined> {
    const { root, out, say } = this.#parts
    const command = [join(projectRoot, 'scripts/generate.ts'), '--root', root, '--out', out, '--no-lint', ...options]
    const started = spawn(process.execPath, command, { env: { NODE_COMPILE_CACHE: COMPILED, ...process.env } })
    this.#process = started
    let output = ''
    for (const stream of [started.stdout, started.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    await new Promise((done) => started.once('close', done))
    this.#process = undefined
    if (!isWanted()) return undefined
    const [, count] = /(\d+) of \d+ files have changed/.exec(output) ?? []
    if (count === undefined) say(output)
    return count === undefined ? undefined : Number(count)
  }
}
