import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newestSchema, schemaSteps } from '../../server/store/migrations.ts'
import { CommandLine } from '../cli/support.ts'
import { engine, makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { at, resultsOf, textAt } from '../harness/json.ts'
import { startTestServer } from '../harness/server.ts'

/** Runs the command line on either engine, beside a service; tests/cli covers every command and its errors. */
describe('the command line on either engine', () => {
  let database: TestDatabase
  let cli: CommandLine
  beforeEach(async () => {
    database = await makeDatabase('none')
    cli = new CommandLine(database.url)
  })
  afterEach(() => database.drop())

  it('creates the schema on its first run only', async () => {
    const all = { schema: newestSchema, steps: [...schemaSteps] }
    expect(await cli.json('migrate', '--dry-run')).toEqual({ ...all, dry_run: true })
    expect(await cli.json('migrate')).toEqual({ ...all, dry_run: false })
    expect(await cli.json('migrate')).toEqual({ ...all, steps: [], dry_run: false })
    expect(await cli.refusal(['user', 'list'], 1)).toMatch(/The database contains no workspace yet/)
  })

  it('creates a connection that the running service accepts immediately', async () => {
    const server = await startTestServer({ DATABASE_URL: database.url })
    try {
      const made = await cli.json('connection', 'create', 'Crate Counter', '--share', exampleWorkspace.pages.checklist)
      const caller = server.caller(textAt(made, 'installation_token'))
      expect((await caller.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.checklist } })).status).toBe(200)
      expect((await caller.call('retrieveBlock', { path: { block_id: exampleWorkspace.pages.launchPlan } })).status).toBe(404)
      const rotated = await cli.json('connection', 'rotate', textAt(made, 'id'))
      expect((await caller.call('retrieveMe')).status).toBe(401)
      expect((await server.caller(textAt(rotated, 'installation_token')).call('retrieveMe')).status).toBe(200)
      const person = await cli.json('token', 'create', '--user', 'ines@northshore.example')
      expect((await server.caller(textAt(person, 'token')).call('retrieveMe')).body['type']).toBe('person')
    } finally {
      await server.stop()
    }
  })

  it('doctor reports a healthy database, and skips the checks of the other engine', async () => {
    await cli.json('migrate')
    const report = await cli.json('doctor')
    const health = Object.fromEntries(
      resultsOf({ results: report['findings'] ?? [] }).map((finding) => [String(finding['check']), at(finding, 'health')]),
    )
    const own =
      engine === 'sqlite'
        ? { integrity: 'ok', disk: 'ok', sessions: 'skipped', connections: 'skipped' }
        : { integrity: 'skipped', disk: 'skipped', sessions: 'ok', connections: 'ok' }
    expect(health).toMatchObject({ database: 'ok', schema: 'ok', clock: 'ok', ...own })
  })
})
