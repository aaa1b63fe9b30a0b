import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { makeZip } from '../archive/support/archives.ts'
import { makeDatabase, scratchFolder } from '../harness/databases.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { StretchMeter } from '../harness/stretches.ts'
import { shortStretches } from './support/short_stretches.ts'
import { UncheckedCaller } from './support/unchecked_caller.ts'
import { makeWorld } from './support/world.ts'
import { worstTexts } from './support/worst_texts.ts'
import { inLongRuns, someRows } from '../harness/long_runs.ts'

const meter = new StretchMeter()
const store = await makeDatabase()
const folder = scratchFolder('stretches-')
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${join(folder, 'files')}` }
const cli = new InProcessCommandLine(store.url, settings)
let server: TestServer
beforeAll(async () => {
  server = await startTestServer(settings)
  await makeWorld(new UncheckedCaller(server.url))
  await server.stop()
})
afterAll(() => store.drop())
const requireShort = shortStretches(meter, 'commands')

const COLUMNS = 400
const header = Array.from({ length: COLUMNS }, (_column, index) => `Column ${index}`).join(',')
const tables: Readonly<Record<string, string>> = {
  'many columns': [header, ...Array<string>(4).fill(Array<string>(COLUMNS).fill('a value').join(','))].join('\n'),
  'long cells': [header, ...Array<string>(3).fill(Array<string>(COLUMNS).fill('x'.repeat(1_200)).join(','))].join('\n'),
  'a long record': [header, Array<string>(40).fill('x'.repeat(99_000)).join(',')].join('\n'),
  // Few rows, because values that are inserted together share a turn of the event loop.
  'many quotes': ['A,B', ...Array<string>(5).fill(`"${'""'.repeat(90_000)}",b`)].join('\n'),
  'many lines': ['A,B', ...Array<string>(500).fill('a,b')].join('\n'),
}

describe('other work in the process does not wait long for', () => {
  it.each(someRows(['json', 'markdown']))('workspace export as %s', (format) =>
    requireShort(`export as ${format}`, async () => {
      const target = join(folder, `exported-${format}`)
      rmSync(target, { recursive: true, force: true })
      return () => cli.json('workspace', 'export', exampleWorkspace.workspace.id, target, '--format', format)
    }),
  )

  // `stretches.test.ts` measures requests with other texts.
  it.each(someRows(['code spans', 'links', 'short lines']))('workspace import of a page of %s', (what) =>
    requireShort(`import of ${what}`, async () => {
      const zip = await makeZip({ 'Page.md': worstTexts[what] ?? '' })
      return () => cli.json('workspace', 'import', zip, '--workspace', exampleWorkspace.workspace.id)
    }),
  )

  inLongRuns(it)('workspace import of many short pages that are slow to convert', () =>
    requireShort('import of many short pages', async () => {
      const zip = await makeZip(
        Object.fromEntries(Array.from({ length: 24 }, (_page, index) => [`${index}.md`, '['.repeat(4_000)])),
      )
      return () => cli.json('workspace', 'import', zip, '--workspace', exampleWorkspace.workspace.id)
    }),
  )

  it.each(someRows(Object.entries(tables)))('workspace import of a table of %s', (what, text) =>
    requireShort(`import of a table of ${what}`, async () => {
      const zip = await makeZip({ 'Table.csv': text })
      return () => cli.json('workspace', 'import', zip, '--workspace', exampleWorkspace.workspace.id)
    }),
  )
})
