import { mkdtempSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { makeDatabase, on, type TestDatabase } from '../harness/databases.ts'
import { freePort, isFree, spawnService, until } from '../harness/process.ts'
import { inLongRuns } from '../harness/long_runs.ts'

/** The service obeys a signal at any time. */

const PRELOAD = fileURLToPath(new URL('support/signal_at.ts', import.meta.url))

let database: TestDatabase
beforeEach(async () => void (database = await makeDatabase('none')))
afterEach(() => database.drop())

on('sqlite', describe)('SIGTERM', { timeout: 120_000 }, () => {
  it.each([
    ['before the port is open', 'listen'],
    ['while the open port is announced', '"listening"'],
  ])('%s ends the service with code 0, which releases its port and deletes its files', async (_when, moment) => {
    const [port, temporary] = [await freePort(), mkdtempSync(`${inject('scratchFolder')}/early-`)]
    const service = spawnService({
      DATABASE_URL: 'sqlite::memory:',
      PORT: String(port),
      TMPDIR: temporary,
      NODE_OPTIONS: `--import=${PRELOAD}`,
      SIGNAL_AT: moment,
    })
    expect(await service.ended).toEqual({ code: 0, signal: null })
    // A service that does not serve requests yet has nothing to stop, and ends silently.
    expect([undefined, 'stopped']).toContain(service.log().at(-1)?.['msg'])
    expect(await isFree(port)).toBe(true)
    expect(readdirSync(temporary)).toEqual([])
  })

  inLongRuns(it)('while workers start ends all of them with code 0', async () => {
    const port = await freePort()
    const service = spawnService({ DATABASE_URL: database.url, PORT: String(port), WORKERS: '2' })
    await until(() => service.log().find(({ msg }) => msg === 'listening'), service)
    service.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    expect(await isFree(port)).toBe(true)
  })
})

on('postgresql', describe)('SIGTERM', { timeout: 120_000 }, () => {
  it('while the service waits for another process to prepare the database ends the service with code 0', async () => {
    const holder = new pg.Client({ connectionString: database.url })
    await holder.connect()
    await holder.query('select pg_advisory_lock(7402611)')
    const service = spawnService({ DATABASE_URL: database.url })
    await until(() => service.log().find(({ msg }) => String(msg).includes('this one waits')), service)
    service.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
    await holder.end()
  })
})
