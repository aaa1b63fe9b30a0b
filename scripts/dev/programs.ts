/** The processes of `npm run dev`: the mock and the service. */

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'

/** The compile cache for later starts; the service uses the same folder. */
export const COMPILED = join(projectRoot, 'node_modules/.cache/workspace-service')

/** The longest line of output that is kept, because a line may arrive in chunks. */
const LINE_LENGTH = 1_000

/** A long-running program. Its output is shown, each line prefixed with its name. */
export class Program {
  readonly #name: string
  readonly #command: readonly string[]
  readonly #ready: RegExp
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined

  /**
   * @param command the script and its options
   * @param ready output that signals readiness
   * @param settings added to the environment of this process
   */
  constructor(name: string, command: readonly string[], ready: RegExp, settings: Readonly<Record<string, string>> = {}) {
    this.#name = name
    this.#command = command
    this.#ready = ready
    this.#settings = settings
  }

  /** Resolves when the program is ready, or has ended. */
  async restart(): Promise<void> {
    await this.end()
    const started = spawn(process.execPath, this.#command, {
      cwd: projectRoot,
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = started
    await new Promise<void>((done) => {
      let unfinishedLine = ''
      started.once('exit', () => done())
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          process.stdout.write(text.replaceAll(/^(?=.)/gm, `[${this.#name}] `))
          unfinishedLine = `${unfinishedLine}${text}`.slice(-LINE_LENGTH)
          if (this.#ready.test(unfinishedLine)) done()
        })
    })
  }

  async end(): Promise<void> {
    const ending = this.#process
    this.#process = undefined
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = new Promise((done) => ending.once('exit', done))
    ending.kill()
    await ended
  }
}
