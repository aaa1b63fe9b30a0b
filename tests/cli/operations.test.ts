import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { newestSchema, schemaSteps } from '../../server/store/migrations.ts'
import { paragraph } from '../harness/content.ts'
import { makeDatabase, type TestDatabase } from '../harness/databases.ts'
import { png, upload } from '../harness/files.ts'
import { at, isObject, resultsOf, type JsonObject } from '../harness/json.ts'
import { freePort, runService, spawnProcess, until } from '../harness/process.ts'
import { startTestServer } from '../harness/server.ts'
import { InProcessCommandLine } from './support.ts'
import { inLongRuns } from '../harness/long_runs.ts'

let database: TestDatabase
let folder: string
beforeEach(async () => {
  database = await makeDatabase('none')
  folder = mkdtempSync(join(inject('scratchFolder'), 'cli-'))
})
afterEach(() => database.drop())

describe('migrate', () => {
  it('creates the schema on its first run only', async () => {
    const cli = new InProcessCommandLine(database.url)
    const all = { schema: newestSchema, steps: [...schemaSteps] }
    expect(await cli.json('migrate', '--dry-run')).toEqual({ ...all, dry_run: true })
    expect(existsSync(pathOf(database))).toBe(false)
    expect(await cli.json('migrate')).toEqual({ ...all, dry_run: false })
    expect(await cli.json('migrate')).toEqual({ ...all, steps: [], dry_run: false })
    expect((await cli.run(['migrate'])).output).toMatch(/^The database is up to date \(schema \d+\)\.\n$/)
  })

  it('must run before commands that need the schema', async () => {
    const cli = new InProcessCommandLine(database.url)
    expect(await cli.refusal(['user', 'list'], 1)).toMatch(/workspace-service migrate/)
    await cli.json('migrate')
    expect(await cli.refusal(['user', 'list'], 1)).toMatch(/The database contains no workspace yet\. Create one with/)
  })
})

describe('doctor', () => {
  const healthOf = (report: JsonObject): Record<string, unknown> =>
    Object.fromEntries(resultsOf({ results: report['findings'] ?? [] }).map(({ check, health }) => [String(check), health]))

  it('reports no problem for a running service', async () => {
    const port = String(await freePort())
    const service = await runService({ DATABASE_URL: database.url, PORT: port })
    const report = await new InProcessCommandLine(database.url, { PORT: port }).json('doctor')
    expect(report).toMatchObject({ healthy: true, problems: 0 })
    expect(healthOf(report)).toEqual({
      settings: 'ok',
      database: 'ok',
      runtime: 'ok',
      contract: 'ok',
      schema: 'ok',
      sessions: 'skipped',
      distribution: 'skipped',
      integrity: 'ok',
      content: 'ok',
      log: 'ok',
      usage: 'ok',
      connections: 'skipped',
      disk: 'ok',
      files: 'ok',
      clock: 'ok',
      certificate: 'skipped',
      redis: 'skipped',
      address: 'ok',
    })
    expect(JSON.stringify(report)).toContain('is ready')
    service.kill()
    await service.ended
  })

  it('reports invalid settings, and exits with code 3', async () => {
    const { code, output } = await new InProcessCommandLine(database.url, { HOST: '0.0.0.0' }).run(['doctor'])
    expect(code).toBe(3)
    expect(output).toMatch(/^PROBLEM {2}settings +HOST is "0\.0\.0\.0"/m)
    expect(output).toMatch(/\n1 problem, 0 warnings\.\n$/)
  })

  inLongRuns(it)('warns when another program prevents a checkpoint of the write-ahead log', async () => {
    const cli = new InProcessCommandLine(database.url)
    await cli.json('migrate')
    const path = pathOf(database)
    const [reader, writer] = [new DatabaseSync(path), new DatabaseSync(path)]
    try {
      reader.exec('begin; select count(*) from blocks')
      writer.exec('create table padding (bytes)')
      for (let count = 0; count < 9; count += 1) writer.exec(`insert into padding values (randomblob(${16 * 1024 * 1024}))`)
      const { code, output } = await cli.run(['doctor'])
      expect(code).toBe(0)
      expect(output).toMatch(/^warning {2}log +the write-ahead log has 1[45]\d\.\d MB/m)
    } finally {
      reader.close()
      writer.close()
    }
  })

  it('reports a missing schema', async () => {
    writeFileSync(pathOf(database), '')
    const { code, output } = await new InProcessCommandLine(database.url).run(['doctor', '--json'])
    expect(code).toBe(3)
    expect(healthOf(JSON.parse(output))).toMatchObject({ database: 'ok', schema: 'problem' })
  })

  it('distinguishes a missing database from one that cannot be reached', async () => {
    const unmade = await new InProcessCommandLine(`sqlite:${join(folder, 'unmade.db')}`).json('doctor')
    expect(healthOf(unmade)).toMatchObject({ database: 'warning', schema: 'skipped' })
    expect(readdirSync(folder)).toEqual([])
    const { code, output } = await new InProcessCommandLine(`postgres://nobody:hunter2@127.0.0.1:${await freePort()}/none`).run([
      'doctor',
      '--json',
    ])
    expect(code).toBe(3)
    expect(healthOf(JSON.parse(output))).toMatchObject({ database: 'problem', schema: 'skipped' })
    expect(output).not.toContain('hunter2')
  })
})

