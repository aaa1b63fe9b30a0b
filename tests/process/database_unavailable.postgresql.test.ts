import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { paragraph } from '../harness/content.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { resultsOf } from '../harness/json.ts'
import { runService, until, type RunningProcess } from '../harness/process.ts'
import { Wire } from '../harness/wire.ts'

describe('a database that becomes unavailable', () => {
  let database: TestDatabase
  let wire: Wire
  let service: RunningProcess
  beforeEach(async () => {
    database = await makeDatabase()
    wire = new Wire(database.url)
    service = await runService({ DATABASE_URL: await wire.restore() })
  })
  afterEach(async () => {
    wire.cut()
    service.kill('SIGKILL')
    await service.ended
    await database.drop()
  })

  const read = () => service.owner.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.checklist } })
  const write = (text: string) =>
    service.owner.call('appendBlockChildren', {
      path: { block_id: exampleWorkspace.pages.checklist },
      body: { children: [paragraph(text)] },
    })
  const isReady = async (): Promise<number> => (await fetch(`${service.url}/readyz`)).status

  it('gives readers and writers 503 until it is available again', async () => {
    expect((await read()).status).toBe(200)
    wire.cut()
    expectError(await read(), 503, 'service_unavailable')
    expectError(await write('into the void'), 503, 'service_unavailable')
    expect(await isReady()).toBe(503)
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(/^workspace_database_up 0$/m)
    await wire.restore()
    await until(async () => ((await isReady()) === 200 ? true : undefined))
    expect((await read()).status).toBe(200)
    expect((await write('on firm ground')).status).toBe(200)
    expect(service.log().filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  it('rolls a write back completely, or the response states that the outcome is unknown', async () => {
    // On new connections no statement is prepared yet: its text is sent with its first use.
    wire.cut()
    await wire.restore()
    await until(async () => ((await isReady()) === 200 ? true : undefined))
    // A write reads all required data before it writes.
    wire.cutAt = 'for no key update'
    expectError(await write('cut before it was written'), 503, 'service_unavailable')
    wire.cutAt = undefined
    await wire.restore()
    await until(async () => ((await write('whole again')).status === 200 ? true : undefined))
    // Other transactions, such as those of jobs, also commit.
    wire.cutAfter = 'cut at the very end'
    wire.cutAt = 'commit'
    const unsure = await write('cut at the very end')
    expectError(unsure, 504, 'gateway_timeout', 'its outcome is unknown')
    wire.cutAt = wire.cutAfter = undefined
    await wire.restore()
    await until(async () => ((await isReady()) === 200 ? true : undefined))
    const children = await service.owner.call('listBlockChildren', {
      path: { block_id: exampleWorkspace.pages.checklist },
      query: { page_size: 100 },
    })
    const texts = JSON.stringify(resultsOf(children.body))
    expect(texts).not.toContain('cut before it was written')
  })
})
