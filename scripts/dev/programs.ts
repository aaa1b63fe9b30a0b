/** The processes of `npm run dev`: the mock, the service and the generator. */

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { projectRoot } from '../generate/files.ts'

/** A program that keeps running. Its output is shown, each line after its name. */
export class Program {
  readonly #name: string
  readonly #command: readonly string[]
  readonly #settings: Readonly<Record<string, string>>
  #process: ChildProcess | undefined

  /** @param command the script and its options @param settings added to the environment of this process */
  constructor(name: string, command: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    this.#name = name
    this.#command = command
    this.#settings = settings
  }

  async restart(): Promise<void> {
    await this.end()
    const started = spawn(process.execPath, this.#command, {
      cwd: projectRoot,
      env: { ...process.env, ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#process = started
    for (const stream of [started.stdout, started.stderr])
      stream
        .setEncoding('utf8')
        .on('data', (text: string) => process.stdout.write(text.replaceAll(/^(?=.)/gm, `[${this.#name}] `)))
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

/** Runs the generator in a separate process, which is ended when a newer run begins. */
export class Generation {
  readonly #root: string
  readonly #out: string
  #process: ChildProcess | undefined

  constructor(root: string, out: string) {
    this.#root = root
    this.#out = out
  }

  /** Runs the generator. @returns its last line and whether it has written anything; undefined if it was ended */
  async run(): Promise<{ words: string; written: boolean } | undefined> {
    this.end()
    const command = [join(projectRoot, 'scripts/generate.ts'), '--root', this.#root, '--out', this.#out, '--no-lint']
    const running = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = running
    let words = ''
    let faults = ''
    running.stdout.setEncoding('utf8').on('data', (text: string) => (words += text))
    running.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
    const code = await new Promise<number | null>((done) => running.once('close', done))
    if (code === null) return undefined
    return {
      words: faults.trim() || (words.trim().split('\n').at(-1) ?? ''),
      written: code === 0 && !/ 0 of \d+ files/.test(words),
    }
  }

  end(): void {
    this.#process?.kill()
    this.#process = undefined
  }
}
