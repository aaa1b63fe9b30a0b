import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { figuresOf, type ProcessFigures } from './figures.ts'
import { freePort } from './ports.ts'

export const projectRoot = resolve(import.meta.dirname, '../..')

export interface Launch {
  /** Relative to `root`. */
  readonly script: string
  /** Whether the script is an executable that needs no runtime. */
  readonly isProgram?: boolean
  /** Folder of the project; by default this one. */
  readonly root?: string
  /** Options of the runtime. */
  readonly nodeOptions?: readonly string[]
  arguments?(port: number): readonly string[]
  environment?(port: number): Readonly<Record<string, string>>
  /** Returns a response as soon as the server is ready. */
  readonly readyPath: string
  /** Whether the response must be 200. */
  readonly readyStatus: 200 | 'any'
}

export interface Running {
  readonly url: string
  readonly pid: number
  /** From the start of the process to its first response. */
  readonly startMilliseconds: number
  figures(): ProcessFigures
  /** Ends the process by a signal, or by force if that takes too long. */
  stop(): Promise<void>
}

const POLL_MS = 4
const START_TIMEOUT_MS = 120_000
const STOP_TIMEOUT_MS = 15_000
const OUTPUT_KEPT_MAX = 4_000

/** @throws Error with the output of the process if it ends or does not respond in time */
export async function launch(how: Launch): Promise<Running> {
  const port = await freePort()
  const startedAt = performance.now()
  const root = how.root ?? projectRoot
  const [program = '', ...options] = [
    ...(how.isProgram ? [] : [process.execPath, ...(how.nodeOptions ?? [])]),
    join(root, how.script),
  ]
  const child = spawn(program, [...options, ...(how.arguments?.(port) ?? [])], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...how.environment?.(port) },
  })
  const output = keepOutput(child)
  const killWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', killWithUs)
  child.once('exit', () => process.off('exit', killWithUs))
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url + how.readyPath, how.readyStatus))) {
    if (child.exitCode !== null || performance.now() - startedAt > START_TIMEOUT_MS) {
      child.kill('SIGKILL')
      throw new Error(`${how.script} did not get ready:\n${output()}`)
    }
    await new Promise((wait) => setTimeout(wait, POLL_MS))
  }
  const { pid } = child
  if (pid === undefined) throw new Error(`${how.script} did not start`)
  return { url, pid, startMilliseconds: performance.now() - startedAt, figures: () => figuresOf(pid), stop: () => stop(child) }
}

function keepOutput(child: ChildProcess): () => string {
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-OUTPUT_KEPT_MAX)))
  return () => output
}

function isReady(url: string, wanted: 200 | 'any'): Promise<boolean> {
  return new Promise((settle) => {
    const probe = request(url, { agent: false }, (response) => {
      response.resume()
      settle(wanted === 'any' || response.statusCode === wanted)
    })
    probe.on('error', () => settle(false))
    probe.end()
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
  await exited
  clearTimeout(timeout)
}
