/**
 * Updates `generated/` after each save by `npm run generate`: first the files that the mock and the service need to start, then the rest.
 */

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { nameOf, projectRoot } from '../generate/files.ts'
import { COMPILED } from './programs.ts'

export interface GenerationParts {
  readonly root: string
  readonly out: string
  say(text: string): void
  /** Called when files that the mock and the service need to start have changed, and after the first generation. */
  restart(): Promise<void>
}

export class Generation {
  readonly #parts: GenerationParts
  #process: ChildProcess | undefined
  #working = Promise.resolve()
  /** Counts the saves: each one cancels the work for earlier ones. */
  #saves = 0
  #areRunning = false

  constructor(parts: GenerationParts) {
    this.#parts = parts
  }

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
      if (first > 0) say(`${nameOf(out)} is current for the mock and the service only. \`npm run generate\` makes the rest.`)
      return
    }
    say(`${first + others} files have changed in ${nameOf(out)}`)
    // The running programs read and cache these files on demand.
    if (first === 0 && others > 0) await this.#restart()
  }

  async #restart(): Promise<void> {
    this.#areRunning = true
    await this.#parts.restart()
  }

  /** @returns the number of changed files; undefined if the contract has faults, which are printed, or the work was canceled */
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
