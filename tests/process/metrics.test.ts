import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { makePage } from '../harness/content.ts'
import { engine, makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

interface Series {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function parse(text: string): Series[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
      expect(name, line).not.toBe('')
      return {
        name,
        labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', text = '']) => [key, text])),
        value: Number(value),
      }
    })
}

describe('/metrics', () => {
  let server: TestServer
  let database: TestDatabase
  beforeAll(async () => {
    database = await makeDatabase()
    server = await startTestServer({ DATABASE_URL: database.url })
  })
  afterAll(() => server.stop().finally(() => database.drop()))
  const scrape = async (): Promise<Series[]> => parse((await server.owner.page('/metrics')).text)
  const valueOf = (series: readonly Series[], name: string, labels: object = {}): number | undefined =>
    series.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))?.value

  it('counts requests by operation and status, and measures their durations', async () => {
    await server.owner.call('retrieveMe')
    await server.caller(undefined).call('retrieveMe')
    await makePage(server.owner)
    const response = await server.owner.page('/metrics')
    expect(response.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4; charset=utf-8$/)
    const series = parse(response.text)
    expect(valueOf(series, 'workspace_requests_total', { operation: 'retrieveMe', status: '200' })).toBe(1)
    expect(valueOf(series, 'workspace_requests_total', { operation: 'retrieveMe', status: '401' })).toBe(1)
    expect(valueOf(series, 'workspace_request_duration_seconds_count', { operation: 'retrieveMe' })).toBe(2)
    expect(valueOf(series, 'workspace_request_duration_seconds_bucket', { operation: 'createPage', le: '+Inf' })).toBe(1)
    expect(valueOf(series, 'workspace_requests_in_flight')).toBe(0)
    expect(valueOf(series, 'workspace_open_streams')).toBe(0)
  })

  it('counts the dead jobs of a kind, and reports 0 for a kind without due or running jobs', async () => {
    await server.service.database.write(async (db) => {
      for (const key of ['a', 'b']) await enqueue(db, { kind: 'of_another_release', key, payload: {}, dueTime: 0 })
      await db.run(`update jobs set state = 'dead' where kind = 'of_another_release'`)
    })
    const series = await scrape()
    expect(valueOf(series, 'workspace_jobs', { kind: 'of_another_release', state: 'dead' })).toBe(2)
    expect(valueOf(series, 'workspace_jobs', { kind: 'async_task', state: 'due' })).toBe(0)
    expect(valueOf(series, 'workspace_jobs_running', { kind: 'async_task' })).toBe(0)
  })

  it('reports the state of the engine, of transactions and of the process', async () => {
    const series = await scrape()
    expect(valueOf(series, 'workspace_database_up')).toBe(1)
    expect(valueOf(series, 'workspace_database_bytes', { engine, part: 'database' })).toBeGreaterThan(10_000)
    expect(valueOf(series, 'workspace_database_connections', { engine, state: 'waiting' })).toBe(0)
    expect(valueOf(series, 'workspace_transactions_total', { outcome: 'committed' })).toBeGreaterThan(0)
    expect(valueOf(series, 'workspace_transaction_duration_seconds_count')).toBeGreaterThan(0)
    expect(valueOf(series, 'process_resident_memory_bytes')).toBeGreaterThan(10_000_000)
    expect(valueOf(series, 'nodejs_eventloop_lag_max_seconds')).toBeGreaterThanOrEqual(0)
  })

  it.runIf(engine === 'sqlite')('reports a write-ahead log that grows while another program reads', async () => {
    const logBytes = async (): Promise<number> =>
      valueOf(await scrape(), 'workspace_database_bytes', { engine, part: 'wal' }) ?? Number.NaN
    const reader = new DatabaseSync(database.url.replace(/^sqlite:/, ''))
    try {
      reader.exec('begin; select count(*) from blocks')
      const padding = 20 * 1024 * 1024
      await server.service.database.write((db) => db.run('create table padding as select randomblob(?) as bytes', padding))
      // The log is now so long that, without an open reader, the engine would checkpoint it.
      for (let page = 0; page < 2; page += 1) await makePage(server.owner)
      expect(await logBytes()).toBeGreaterThan(padding)
    } finally {
      reader.close()
    }
  })

  it('has a bounded number of series, whatever callers send', async () => {
    // Kinds of garbage collections and jobs are a fixed set, and any of them may appear meanwhile.
    const ofCallers = async (): Promise<Series[]> => (await scrape()).filter(({ labels }) => !('kind' in labels))
    const before = (await ofCallers()).length
    for (let count = 0; count < 50; count += 1) {
      await server.owner.page(`/v1/nonsense/${count}`)
      await server.owner.page(`/nonsense/${count}`)
      await server.owner.page(`/v1/users/me?x=${count}`, 'GET', { 'User-Agent': `agent ${count}` })
    }
    for (const method of ['PUT', 'PROPFIND', 'OPTIONS']) await server.owner.page('/v1/users/me', method)
    const series = await ofCallers()
    expect(series.length - before).toBeLessThan(60)
    // If you are here because a word is unknown: a series for each value that callers send would fill the memory; only add words of a fixed
    // set.
    const known = new Set<string | undefined>([...Object.keys(operations), 'page', 'tools', 'preflight', 'unknown'])
    for (const { labels } of series) if ('operation' in labels) expect(known).toContain(labels['operation'])
  })

  it('contains no id, token or path of any caller', async () => {
    const { text } = await server.owner.page('/metrics')
    expect(text).not.toMatch(/itk_|[0-9a-f]{8}-[0-9a-f]{4}/)
  })
})
