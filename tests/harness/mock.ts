import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve as resolvePath } from 'node:path'

const root = resolvePath(import.meta.dirname, '../..')

export interface Mock {
  readonly url: string
  /** From the start of the process to its first response, in milliseconds. */
  readonly startMilliseconds: number
  stop(): Promise<void>
}

const READY = /^The mock is ready: (http:\S+)\n$/

/** Starts the mock by `npm run mock`, on a free port of the loopback address. */
export async function startMock(settings: Readonly<Record<string, string>> = {}): Promise<Mock> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', 'mock', '--', '--port', '0'], {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`the mock ended before it was ready: ${output}`)))
    child.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      const ready = READY.exec(output)?.[1]
      if (ready !== undefined) resolve(ready)
    })
  })
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    // `close` waits for all processes that the command has started, because they share its output.
    await once(child, 'close')
  }
  return { url, startMilliseconds: performance.now() - startedAt, stop }
}