describe('doctor, when it checks files,', () => {
  it('reports files missing from the configured storage, and an unusable storage', async () => {
    const files = `file:${join(folder, 'files')}`
    const server = await startTestServer({ DATABASE_URL: database.url, FILES_URL: files })
    await upload(server.owner, png, 'dock.png')
    await server.stop()
    const lineOf = async (settings: Record<string, string>): Promise<string | undefined> =>
      /^.*\bfiles {2,}.*$/m.exec((await new InProcessCommandLine(database.url, settings).run(['doctor'])).output)?.[0]
    const kept = await lineOf({ FILES_URL: files })
    const elsewhere = await lineOf({ FILES_URL: `file:${join(folder, 'elsewhere')}` })
    const below = await lineOf({ FILES_URL: 'file:/etc/hostname/files' })
    const away = await lineOf({ FILES_URL: `s3://KEY:hunter2@files?endpoint=http://127.0.0.1:${await freePort()}` })
    expect(kept).toMatch(/^ok .* GB free at /)
    expect(elsewhere).toMatch(/^PROBLEM .*files recorded in the database cannot be read at \/.*elsewhere$/)
    expect(below).toMatch(/^PROBLEM .*\/etc\/hostname\/files cannot be used: Error: \/etc\/hostname is not a folder$/)
    expect(away).toMatch(/^PROBLEM .*s3:\/\/files\/ cannot be used: .*ECONNREFUSED/)
    expect(away).not.toContain('hunter2')
  })
})

describe('doctor', () => {
  it('reports rows that refer to missing rows', async () => {
    const server = await startTestServer({ DATABASE_URL: database.url })
    await server.stop()
    const db = new DatabaseSync(pathOf(database))
    db.exec('pragma foreign_keys = off; delete from workspaces')
    db.close()
    const { code, output } = await new InProcessCommandLine(database.url).run(['doctor'])
    expect(code).toBe(3)
    expect(output).toMatch(/^PROBLEM {2}integrity +\d+ rows of \w+ refer to rows that do not exist/m)
  })

  it('warns that the clock went backwards', async () => {
    const server = await startTestServer({ DATABASE_URL: database.url })
    server.clock.advance(20 * 365 * 86_400_000)
    await server.owner.call('updateBlock', { path: { block_id: exampleWorkspace.pages.checklist }, body: { in_trash: true } })
    await server.stop()
    const report = await new InProcessCommandLine(database.url).json('doctor')
    expect(report).toMatchObject({ healthy: true, warnings: 1 })
  })
})

describe('backup', () => {
  it('copies a database during writes, with everything written before the copy started', async () => {
    const service = await runService({ DATABASE_URL: database.url })
    let [written, isDone] = [0, false]
    const writer = (async () => {
      for (; !isDone; written += 1) {
        const response = await service.owner.call('appendBlockChildren', {
          path: { block_id: exampleWorkspace.pages.checklist },
          body: { children: [paragraph(`line ${written}`)] },
        })
        expect(response.status).toBe(200)
      }
    })()
    await until(() => (written > 20 ? true : undefined))
    const before = written
    const target = join(folder, 'deep', 'copy.db')
    const report = await new InProcessCommandLine(database.url).json('backup', target)
    isDone = true
    await writer
    expect(report).toMatchObject({ file: target })
    expect(at(report, 'bytes')).toBeGreaterThan(50_000)
    expect(readdirSync(join(folder, 'deep')).toSorted()).toEqual(['copy.db', 'copy.db.sha256'])
    // Both files contain the key that signs cursors and links.
    for (const path of [target, database.url.slice('sqlite:'.length)]) expect(statSync(path).mode & 0o777).toBe(0o600)
    service.kill()
    await service.ended

    const copy = await runService({ DATABASE_URL: `sqlite:${target}` })
    const lines = JSON.stringify(
      (
        await copy.owner.call('listBlockChildren', {
          path: { block_id: exampleWorkspace.pages.checklist },
          query: { page_size: 100 },
        })
      ).body,
    )
    expect(lines).toContain(`line ${Math.min(before, 90) - 1}`)
    copy.kill()
    await copy.ended
    expect((await new InProcessCommandLine(`sqlite:${target}`).json('doctor'))['healthy']).toBe(true)
  })

  it('overwrites a file only with --overwrite', async () => {
    await new InProcessCommandLine(database.url).json('migrate')
    const target = join(folder, 'copy.db')
    writeFileSync(target, 'precious')
    const cli = new InProcessCommandLine(database.url)
    expect(await cli.refusal(['backup', target], 1)).toMatch(/already exists/)
    expect(await cli.json('backup', target, '--overwrite')).toMatchObject({ file: target })
  })

  it.each([
    ['sqlite::memory:', 2, /in memory/],
    ['sqlite:/nowhere/workspace.db', 1, /does not exist\. Check DATABASE_URL/],
    ['postgres://service@db/workspace', 1, /pg_dump/],
  ])('of %s ends with code %i', async (url, code, message) => {
    expect(await new InProcessCommandLine(url).refusal(['backup', join(folder, 'copy.db')], code)).toMatch(message)
    expect(readdirSync(folder)).toEqual([])
  })

  it('of a damaged file leaves no copy', async () => {
    await new InProcessCommandLine(database.url).json('migrate')
    const db = new DatabaseSync(pathOf(database))
    db.exec("pragma foreign_keys = off; insert into grants values ('w', 'b', 'i', 0)")
    db.close()
    expect(await new InProcessCommandLine(database.url).refusal(['backup', join(folder, 'copy.db')], 1)).toMatch(
      /failed its integrity check/,
    )
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['to a path below a file', (): string => '/etc/hostname/copy.db'],
    [
      'to the path of a folder',
      (): string => {
        mkdirSync(join(folder, 'taken.db'))
        return join(folder, 'taken.db')
      },
    ],
  ])('%s ends with code 1 and leaves no files', async (_where, targetOf) => {
    await new InProcessCommandLine(database.url).json('migrate')
    const target = targetOf()
    expect(await new InProcessCommandLine(database.url).refusal(['backup', target, '--overwrite'], 1)).toMatch(
      /The backup failed: E(?:NOTDIR|ISDIR|EXIST)/,
    )
    expect(readdirSync(folder).filter((name) => name.includes('unfinished'))).toEqual([])
  })
})

