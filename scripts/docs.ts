/**
 * Renders the reference into docs/: static files that work from a disk and from a web server and call no outside address.
 *
 *     node scripts/docs.ts [--out docs] [--if-stale] [--overlay brand.yaml]
 *
 * With an overlay, everything bears the names of a brand, and its contract, collections and client are beside the pages.
 * `--if-stale` does nothing when the reference is newer than the contract; `npm start` uses it.
 */

import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { renderSite } from './docs/render.ts'
import { sourcesOfReleases } from './docs/sources.ts'
import { readContract, type Contract } from './generate/contract.ts'
import { faultsIn } from './generate/faults.ts'
import { projectRoot } from './generate/files.ts'
import { contractFiles } from './generate/generate.ts'
import { publishBrand } from './brand/publish.ts'
import type { SiteFile } from './docs/releases.ts'
import { writeFiles } from './generate/write.ts'

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'docs') },
    overlay: { type: 'string' },
    'if-stale': { type: 'boolean', default: false },
  },
})
const spec = join(projectRoot, 'spec')
const page = join(values.out, 'index.html')

if (!values['if-stale'] || (await changedAt(page)) < (await lastChangeIn(spec))) await render()

async function render(): Promise<void> {
  const started = performance.now()
  try {
    const contract = await readContract(join(spec, 'openapi.yaml'))
    const files = await write(contract, resolve(values.out))
    console.log(`${files.length} pages are ready after ${((performance.now() - started) / 1000).toFixed(1)} s: ${page}`)
  } catch (error) {
    console.error(faultsIn(error).join('\n'))
    process.exitCode = 1
  }
}

async function write(contract: Contract, folder: string): Promise<readonly SiteFile[]> {
  const releases = await sourcesOfReleases(contract)
  if (values.overlay !== undefined) return publishBrand(releases, resolve(values.overlay), folder)
  const files = await renderSite(releases, folder)
  await writeFiles(contractFiles('openapi', contract.document), folder)
  return files
}

/** When a file of the folder, or what there is in it, last changed. */
async function lastChangeIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  return Math.max(...(await Promise.all(['', ...names].map((name) => changedAt(join(folder, name))))))
}

/** Milliseconds since 1970, 0 for a file that is not there. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
