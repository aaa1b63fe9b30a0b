import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { deleteWorkspace } from '../../server/domain/administration/delete_workspace.ts'
import type { Database } from '../../server/store/database.ts'
import { workspaceTables } from '../../server/store/workspace_rows.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import type { Caller } from '../harness/caller.ts'
import { makePage } from '../harness/content.ts'
import { makeDatabase, scratchFolder, type TestDatabase } from '../harness/databases.ts'
import { png, upload } from '../harness/files.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { sweepFiles } from '../harness/sweeps.ts'
import { rowsOfWorkspace, tablesOfWorkspaces } from '../harness/workspace_rows.ts'

const ownFolder = scratchFolder('deletion-')
const GONE = exampleWorkspace.workspace.id

let made: TestDatabase
let server: TestServer
let database: Database
let cli: InProcessCommandLine
let stayingId: string
let staying: Caller
beforeAll(async () => {
  made = await makeDatabase('newest')
  server = await startTestServer({ DATABASE_URL: made.url, FILES_URL: `file:${ownFolder}` })
  database = server.service.database
  cli = new InProcessCommandLine(made.url)
  const own = await cli.json('init', '--name', 'Sail loft', '--owner-name', 'Ines', '--email', exampleWorkspace.people[0].email)
  stayingId = textAt(own, 'id')
  staying = server.caller(textAt(own, 'connection', 'installation_token'))
  for (const caller of [server.owner, staying]) await attach(caller)
  await cli.json('user', 'link', exampleWorkspace.people[1].email)
  await cli.json(
    'connection',
    'create',
    'Tide Planner',
    '--workspace',
    GONE,
    '--kind',
    'public',
    '--redirect-uri',
    'https://x.example',
  )
})
afterAll(() => server.stop().finally(() => made.drop()))

async function attach(caller: Caller): Promise<void> {
  const file = { type: 'file_upload', file_upload: { id: await upload(caller, png, 'dock.png') } }
  await makePage(caller, 'Dock', undefined, [{ image: file }])
}

async function countOf(table: string): Promise<number | undefined> {
  return (await database.read((db) => db.get({ count: 'integer' }, `select count(*) as count from ${table}`)))?.count
}

// If you are here because the lists differ: the deletion would leave rows behind in a new table, or in one without a column `workspace_id`.
it('workspace delete covers every table with rows of workspaces', async () => {
  const known = (await workspaceTables(database)).map(({ name }) => name)
  // File rows are deleted with the bytes, and the word index with the titles.
  const others = ['file_objects', 'title_words']
  expect(known.toSorted()).toEqual((await tablesOfWorkspaces(database)).filter((name) => !others.includes(name)))
})

it('an interrupted workspace delete leaves a suspended workspace, which can be deleted again', async () => {
  let writes = 0
  const cut: Database = {
    ...database,
    write: async (work, workspaceId) => {
      if ((writes += 1) > 7) throw new Error('killed')
      return database.write(work, workspaceId)
    },
  }
  await expect(deleteWorkspace(cut, GONE, Date.now())).rejects.toThrow('killed')
  expect(Object.keys(await rowsOfWorkspace(database, GONE)).length).toBeGreaterThan(10)
  expect((await server.owner.call('retrieveMe')).status).toBe(401)
  expect(await cli.refusal(['workspace', 'resume', GONE], 1)).toMatch(/The deletion of this workspace was interrupted/)
})

it('workspace delete deletes everything of the workspace, and nothing of others', async () => {
  const before = await rowsOfWorkspace(database, stayingId)
  expect(Object.keys(before)).toEqual(expect.arrayContaining(['blocks', 'file_parts', 'titles', 'tokens', 'users']))
  expect(await cli.refusal(['workspace', 'delete', GONE], 2)).toMatch(/Delete the workspace "Northshore Boatworks".*Add --yes/)
  expect(await cli.json('workspace', 'delete', GONE, '--yes')).toMatchObject({ id: GONE, deleted: true })
  expect(Object.keys(await rowsOfWorkspace(database, GONE))).toEqual(['file_objects'])
  expect(await rowsOfWorkspace(database, stayingId)).toEqual(before)
  expect(await countOf('title_words where number not in (select number from titles)')).toBe(0)
  expect(resultsOf(await cli.json('workspace', 'list')).map(({ id }) => id)).toEqual([stayingId])
  // Only members of the other workspace can still sign in.
  expect(await cli.json('user', 'link', exampleWorkspace.people[0].email)).toHaveProperty('sign_in_url')
  expect(await cli.refusal(['user', 'link', exampleWorkspace.people[1].email], 1)).toMatch(/No account has the email address/)
  expect((await staying.call('search', { body: { query: 'Getting started' } })).body).toMatchObject({
    results: [{ object: 'page' }],
  })
})

it('workspace delete leaves the bytes of files to the next sweep', async () => {
  expect(readdirSync(join(ownFolder, GONE))).not.toEqual([])
  await sweepFiles(database, server.service.vault, Date.now() + 60_000)
  expect(await rowsOfWorkspace(database, GONE)).toEqual({})
  const left = readdirSync(ownFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  expect(left.map(({ parentPath }) => parentPath.includes(stayingId))).toEqual([true])
})

it('workspace delete of the demo workspace lets the service start again', async () => {
  const again = await startTestServer({ DATABASE_URL: made.url, FILES_URL: `file:${ownFolder}` })
  await again.stop()
  expect(resultsOf(await cli.json('workspace', 'list')).map(({ id }) => id)).toEqual([stayingId])
})