describe('the command line', () => {
  it.each([[[]], [['connection']]])('prints its usage when a command is missing: %j', async (words) => {
    const { code, output, errors } = await new InProcessCommandLine(database.url).run(words)
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toMatch(/^Usage: workspace-service/)
    expect(errors).toMatch(/error: A command is missing\./)
  })

  it('prints help with the commands and the exit codes', async () => {
    const { code, output } = await new InProcessCommandLine(database.url).run(['--help'])
    expect(code).toBe(0)
    for (const command of ['serve', 'connection', 'token', 'user', 'emoji', 'backup', 'migrate', 'doctor', 'version'])
      expect(output).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
    expect(output).toMatch(/Exit codes:\n {2}0 {4}success\n/)
  })

  it('distributes no SQLite database', async () => {
    const refusal = await new InProcessCommandLine(database.url).refusal(['database', 'distribute'], 2)
    expect(refusal).toContain('Only PostgreSQL with Citus can be distributed.')
  })

  it('prints its version', async () => {
    const version = await new InProcessCommandLine(database.url).json('version')
    expect(version).toMatchObject({ protocol: newestRelease, node: process.versions.node })
  })

  it('prints failures as JSON with --json', async () => {
    const { code, output, errors } = await new InProcessCommandLine(database.url).run(['--json', 'connection', 'create'])
    expect({ code, output }).toEqual({ code: 2, output: '' })
    const { error } = JSON.parse(errors) as JsonObject
    expect(isObject(error) && error['exit_code']).toBe(2)
  })

  it.each([
    [{ DATABASE_URL: 'mysql://root:hunter2@db' }, /DATABASE_URL should be/],
    [{ DATABASE_URL: 'sqlite::memory:' }, /A database in memory exists only inside the running service/],
  ])('ends with code 2 for the setting %j', async (settings, message) => {
    const child = spawnProcess('cli/main.js', ['user', 'list'], settings)
    expect((await child.ended).code).toBe(2)
    expect(child.errors()).toMatch(message)
    expect(child.errors()).not.toContain('hunter2')
  })

  it('runs through its file in bin, which forwards arguments, output, exit code and signals', async () => {
    const version = spawnProcess('bin/workspace-service.cjs', ['version', '--json'], {})
    expect((await version.ended).code).toBe(0)
    expect(JSON.parse(version.output())).toMatchObject({ protocol: newestRelease })
    const wrong = spawnProcess('bin/workspace-service.cjs', ['nonsense'], {})
    expect((await wrong.ended).code).toBe(2)
    const service = spawnProcess('bin/workspace-service.cjs', ['--database', 'sqlite::memory:', 'serve', '--port', '0'], {})
    await until(() => (service.output().includes('listens on') ? true : undefined), service)
    service.kill('SIGTERM')
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })

  it('starts the service with the settings given as options', async () => {
    const port = await freePort()
    const service = spawnProcess('cli/main.js', ['serve', '--port', String(port), '--database', 'sqlite::memory:'], {
      PORT: '1',
    })
    await until(() => (service.output().includes(`listens on http://127.0.0.1:${port}`) ? true : undefined), service)
    service.kill('SIGTERM')
    expect((await service.ended).code).toBe(0)
    const wrong = spawnProcess('cli/main.js', ['serve', '--port', 'x'], {})
    expect((await wrong.ended).code).toBe(1)
    expect(wrong.errors()).toMatch(/PORT is "x"/)
  })
})

function pathOf({ url }: TestDatabase): string {
  return url.replace(/^sqlite:/, '')
}
