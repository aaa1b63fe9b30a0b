import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { onDamage, type Damage } from '../../server/store/stored/damage.ts'
import { jsonColumns } from '../../server/store/stored/json_columns.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makePage, paragraph } from '../harness/content.ts'
import { scratchFolder } from '../harness/databases.ts'
import { allOperations, exampleCall, targetOf } from '../harness/every_operation.ts'
import { png, upload } from '../harness/files.ts'
import { resultsOf } from '../harness/json.ts'
import { isLongRun } from '../harness/long_runs.ts'
import { wrongRows } from '../harness/row_shapes.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const FLIPS = isLongRun ? 20 : 4
const SEED = 27
const folder = scratchFolder('damage-')
const intact = join(folder, 'intact.db')
const damaged = join(folder, 'damaged.db')
const settingsOf = (path: string): Record<string, string> => ({
  DATABASE_URL: `sqlite:${path}`,
  FILES_URL: `file:${join(folder, 'files')}`,
})

/** Reading requests for everything in the demo workspace. */
let requests: readonly { readonly method: string; readonly target: string; readonly headers: object; readonly body?: string }[]

beforeAll(async () => {
  const server = await startTestServer(settingsOf(intact))
  const file = { type: 'file_upload', file_upload: { id: await upload(server.owner, png, 'dock.png') } }
  const children = Array.from({ length: 30 }, (_block, index) => paragraph(`line ${index}`))
  await makePage(server.owner, 'Dock', undefined, [{ image: file }, ...children])
  requests = [...exampleRequests(), ...requestsForAll(intact)]
  await server.stop()
  const database = new DatabaseSync(intact)
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
})

const READS = new Set(['search', 'queryDataSource', 'queryMeetingNotes', 'queryAgents', 'querySessions'])

function exampleRequests(): typeof requests {
  return allOperations
    .filter(({ id, method, credentials }) => credentials === 'bearer' && (method === 'get' || READS.has(id)))
    .map((operation) => {
      const { path, query = {}, headers, body } = exampleCall(operation)
      const text = new URLSearchParams(query as Record<string, string>).toString()
      return {
        method: operation.method.toUpperCase(),
        target: `${targetOf(operation, path)}${text === '' ? '' : `?${text}`}`,
        headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }
    })
}

/** The lists and pages of every block, page, data source and view. */
function requestsForAll(path: string): typeof requests {
  const database = new DatabaseSync(path, { readOnly: true })
  const idsOf = (sql: string): string[] =>
    database
      .prepare(`select hex(id) as id from ${sql}`)
      .all()
      .map((row) => String(row['id']).toLowerCase())
  const pages = idsOf(`blocks where type = 'child_page'`)
  const targets = [
    ...idsOf('blocks where id in (select parent_id from blocks)').map((id) => `/v1/blocks/${id}/children`),
    ...pages.flatMap((id) => [`/v1/pages/${id}`, `/v1/pages/${id}/markdown`, `/v1/comments?block_id=${id}`]),
    ...idsOf('data_sources').map((id) => `/v1/data_sources/${id}`),
    ...idsOf('databases').map((id) => `/v1/databases/${id}`),
    ...idsOf('views').map((id) => `/v1/views/${id}`),
  ]
  const queries = idsOf('data_sources').map((id) => ({ method: 'POST', target: `/v1/data_sources/${id}/query`, body: '{}' }))
  database.close()
  return [...targets.map((target) => ({ method: 'GET', target })), ...queries].map((request) => ({
    ...request,
    headers: { 'Content-Type': 'application/json' },
  }))
}

interface Met {
  readonly statuses: readonly number[]
  readonly damages: readonly Damage[]
}

/** Sends all requests to a service on a database. */
async function readAll(path: string): Promise<Met> {
  const damages: Damage[] = []
  const end = onDamage((damage) => damages.push(damage))
  let server: TestServer | undefined
  try {
    server = await startTestServer(settingsOf(path))
    const statuses: number[] = []
    for (const { method, target, headers, body } of requests) {
      const { status, text } = await server.owner.page(target, method, headers as Record<string, string>, body)
      expect(status, `${method} ${target}: ${text}`).not.toBe(500)
      statuses.push(status)
    }
    return { statuses, damages }
  } finally {
    await server?.stop()
    end()
  }
}

