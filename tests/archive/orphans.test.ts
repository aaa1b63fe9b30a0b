import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { parseConfig } from '../../server/config.ts'
import { newId } from '../../server/kernel/ids.ts'
import { openDatabase } from '../../server/store/open.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { makeRow } from '../harness/databases_content.ts'
import { idOf, type JsonObject } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { rowsOfWorkspace } from '../harness/workspace_rows.ts'

const { id: WORKSPACE } = exampleWorkspace.workspace
const { repairJobs, boats, spareParts } = exampleWorkspace.dataSources
const [, tomas] = exampleWorkspace.people
const folder = scratchFolder('left-')
const source = await makeDatabase('newest')
const target = await makeDatabase('newest')
const cliOf = (name: string, url: string): InProcessCommandLine =>
  new InProcessCommandLine(url, { DATABASE_URL: url, FILES_URL: `file:${join(folder, name)}` })
const from = cliOf('source', source.url)
const to = cliOf('target', target.url)

beforeAll(async () => {
  const server = await startTestServer({ DATABASE_URL: source.url, FILES_URL: `file:${join(folder, 'source')}` })
  try {
    await createOrphans(server)
  } finally {
    await server.stop()
  }
  await to.json('migrate')
})
afterAll(async () => {
  for (const database of [source, target]) await database.drop()
})

/** Removes objects that rows, views and their index refer to, in every way that requests and commands offer. */
async function createOrphans({ owner }: TestServer): Promise<void> {
  const succeed = async (...call: Parameters<typeof owner.call>): Promise<JsonObject> => {
    const { status, text, body } = await owner.call(...call)
    expect(status, text).toBe(200)
    return body
  }
  const change = (properties: object): Promise<unknown> =>
    succeed('updateDataSource', { path: { data_source_id: repairJobs }, body: { properties } })
  const values = {
    cost: { number: 7 },
    ownr: { people: [{ id: tomas.id }] },
    skil: { multi_select: [{ name: 'Varnish' }] },
    prio: { select: { name: 'Soon' } },
  }
  const [moved, trashed] = [idOf(await makeRow(owner, repairJobs, values)), idOf(await makeRow(owner, repairJobs, values))]
  // A row of another data source keeps its links to a page that is no longer a row, and to one in the trash.
  await makeRow(owner, spareParts, { pjob: { relation: [{ id: moved }, { id: trashed }] } })
  await succeed('movePage', { path: { page_id: moved }, body: { parent: { page_id: await makePage(owner, 'Elsewhere') } } })
  await succeed('updatePage', { path: { page_id: trashed }, body: { in_trash: true } })
  // Columns: one is removed, one becomes computed, one loses its options.
  await change({ dock: null, prio: { formula: { expression: '1' } }, skil: { multi_select: { options: [] } } })
  await change({ tick: { formula: { expression: '2' } } })
  await succeed('updateDataSource', { path: { data_source_id: boats }, body: { in_trash: true } })
  await from.json('user', 'remove', tomas.email)
  await from.json('agent', 'delete', exampleWorkspace.agents.logbookKeeper)
}

async function within<T>(url: string, work: (database: ReturnType<typeof openDatabase>) => Promise<T>): Promise<T> {
  const database = openDatabase(parseConfig({ DATABASE_URL: url }).database)
  return work(database).finally(() => database.close())
}

/** Findings of `doctor` about the content of a database. */
async function findings(cli: InProcessCommandLine): Promise<string> {
  const { output } = await cli.run(['doctor', '--json'])
  const report = JSON.parse(output) as { findings: { check: string; health: string; detail: string }[] }
  const content = report.findings.find(({ check }) => check === 'content')
  return content?.health === 'ok' ? '' : (content?.detail ?? 'no check')
}

describe('a workspace after deletions', () => {
  it('causes no findings in doctor', async () => {
    expect(await findings(from)).toBe('')
  })

  it.each([[['--with-credentials']], [[]]])('is exported and imported unchanged, with the options %s', async (options) => {
    const exported = join(folder, 'exported')
    rmSync(exported, { recursive: true, force: true })
    await from.json('workspace', 'export', WORKSPACE, exported)
    await to.json('workspace', 'import', exported, ...options)
    expect(await findings(to)).toBe('')
    const rows = (url: string): Promise<unknown> =>
      within(url, async (database) => {
        const { cells, pages, views, data_sources: sources } = await rowsOfWorkspace(database, WORKSPACE)
        return { cells, pages, views, sources }
      })
    expect(await rows(target.url)).toEqual(await rows(source.url))
    await to.json('workspace', 'delete', WORKSPACE, '--yes')
  })
})

const UNKNOWN = newId()
const job = { kind: 'file_import', payload: '{"id":"x"}', state: 'dead', due_time: 0 }

// The tests share one database, so damage accumulates.
describe('doctor reports table, row and column of a damaged value:', () => {
  it.each<[string, string, readonly (string | number)[], RegExp]>([
    ['an author', 'update views set created_by = ?', [UNKNOWN], /views [\w/-]+, created_by: expected the id of a row of users/],
    [
      'a value of another type',
      'update pages set row_values = ? where row_values is not null',
      ['{"cost":true}'],
      /pages [\w/-]+, row_values\.cost: expected a number, found "?true/,
    ],
    [
      'a person outside the workspace among values',
      'update pages set row_values = ? where row_values is not null',
      [JSON.stringify({ ownr: [{ object: 'user', id: UNKNOWN }] })],
      /pages [\w/-]+, row_values\.ownr\[0\]\.id: expected the id of a row of users/,
    ],
    [
      'an index entry for another column',
      'update cells set property_id = ? where property_id = ?',
      ['zzzz', 'cost'],
      /cells [^;]+, property_id: /,
    ],
    [
      'a filter',
      'update views set settings = ?',
      ['{"filter":{"property":"cost"},"sorts":null,"quickFilters":null,"configuration":{}}'],
      /views [\w/-]+, settings\.filter: expected a QueryFilter/,
    ],
    [
      'the payload of a job',
      `insert into jobs (workspace_id, id, ${Object.keys(job).join(', ')}) values (?, ?, ?, ?, ?, ?)`,
      [WORKSPACE, newId(), ...Object.values(job)],
      /jobs [\w/-]+, payload\.id: expected an id, found "x"/,
    ],
  ])('%s', async (_what, statement, parameters, message) => {
    await within(source.url, (database) => database.write((db) => db.change(statement, ...parameters)))
    expect(await findings(from)).toMatch(message)
  })
})
