import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { insertWorkspace, listWorkspaces } from '../../server/store/workspaces.ts'
import { append, makePage, paragraph, snapshot } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases.ts'
import { expectError } from '../harness/expectations.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { startTestServer, TOKEN } from '../harness/server.ts'

/** Acknowledged content survives a restart, including cursors. */
it('content, tokens and cursors survive a restart, and a new BOOTSTRAP_TOKEN replaces the old one', async () => {
  const database = await makeDatabase()
  const settings = { DATABASE_URL: database.url }
  try {
    const first = await startTestServer(settings)
    expect(first.service.bootstrapped.isNew).toBe(true)
    const page = await makePage(first.owner, 'Kept', undefined, [paragraph('a'), paragraph('b')])
    const cursor = textAt(
      (await first.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 1 } })).body,
      'next_cursor',
    )
    const before = await snapshot(first.owner, page)
    // Concurrent readers and a writer, which a database in memory never has.
    await Promise.all([
      append(first.owner, page, [paragraph('c')]),
      ...Array.from({ length: 10 }, () => first.owner.call('listBlockChildren', { path: { block_id: page } })),
    ])
    await first.stop()

    const second = await startTestServer(settings)
    expect(second.service.bootstrapped.isNew).toBe(false)
    expect((await snapshot(second.owner, page)).length).toBeGreaterThan(before.length)
    expect(
      resultsOf(
        (await second.owner.call('listBlockChildren', { path: { block_id: page }, query: { start_cursor: cursor } })).body,
      ),
    ).toHaveLength(2)
    await second.stop()

    const other = 'itk_another_token_of_the_demo_connection'
    const third = await startTestServer({ ...settings, BOOTSTRAP_TOKEN: other })
    expectError(await third.caller(TOKEN).call('retrieveMe'), 401, 'unauthorized')
    expect((await third.caller(other).call('retrieveMe')).status).toBe(200)
    await third.stop()
  } finally {
    await database.drop()
  }
})

it("BOOTSTRAP_SAMPLE=false creates no workspace, and an operator's own workspace never gets the demo", async () => {
  const database = await makeDatabase()
  const settings = { DATABASE_URL: database.url, BOOTSTRAP_TOKEN: '', BOOTSTRAP_SAMPLE: 'false' }
  try {
    const first = await startTestServer(settings)
    const tables = ['workspaces', 'users', 'accounts', 'connections', 'tokens', 'blocks']
    for (const table of tables)
      expect(await first.service.database.read((db) => db.all({}, `select 1 as row from ${table}`)), table).toEqual([])
    await first.service.database.write((db) => insertWorkspace(db, { id: randomUUID(), name: 'Workshop', icon_url: null }, 0))
    await first.stop()

    const second = await startTestServer({ ...settings, BOOTSTRAP_SAMPLE: 'true' })
    expect(second.service.bootstrapped).toMatchObject({ hasWorkspace: true, workspaceId: undefined, newToken: undefined })
    expect(await second.service.database.read(listWorkspaces)).toMatchObject([{ name: 'Workshop' }])
    await second.stop()
  } finally {
    await database.drop()
  }
})
