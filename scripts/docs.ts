/**
 * Renders the reference into docs/: static files that work from a disk and from a web server and call no outside address.
 *
 *     node scripts/docs.ts [--out docs] [--if-stale]
 *
 * `--if-stale` does nothing when the reference is newer than the contract, or where only what the service itself needs is installed;
 * `npm start` uses it.
 */

import { readdir, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { out: { type: 'string', default: join(projectRoot, 'docs') }, 'if-stale': { type: 'boolean', default: false } },
})
const spec = join(projectRoot, 'spec')
const page = join(values.out, 'index.html')

if (!values['if-stale'] || (await changedAt(page)) < (await lastChangeIn(spec))) {
  const tools = await loadTools()
  if (tools === undefined) console.warn('The reference is not rendered: its tools are not installed. `npm ci` installs them.')
  else await render(tools)
}

type Tools = Awaited<ReturnType<typeof importTools>>

/** Undefined where nobody asked for the reference, and its tools are missing. */
function loadTools(): Promise<Tools | undefined> {
  return importTools().catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && values['if-stale']) return undefined
    throw error
  })
}

async function importTools() {
  const [{ renderSite }, { sourcesOfReleases }, { readContract }, { faultsIn }, { publicYaml }] = await Promise.all([
    import('./docs/render.ts'),
    import('./docs/sources.ts'),
    import('./generate/contract.ts'),
    import('./generate/faults.ts'),
    import('./generate/generate.ts'),
  ])
  return { renderSite, sourcesOfReleases, readContract, faultsIn, publicYaml }
}

async function render({ renderSite, sourcesOfReleases, readContract, faultsIn, publicYaml }: Tools): Promise<void> {
  const started = performance.now()
  try {
    const contract = await readContract(join(spec, 'openapi.yaml'))
    const files = await renderSite(await sourcesOfReleases(contract), values.out)
    await writeFile(join(values.out, 'openapi.yaml'), publicYaml(contract.document))
    console.log(`${files.length} pages are ready after ${((performance.now() - started) / 1000).toFixed(1)} s: ${page}`)
  } catch (error) {
    console.error(faultsIn(error).join('\n'))
    process.exitCode = 1
  }
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
