import { spawn, type ChildProcess } from 'node:child_process'
import { delimiter } from 'node:path'
import type { Runtime } from './releases.ts'

/** More than a busy machine needs. */
const TIMEOUT_MS = 180_000

/** The exit of a command, and its output. */
export interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** A command that runs on a given Node.js. */
export class Command {
  readonly #child: ChildProcess
  readonly ended: Promise<Ended>
  #output = ''
  #errors = ''

  constructor(
    runtime: Runtime,
    cwd: string,
    [name = '', ...words]: readonly string[],
    settings: Readonly<Record<string, string>> = {},
  ) {
    const path = [runtime.bin, process.env['PATH']].join(delimiter)
    // Without the rest of this environment, as in a user's shell.
    const env = { PATH: path, HOME: process.env['HOME'], ...settings }
    this.#child = spawn(name, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, killSignal: 'SIGKILL' })
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.#output += chunk.toString()))
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()))
    this.ended = new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      // Waits for all processes that write to the output.
      this.#child.once('close', (code) => resolve({ code, output: this.#output, errors: this.#errors }))
    })
  }

  /**
   * Waits for a line.
   * @returns the matched group of the pattern
   * @throws Error with the output, if the command ends first
   */
  find(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.#output)?.[1]
        if (found !== undefined) resolve(found)
      }
      this.#child.stdout?.on('data', look)
      look()
      void this.ended.then(
        ({ output, errors }) => reject(new Error(`it ended before it had started:\n${output}${errors}`)),
        reject,
      )
    })
  }

  terminate(): void {
    this.#child.kill('SIGTERM')
  }
}

/**
 * Runs a command.
 * @returns its output
 * @throws Error with the output, unless the exit code is 0
 */
export async function run(runtime: Runtime, cwd: string, words: readonly string[]): Promise<string> {
  const { code, output, errors } = await new Command(runtime, cwd, words).ended
  if (code !== 0) throw new Error(`"${words.join(' ')}" ended with ${code}:\n${output}${errors}`)
  return output
}
