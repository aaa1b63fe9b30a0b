import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface Mock {
  readonly url: string
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMilliseconds: number
  stop(): Promise<void>
}

/** The mock as `npm run mock` starts it, on a free port of the loopback. */
export async function startMock(): Promise<Mock> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const process_ = spawn(process.execPath, [join(root, 'scripts/mock.ts'), '--port', String(port)], { stdio: 'ignore' })
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (process_.exitCode !== null) throw new Error('the mock ended before it answered')
    await new Promise((wait) => setTimeout(wait, 50))
  }
  const stop = async (): Promise<void> => {
    process_.kill('SIGTERM')
    await once(process_, 'exit')
  }
  return { url, startMilliseconds: performance.now() - startedAt, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
