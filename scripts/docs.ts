/**
 * Renders the reference into docs/: static files that work from a disk and from a web server and call no outside address.
 *
 *     node scripts/docs.ts [--out docs] [--if-stale]
 *
 * `--if-stale` does nothing when the reference is newer than what it is made from; `npm start` uses it.
 */

import { copyFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renderSite } from './docs/render.ts'
import { readSources } from './docs/sources.ts'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(projectRoot, 'docs') }, 'if-stale': { type: 'boolean', default: false } },
})
const bundle = join(projectRoot, 'generated/openapi.yaml')
const page = join(values.out, 'index.html')

const sources = [bundle, join(projectRoot, 'generated/versions.md'), join(projectRoot, 'spec/guides')]
if (!values['if-stale'] || (await changedAt(page)) < Math.max(...(await Promise.all(sources.map(changedAt))))) await render()

async function render(): Promise<void> {
  const started = performance.now()
  const files = await renderSite(await readSources(projectRoot), values.out)
  await copyFile(bundle, join(values.out, 'openapi.yaml'))
  console.log(`${files.length} pages are ready after ${((performance.now() - started) / 1000).toFixed(1)} s: ${page}`)
}

/** Milliseconds since 1970, 0 for a file that is not there. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