/** Findings of `doctor` in a database. */
async function problemsOf(path: string): Promise<string> {
  const { output } = await new InProcessCommandLine(`sqlite:${path}`, settingsOf(path)).run(['doctor', '--json'])
  const report = JSON.parse(output) as { findings: { check: string; health: string; detail: string }[] }
  const found = report.findings.filter(({ health }) => health === 'problem')
  return found.map(({ check, detail }) => `${check}: ${detail}`).join('\n')
}

function randomBy(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('a database with a flipped bit', () => {
  it(
    `yields a finding of doctor for each damage that requests meet, and never a 500, in each of ${FLIPS} databases`,
    { timeout: 240_000 },
    async () => {
      const sound = copied(() => undefined)
      const before = await readAll(sound)
      expect(before.damages).toEqual([])
      expect(await problemsOf(sound)).toBe('')
      const random = randomBy(SEED)
      let tripped = 0
      for (let flip = 0; flip < FLIPS; flip += 1) {
        const location = positionOfText(random)
        const bit = random(8)
        const path = copied((bytes) => bytes.writeUInt8((bytes[location] ?? 0) ^ (1 << bit), location))
        const problems = await problemsOf(path)
        const met = await readAll(path).catch((error: unknown) => {
          if (error instanceof Error && error.name === 'AssertionError') throw error
          return undefined
        })
        const trips = !met || met.damages.length > 0 || met.statuses.some((status, index) => status !== before.statuses[index])
        if (!trips) continue
        tripped += 1
        expect(problems, `byte ${location}, bit ${bit}: ${JSON.stringify(met?.damages.slice(0, 3))}`).not.toBe('')
      }
      expect(tripped).toBeGreaterThan(0)
      // Discards mismatches: rows of damaged tables do not have their shape.
      wrongRows()
    },
  )
})

/** The position of a letter: most of the file is empty, or numbers that no request reads. */
function positionOfText(random: (below: number) => number): number {
  const bytes = readFileSync(intact)
  for (;;) {
    const location = random(bytes.length)
    if (/[a-z]/.test(String.fromCharCode(bytes[location] ?? 0))) return location
  }
}

function copied(change: (bytes: Buffer) => void): string {
  const bytes = readFileSync(intact)
  change(bytes)
  // A new file: a connection may still map an earlier copy, which must not be overwritten.
  const path = join(mkdtempSync(join(folder, 'copy-')), 'damaged.db')
  writeFileSync(path, bytes)
  return path
}

/** Statements that damage one cell of each of these columns. */
const COLUMNS = Object.keys(jsonColumns)
  .concat('blocks.content', 'session_events.content')
  .filter((location) => !location.startsWith('connections.'))

it('each JSON column has a stored form', () => {
  const database = new DatabaseSync(intact, { readOnly: true })
  const columns = database
    .prepare(
      `select m.name as t, c.name as c from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and lower(c.type) = 'text'`,
    )
    .all()
  const held = columns.filter(({ t, c }) =>
    database.prepare(`select 1 from ${String(t)} where json_valid(${String(c)}) and ${String(c)} glob '[[{]*'`).get(),
  )
  database.close()
  const known = [...Object.keys(jsonColumns), 'blocks.content', 'session_events.content', 'idempotency_keys.body']
  // If you are here because a column is listed: give it a row in `json_columns.ts`, and read it with `readJson`.
  expect(held.map(({ t, c }) => `${String(t)}.${String(c)}`).filter((location) => !known.includes(location))).toEqual([])
  expect(held.length).toBeGreaterThan(20)
})

describe('a cell that is not JSON', () => {
  it.each([
    ['truncated', (column: string) => `substr(${column}, 1, length(${column}) - 1)`],
    ['of another form', () => `'{"x":1}'`],
    ['a number', () => `'7'`],
  ])(
    '%s: leaves every list readable, and makes doctor name table, key and column',
    { timeout: 120_000 },
    async (_how, valueOf) => {
      copyFileSync(intact, damaged)
      const database = new DatabaseSync(damaged)
      const held = COLUMNS.filter((location) => {
        const [table = '', column = ''] = location.split('.')
        const { changes } = database
          .prepare(
            `update ${table} set ${column} = ${valueOf(column)} where (${column}) in (select ${column} from ${table} where ${column} is not null limit 3)`,
          )
          .run()
        return Number(changes) > 0
      })
      database.close()
      expect(held.length).toBeGreaterThan(15)
      const { damages, statuses } = await readAll(damaged)
      expect(statuses.filter((status) => status >= 500)).toEqual([])
      const met = new Set(damages.map(({ place: location }) => location.split(/[.[]/).slice(0, 2).join('.')))
      expect([...met]).toEqual(expect.arrayContaining(['blocks.content', 'comments.rich_text', 'views.settings']))
      const problems = await problemsOf(damaged)
      for (const location of met) expect(problems).toMatch(new RegExp(`${location.replace('.', ' [^;]+, ')}`))
    },
  )

  it('200 from listBlockChildren with an unsupported block in place of the damaged one, and the others unchanged', async () => {
    copyFileSync(intact, damaged)
    const database = new DatabaseSync(damaged)
    database.exec(`update blocks set content = '{"rich' where type = 'paragraph' and content like '%line 3"%'`)
    const row = database.prepare(`select hex(parent_id) as parent from blocks where content = '{"rich'`).get()
    database.close()
    const server = await startTestServer(settingsOf(damaged))
    const response = await server.owner
      .call('listBlockChildren', { path: { block_id: String(row?.['parent']).toLowerCase() } })
      .finally(() => server.stop())
    const blocks = resultsOf(response.body)
    expect(blocks).toHaveLength(31)
    expect(blocks.filter(({ type }) => type === 'unsupported')).toMatchObject([{ unsupported: { block_type: 'paragraph' } }])
  })

  /** Runs work with a service on a damaged copy of the database. */
  async function onDamaged<T>(statement: string, work: (server: TestServer) => Promise<T>): Promise<T> {
    copyFileSync(intact, damaged)
    const database = new DatabaseSync(damaged)
    database.exec(statement)
    database.close()
    const server = await startTestServer(settingsOf(damaged))
    return work(server).finally(() => server.stop())
  }

  it("403 when the connection's capabilities are damaged, because they count as none", async () => {
    const response = await onDamaged(`update connections set capabilities = '["read_content"'`, ({ owner }) =>
      owner.call('search', { body: {} }),
    )
    expect(response.status).toBe(403)
  })

  it('200 for reads of a damaged schema, and 409 for a change, which leaves the schema as it is', async () => {
    const dataSource = exampleWorkspace.dataSources.boats
    const changed = `substr(properties, 1, length(properties) - 1)`
    const body = { properties: { Berth: { rich_text: {} } } }
    const [read, written] = await onDamaged(`update data_sources set properties = ${changed}`, async ({ owner }) => [
      await owner.call('retrieveDataSource', { path: { data_source_id: dataSource } }),
      await owner.call('updateDataSource', { path: { data_source_id: dataSource }, body }),
    ])
    expect([read?.status, written?.status]).toEqual([200, 409])
    expect(written?.text).toMatch(/is damaged and cannot be changed/)
  })

  it('200 for a page with a damaged title, and for a new title', async () => {
    const [read, written] = await onDamaged(`update blocks set content = 'x' where type = 'child_page'`, async ({ owner }) => [
      await owner.call('retrievePage', { path: { page_id: exampleWorkspace.pages.launchPlan } }),
      await owner.call('updatePage', {
        path: { page_id: exampleWorkspace.pages.launchPlan },
        body: { properties: { title: [{ text: { content: 'Launch plan' } }] } },
      }),
    ])
    expect([read?.status, written?.status]).toEqual([200, 200])
    expect(written?.text).toContain('Launch plan')
  })
})
