import { spawn, type ChildProcess } from 'node:child_process'
import { connect, createServer, type AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { Caller } from './caller.ts'
import { parseObject, type JsonObject } from './json.ts'
import { killsOften } from './kills.ts'
import { TOKEN } from './server.ts'
import { bundled } from './service_bundle.ts'

/** Long, because machines that run tests may be busy. */
const TIMEOUT_MS = killsOften ? 600_000 : 60_000
const ROOT = resolve(import.meta.dirname, '../..')
const SERVICE = 'server/main.js'
const LISTENING = /listens on (https?:\/\/\S+)/

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface ServiceProcess {
  readonly pid: number
  /** The standard output so far. */
  output(): string
  errors(): string
  /** The lines of its log. */
  log(): JsonObject[]
  kill(signal?: NodeJS.Signals): void
  readonly ended: Promise<Ended>
}

export interface RunningProcess extends ServiceProcess {
  readonly url: string
  readonly owner: Caller
}

const children = new Set<ChildProcess>()

/** Kills the processes that a test has left running. */
export function killChildren(): void {
  for (const child of children) child.kill('SIGKILL')
  children.clear()
}

/**
 * Starts a process, which is killed at the end of the test if it is still running.
 * @param script the path of the script from the root of the repository
 */
export function spawnProcess(
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): ServiceProcess {
  const child = spawnKept(script, args, settings, input)
  children.add(child.process)
  return child
}

/** The heap of a small machine: the service must not need more. */
const HEAP = '--max-old-space-size=512'

/** Like `spawnProcess`, for several tests: the caller must end it. */
function spawnKept(
  script: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  input = '',
): ServiceProcess & { readonly process: ChildProcess } {
  const child = spawn(process.execPath, [HEAP, resolve(ROOT, script), ...args], {
    // From the environment of the tests, the process only gets the variables that it needs.
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...settings },
  })
  let [output, errors] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const ended = new Promise<Ended>((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  return {
    process: child,
    pid: child.pid ?? 0,
    ended,
    output: () => output,
    errors: () => errors,
    log: () =>
      output
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map(parseObject),
    kill: (signal = 'SIGTERM') => void child.kill(signal),
  }
}

export function testSettings(settings: Readonly<Record<string, string>>): Record<string, string> {
  return { HOST: '127.0.0.1', PORT: '0', BOOTSTRAP_TOKEN: TOKEN, RATE_LIMIT: 'off', DATABASE_URL: 'sqlite::memory:', ...settings }
}

/** Starts the service without waiting for it. */
export function spawnService(settings: Readonly<Record<string, string>> = {}): ServiceProcess {
  return spawnProcess(SERVICE, [], testSettings(settings))
}

/** Starts the service and waits until it reports its address. */
export async function runService(settings: Readonly<Record<string, string>> = {}): Promise<RunningProcess> {
  return untilListening(spawnProcess(await bundled(SERVICE), [], testSettings(settings)))
}

/** Like `runService`, for all tests of a file, which must end it in `afterAll`. */
export async function keepService(settings: Readonly<Record<string, string>> = {}): Promise<RunningProcess> {
  return untilListening(spawnKept(await bundled(SERVICE), [], testSettings(settings)))
}

/** Waits until a process reports its address. */
export async function untilListening(child: ServiceProcess): Promise<RunningProcess> {
  const url = await until(() => LISTENING.exec(child.output())?.[1], child)
  return { ...child, url, owner: new Caller(url, TOKEN) }
}

/** Polls `look` until it returns a value. @throws Error with the output of the process if that ends first, or after a timeout */
export async function until<T>(
  look: () => T | undefined | Promise<T | undefined>,
  child?: ServiceProcess,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  let hasEnded = false
  void child?.ended.then(() => (hasEnded = true))
  for (const end = performance.now() + timeoutMs; ;) {
    const found = await look()
    if (found !== undefined) return found
    if (hasEnded || performance.now() > end)
      throw new Error(
        `did not see it in time${hasEnded ? ' for a process that ended' : ''}:\n${child?.output() ?? ''}\n${child?.errors() ?? ''}`,
      )
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A port that is free at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Whether no process listens on a port. */
export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false))
    socket.on('connect', () => socket.destroy()).on('error', () => resolve(true))
  })
}

/** Starts `npm run` in a process group of its own: `endGroup` ends the processes of a failed test. */
export function spawnNpm(words: readonly string[], settings: Readonly<Record<string, string>> = {}): NpmProcess {
  const npm = spawn('npm', ['run', '--silent', ...words], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], NODE_OPTIONS: HEAP, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return {
    output: () => output,
    terminate: () => void npm.kill('SIGTERM'),
    closed: new Promise((resolve) => npm.once('close', () => resolve())),
    endGroup() {
      try {
        if (npm.pid !== undefined) process.kill(-npm.pid, 'SIGKILL')
      } catch {
        // No process is left.
      }
    },
  }
}

export interface NpmProcess {
  output(): string
  /** Sends SIGTERM to npm only. */
  terminate(): void
  /** Resolves when all processes that npm has started have ended: they share its output. */
  readonly closed: Promise<void>
  endGroup(): void
}
