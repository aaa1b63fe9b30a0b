import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import pg from 'pg'
import { processorSecondsOfTree } from '../processes/figures.ts'
import type { Engine } from './engine.ts'

/** Databases of a PostgreSQL server that runs during the benchmark. @param folder where the server stores them */
export async function postgresqlEngine(folder: string): Promise<Engine> {
  const owner = spawn(process.execPath, [join(import.meta.dirname, 'postgres_process.ts'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const printed = await Promise.race([once(owner.stdout, 'data'), once(owner, 'exit')])
  if (!Buffer.isBuffer(printed[0])) throw new Error('PostgreSQL did not start.')
  const adminUrl = printed[0].toString().trim()
  const copies: string[] = []
  const admin = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => withClient(adminUrl, work)
  const names = (): Promise<string[]> =>
    admin(async (client) => {
      const { rows } = await client.query<{ datname: string }>(
        `select datname from pg_database where starts_with(datname, 'bench_')`,
      )
      return rows.map(({ datname }) => datname)
    })
  const drop = (name: string): Promise<unknown> => admin((client) => client.query(`drop database if exists ${name} with (force)`))
  return {
    name: 'postgresql',
    async forgetAllBut(keys) {
      const known = keys.map((key) => `bench_${key}`)
      for (const name of await names()) if (!known.includes(name)) await drop(name)
    },
    async create(key) {
      await drop(`bench_new_${key}`)
      await admin((client) => client.query(`create database bench_new_${key}`))
      return urlOf(adminUrl, `bench_new_${key}`)
    },
    async keep(key) {
      await withClient(urlOf(adminUrl, `bench_new_${key}`), (client) => client.query('vacuum analyze'))
      await admin((client) => client.query(`alter database bench_new_${key} rename to bench_${key}`))
    },
    has: async (key) => (await names()).includes(`bench_${key}`),
    async copy(key) {
      const name = `bench_copy_${process.pid}_${copies.length}_${key}`
      await admin((client) => client.query(`create database ${name} template bench_${key} strategy file_copy`))
      copies.push(name)
      return urlOf(adminUrl, name)
    },
    async share(url, page) {
      await withClient(url, (client) =>
        client.query('update grants set item_id = coalesce($1::uuid, workspace_id)', [page ?? null]),
      )
    },
    bytesWritten: (url) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ bytes: string }>(
          `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
        )
        return Number(rows[0]?.bytes)
      }),
    bytesStored: (url) =>
      withClient(url, async (client) => {
        await client.query('checkpoint')
        const { rows } = await client.query<{ bytes: string }>('select pg_database_size(current_database()) as bytes')
        return Number(rows[0]?.bytes)
      }),
    processorSeconds: () => (owner.pid === undefined ? undefined : processorSecondsOfTree(owner.pid)),
    async dropCopies() {
      for (const name of copies.splice(0)) await drop(name)
    },
    async stop() {
      const exited = once(owner, 'exit')
      owner.stdin.end()
      await exited
    },
  }
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
