/**
 * For designers: watches spec/, and after each change generates, lints, and shows the rendered reference, which refreshes itself.
 *
 *     node scripts/dev.ts [--port 4020]
 */

import { watch } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startServer } from './dev/server.ts'
import { renderSite } from './docs/render.ts'
import { sourcesOf } from './docs/sources.ts'
import { readContract } from './generate/contract.ts'
import { publicYaml } from './generate/generate.ts'
import { lintContract } from './lint/lint.ts'
import { report } from './lint/report.ts'

const quietTime = 200 // milliseconds without a change before work begins
const projectRoot = resolve(import.meta.dirname, '..')
const root = join(projectRoot, 'spec/openapi.yaml')
const generated = join(projectRoot, 'generated')
const { values } = parseArgs({ options: { port: { type: 'string', default: '4020' } } })

const folder = await mkdtemp(join(tmpdir(), 'dev-docs-'))
const server = await startServer(folder, Number(values.port))
let timer: NodeJS.Timeout | undefined
let working = false
let changed = false

await work()
console.log(`\nReference: http://127.0.0.1:${server.port}   watching spec/ …`)
watch(join(projectRoot, 'spec'), { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(() => void work(), quietTime)
})

/** One round; a change that comes meanwhile starts another when it is over. */
async function work(): Promise<void> {
  changed = true
  if (working) return
  working = true
  while (changed) {
    changed = false
    await round()
  }
  working = false
}

async function round(): Promise<void> {
  const started = performance.now()
  try {
    const contract = await readContract(root)
    await writeFile(join(generated, 'openapi.yaml'), publicYaml(contract.document))
    const page = renderSite([await sourcesOf(contract)], folder, server.reloadScript).then(server.reload)
    const [problems] = await Promise.all([lintContract(root), page])
    console.log(`\n${report(problems)}`)
  } catch (error) {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  }
  console.log(`${new Date().toLocaleTimeString('en-GB')}  ${((performance.now() - started) / 1000).toFixed(1)} s`)
}
