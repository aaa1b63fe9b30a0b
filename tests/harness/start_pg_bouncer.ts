import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from './databases.ts'
import { freePort, isFree, until } from './process.ts'
import { whyNoPgBouncer } from './programs.ts'
import { endProcess } from './redis.ts'

interface Pooler {
  /** The address of the database through the pooler. */
  readonly url: string
  stop(): Promise<void>
}

/** Starts PgBouncer in transaction mode before a database, without support for prepared statements. @throws Error if it is not installed */
export async function startPgBouncer(databaseUrl: string, servers: number): Promise<Pooler> {
  const reason = whyNoPgBouncer()
  if (reason !== undefined) throw new Error(`This test needs PgBouncer: ${reason}`)
  const target = new URL(databaseUrl)
  const port = await freePort()
  const settings = join(scratchFolder('pgbouncer-'), 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username} password=${target.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
server_login_retry = 1
default_pool_size = ${servers}
max_client_conn = 1000
`,
  )
  // PgBouncer refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : []
  const pooler = spawn('pgbouncer', ['-q', ...user, settings], { stdio: ['ignore', 'ignore', 'inherit'] })
  await until(async () => ((await isFree(port)) ? undefined : true))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return { url: url.href, stop: () => endProcess(pooler) }
}
