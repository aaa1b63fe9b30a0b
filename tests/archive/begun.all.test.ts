import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { databaseOfFile, scratchFolder } from '../harness/databases.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { spawnProcess, until, type ServiceProcess } from '../harness/process.ts'
import { serverOfFile, startTestServer, TOKEN } from '../harness/server.ts'
import { makeZip } from './support/archives.ts'

const source = await serverOfFile()
const store = await databaseOfFile()
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}`, CLONE_TOKEN: TOKEN }
const cli = new InProcessCommandLine(store.url, settings)
await (await startTestServer(settings)).stop()

const PRELOAD = new URL('support/signal_at_line.ts', import.meta.url).href

/** A process of the command line that sends itself a signal when it writes a line of its journal. */
function signalled(words: readonly string[], signal: string): ServiceProcess {
  return spawnProcess('cli/main.js', words, { ...settings, NODE_OPTIONS: `--import=${PRELOAD}`, SIGNAL_AT_LINE: signal })
}

/** The names of all workspaces, and of the connections of each. */
async function names(): Promise<string[]> {
  const workspaces = resultsOf(await cli.json('workspace', 'list'))
  const found = workspaces.map((workspace) => textAt(workspace, 'name'))
  for (const workspace of workspaces)
    for (const connection of resultsOf(await cli.json('connection', 'list', '--workspace', textAt(workspace, 'id'))))
      found.push(`${textAt(workspace, 'name')}: ${textAt(connection, 'name')}`)
  return found
}

/** A command that begins work: its words, its journal, its first steps, and their remains at the end. */
type Beginning = readonly [
  what: string,
  words: readonly string[],
  journal: string,
  first: readonly string[],
  left: readonly string[],
]

const path = await makeZip({ 'One.md': 'Text' })
const folder = join(scratchFolder('clone-'), 'clone')
const { name: demo } = exampleWorkspace.workspace

const beginnings: readonly Beginning[] = [
  ['an import', ['workspace', 'import', path, '--name', 'New'], `${path}.progress`, ['New', 'New: Import'], ['New']],
  [
    'an import below a page',
    ['workspace', 'import', path, '--workspace', exampleWorkspace.workspace.id, '--name', 'Below'],
    `${path}.progress`,
    [`${demo}: Import`],
    [],
  ],
  [
    'a clone',
    ['clone', source.url, '--name', 'Copy', '--progress', folder],
    join(folder, 'steps.jsonl'),
    ['Copy', 'Copy: Clone'],
    ['Copy', 'Copy: Clone'],
  ],
]

const lines = (journal: string): number => readFileSync(journal, 'utf8').split('\n').length - 1

it.each(beginnings)(
  '%s killed in its first steps is resumed by one process at a time, and nothing of the killed runs remains',
  { timeout: 600_000 },
  async (_what, words, journal, first, left) => {
    const before = await names()
    const added = async (): Promise<string[]> => (await names()).filter((name) => !before.includes(name))
    const killed = async (moment: string): Promise<string[]> => {
      const run = signalled(words, `SIGKILL ${moment}`)
      expect(await run.ended, run.errors()).toEqual({ code: null, signal: 'SIGKILL' })
      return added()
    }
    expect(await killed('before 1')).toEqual([])
    expect(await killed('after 1')).toEqual([])
    // The next line records that the first step is complete.
    expect(await killed('before 1')).toEqual(first)

    const last = signalled(words, 'SIGSTOP after 1')
    await until(() => lines(journal) > 1 || undefined, last)
    expect(await cli.refusal(words, 1)).toBe(`error: Another process is using ${journal}. Wait until it has ended.\n`)
    last.kill('SIGCONT')
    expect((await last.ended).code, last.errors()).toBe(0)
    expect(await added()).toEqual(left)
    expect([existsSync(journal), existsSync(`${journal}.lock`)]).toEqual([false, false])
  },
)
