import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { createWorkspaceClient, type WorkspaceClient } from '../../client/src/index.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { startAlteringServer } from '../conformance/support/altering_server.ts'
import { makeDatabase } from '../harness/databases.ts'
import { parseObject } from '../harness/json.ts'
import { spawnProcess, until } from '../harness/process.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { Clones, reasons } from './support/clones.ts'
import { blocksWithout, contentOf } from './support/content_of.ts'
import { plantMore } from './support/planted.ts'
import { inLongRuns } from '../harness/long_runs.ts'

const source = await serverOfFile()
const altering = await startAlteringServer(source.url)
await plantMore(source.owner)
const clones = new Clones(source.url)
afterAll(async () => {
  await altering.stop()
  clones.remove()
})
beforeEach(() => {
  altering.alteration = () => undefined
})

const clientOf = (options: Partial<Parameters<typeof createWorkspaceClient>[0]> = {}): WorkspaceClient =>
  createWorkspaceClient({ baseUrl: source.url, token: TOKEN, ...options })

const original = await contentOf(async (id, { path = {}, query = {}, body } = {}) => {
  const { call } = clientOf()
  return (call as (id: string, input: object) => Promise<Record<string, unknown>>)(id, { path, query, body })
})

const whole = await clones.make('whole', clientOf)

describe('clone', () => {
  it('copies pages, blocks, rows, schemas, views and comments with their ids, and lists the rest', async () => {
    const { content, leftOut } = whole
    const missing = new Set(leftOut.map(({ id }) => id))
    expect(content.pages).toEqual(original.pages)
    expect(blocksWithout(content.blocks, missing)).toEqual(blocksWithout(original.blocks, missing))
    expect(content.schemas.filter(({ id }) => !missing.has(id))).toEqual(original.schemas.filter(({ id }) => !missing.has(id)))
    expect(content.views).toEqual(original.views)
    expect(content.comments).toEqual(original.comments)
    expect(reasons(whole)).toEqual([
      'block: A block of type link_preview cannot be created like this.',
      'block: A block of type meeting_notes cannot be created like this.',
      'block: A block of type unsupported cannot be created like this.',
      'place of a page or database: The server does not list it for this token, or it is a view of a database elsewhere.',
      'title of a data source: Boats: the only data source of a database has the title of the database.',
    ])
  })

  it('resumes where it was interrupted, and creates nothing twice', { timeout: 120_000 }, async () => {
    let left = 0
    const broken = await clones.make('broken', () => {
      left = 50
      return clientOf({
        retries: 0,
        fetch: async (request) => {
          left -= 1
          if (left < 0) throw new TypeError('the cable is cut')
          return fetch(request)
        },
      })
    })
    expect(broken.runs).toBeGreaterThan(3)
    expect(broken.content).toEqual(whole.content)
    expect(broken.leftOut).toEqual(whole.leftOut)
  })

  inLongRuns(it)('completes in one run although the server limits the rate of requests', async () => {
    let responseCount = 0
    altering.alteration = (response) => {
      responseCount += 1
      if (responseCount % 5 !== 0) return
      response.status = 429
      response.headers['retry-after'] = '0'
      response.body = { object: 'error', status: 429, code: 'rate_limited', message: 'Slow down.', request_id: randomUUID() }
    }
    const limited = await clones.make('limited', () => clientOf({ baseUrl: altering.url, retries: 10 }))
    expect(limited.runs).toBe(1)
    expect(limited.content.blocks.length).toBeGreaterThan(40)
  })
})

describe('workspace-service clone', () => {
  inLongRuns(it)(
    'resumes after it was killed, and deletes only its progress files when complete',
    { timeout: 120_000 },
    async () => {
      const database = await makeDatabase()
      const settings = {
        DATABASE_URL: database.url,
        FILES_URL: `file:${join(clones.folder, 'killed-files')}`,
        CLONE_TOKEN: TOKEN,
      }
      const progress = join(clones.folder, 'killed')
      const words = ['clone', source.url, '--name', 'Killed', '--progress', progress, '--json']
      const steps = (): number => readFileSync(join(progress, 'steps.jsonl'), 'utf8').split('\n').length
      const first = spawnProcess('cli/main.js', words, settings)
      await until(() => (existsSync(join(progress, 'steps.jsonl')) && steps() > 40) || undefined, first)
      first.kill('SIGKILL')
      await first.ended
      // A process can be killed while it writes a line.
      appendFileSync(join(progress, 'steps.jsonl'), '{"done":"fill ')
      writeFileSync(join(progress, 'notes.txt'), 'Mine')
      const { code, output, errors } = await new InProcessCommandLine(database.url, settings).run(words)
      expect({ code, errors }).toEqual({ code: 0, errors: '' })
      expect(parseObject(output)).toMatchObject({ pages: 50, databases: 4, data_sources: 5, people: 3 })
      expect(readdirSync(progress)).toEqual(['notes.txt'])
      await database.drop()
    },
  )

  it('refuses to resume in a database that lacks the workspace it created', async () => {
    const progress = join(clones.folder, 'elsewhere')
    const head = { source: new URL(source.url).href, workspaceId: randomUUID(), token: 'itk_elsewhere' }
    mkdirSync(progress)
    writeFileSync(join(progress, 'steps.jsonl'), `${JSON.stringify({ head })}\n{"done":"workspace"}\n`)
    const database = await makeDatabase()
    const words = ['clone', source.url, '--token', TOKEN, '--progress', progress]
    expect(await new InProcessCommandLine(database.url).refusal(words, 1)).toContain(
      'a clone into a workspace that does not exist here',
    )
    await database.drop()
  })

  it('refuses invalid sources, databases and options before it starts', async () => {
    const cli = new InProcessCommandLine('sqlite::memory:')
    expect(await cli.refusal(['clone', source.url, '--token', TOKEN], 2)).toContain('A database in memory disappears')
    const database = await makeDatabase()
    const onFile = new InProcessCommandLine(database.url)
    expect(await onFile.refusal(['clone', source.url], 2)).toContain('give --token, or set CLONE_TOKEN')
    expect(await onFile.refusal(['clone', 'ftp://x', '--token', TOKEN], 2)).toContain('The address of a server begins with http')
    expect(await onFile.refusal(['clone', source.url, '--token', TOKEN, '--email', 'a@b.example'], 2)).toContain(
      'give both --owner-name and --email',
    )
    expect(await onFile.refusal(['clone', source.url, '--token', 'itk_wrong'], 1)).toContain('does not accept the token')
    await database.drop()
  })
})
