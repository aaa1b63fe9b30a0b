import { spawn } from 'node:child_process'
import pg from 'pg'
import { engine } from '../../harness/databases.ts'

/** A lock that keeps the service's writes waiting until it is released. */
export interface Lock {
  release(): Promise<void>
}

/** Blocks every write of a database from outside the service: with the write lock of the file, or locks on its tables. */
export function holdWrites(url: string): Promise<Lock> {
  return engine === 'sqlite' ? holdFile(url.replace(/^sqlite:/, '')) : holdTables(url)
}

const HOLDER = `
  const { DatabaseSync } = await import('node:sqlite')
  const database = new DatabaseSync(process.argv[1], { timeout: 5000 })
  database.exec('begin immediate')
  process.stdout.write('held')
  process.stdin.on('end', () => { database.exec('rollback'); process.exit(0) }).resume()`

/** A separate process: the engine's lock is per process, and its handle would block the tests. */
async function holdFile(path: string): Promise<Lock> {
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, path], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = new Promise<void>((resolve) => holder.once('exit', () => resolve()))
  await new Promise((resolve) => holder.stdout.once('data', resolve))
  return {
    async release() {
      holder.stdin.end()
      await gone
    },
  }
}

async function holdTables(url: string): Promise<Lock> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('begin; lock table workspaces, blocks in exclusive mode')
  return {
    async release() {
      await client.query('rollback')
      await client.end()
    },
  }
}
