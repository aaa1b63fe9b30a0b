import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { InProcessCommandLine } from '../cli/support.ts'
import { databaseOfFile, scratchFolder } from '../harness/databases.ts'
import { png } from '../harness/files.ts'
import { parseObject, resultsOf, textAt, type JsonObject } from '../harness/json.ts'
import { inLongRuns, isLongRun } from '../harness/long_runs.ts'
import { spawnProcess, until } from '../harness/process.ts'
import { startTestServer } from '../harness/server.ts'
import { filesOf, lossesOf, makeZip, newPath } from './support/archives.ts'

const store = await databaseOfFile()
const settings = { DATABASE_URL: store.url, FILES_URL: `file:${scratchFolder('files-')}` }
const cli = new InProcessCommandLine(store.url, settings)
await (await startTestServer(settings)).stop()

const ROWS = 420
const WITH_TEXT = 10
/** A busy machine needs this long. */
const WAIT_MS = 300_000
/** Later kills would find the import complete. */
const KILLS_MAX = isLongRun ? 3 : 1

/** A table whose order matters, with refused values, rows with texts that link to each other, and a picture. */
function entries(): Record<string, string | Buffer> {
  const link = (index: number): string => `https://boats.example/${'x'.repeat(index % 70 === 0 ? 2_000 : 1)}`
  const rows = Array.from({ length: ROWS }, (_row, index) => `Job ${index},${index},${link(index)}`)
  const texts = rows.flatMap((_row, index) =>
    index % WITH_TEXT === 0
      ? [[`Jobs/Job ${index}.md`, `See [Job 1](Job%20${(index + WITH_TEXT) % ROWS}.md)\n\n${'Text\n\n'.repeat(index % 30)}`]]
      : [],
  )
  return {
    'Home.md': '# Home\n\n![Tide](tide.png)\n\n[Jobs](Jobs.csv)\n\nAt the end\n',
    'Home/Inner.md': 'Inside\n',
    'tide.png': png,
    'unused.bin': 'x',
    'Jobs.csv': `Name,Number,Link\n${rows.join('\n')}\n`,
    ...Object.fromEntries(texts),
  }
}

/** The result of an import, exported again. */
async function exported(workspace: string): Promise<Record<string, unknown>> {
  const path = newPath()
  await cli.json('workspace', 'export', workspace, path, '--format', 'markdown')
  return filesOf(path)
}

/**
 * Imports, and kills the process each time the journal has grown by some lines.
 * @returns the result of the last run, and the number of kills
 */
async function importKilled(words: readonly string[], journal: string): Promise<{ result: JsonObject; killed: number }> {
  const lines = (): number => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length : 0)
  for (let killed = 0; ; killed += 1) {
    const from = lines()
    const run = spawnProcess('cli/main.js', words, settings)
    let hasEnded = false
    void run.ended.then(() => (hasEnded = true))
    await until(async () => hasEnded || (killed < KILLS_MAX && lines() >= from + 2) || undefined, undefined, WAIT_MS)
    if (!hasEnded) run.kill('SIGKILL')
    const { code } = await run.ended
    if (code !== null) {
      expect({ code, errors: run.errors() }).toEqual({ code: 0, errors: '' })
      return { result: parseObject(run.output()), killed }
    }
    // A process can be killed while it writes a line.
    appendFileSync(journal, '{"part":"rows ')
  }
}

inLongRuns(it)(
  'an import of pages resumes after its process was killed, without loss or duplicates',
  { timeout: 900_000 },
  async () => {
    const path = await makeZip(entries())
    const whole = await cli.json('workspace', 'import', path, '--name', 'Whole')
    const words = ['workspace', 'import', path, '--name', 'Killed', '--json']
    const { result, killed } = await importKilled(words, `${path}.progress`)
    expect(killed).toBe(KILLS_MAX)
    expect(existsSync(`${path}.progress`)).toBe(false)
    const id = textAt(result, 'workspace_id')
    expect(result).toMatchObject({ pages: 2, data_sources: 1, rows: ROWS, files: 1 })
    expect(lossesOf(result)).toEqual(lossesOf(whole))
    expect(lossesOf(whole)).toHaveLength(ROWS / 70 + 1)
    const files = await exported(id)
    expect(files).toEqual(await exported(textAt(whole, 'workspace_id')))
    const names = String(files['Jobs.csv']).trim().split('\r\n').slice(1)
    expect(names.map((line) => line.split(',')[0])).toEqual(Array.from({ length: ROWS }, (_row, index) => `Job ${index}`))
    expect(resultsOf(await cli.json('connection', 'list', '--workspace', id))).toEqual([])
  },
)

inLongRuns(it)('an import below a page resumes in the page that it has created', { timeout: 900_000 }, async () => {
  const path = await makeZip({ ...entries(), 'Jobs.csv': 'Name\nOne\n' })
  const words = ['workspace', 'import', path, '--workspace', exampleWorkspace.workspace.id, '--name', 'Below', '--json']
  const { result, killed } = await importKilled(words, `${path}.progress`)
  expect(killed).toBeGreaterThan(0)
  const server = await startTestServer(settings)
  try {
    const { body } = await server.owner.call('search', { body: { query: 'Below' } })
    expect(resultsOf(body).map(({ id }) => id)).toEqual([result['page_id']])
  } finally {
    await server.stop()
  }
})

it('an import of pages refuses to resume from the progress file of another import', async () => {
  const path = await makeZip({ 'One.md': 'Text' })
  appendFileSync(
    `${path}.progress`,
    `${JSON.stringify({ head: { task: 'another', seed: '', workspaceId: '', connectionId: '', token: '' } })}\n`,
  )
  const refusal = await new InProcessCommandLine(store.url, settings).refusal(['workspace', 'import', path, '--name', 'Other'], 1)
  expect(refusal).toContain('is the progress of another import')
})
