/**
 * Renders the reference into docs/: static files that work from a disk and from a web server and call no outside address.
 *
 *     node scripts/docs.ts [--out docs] [--if-stale] [--overlay brand.yaml] [--base-url https://docs.example/reference/]
 *
 * With an overlay, everything bears the names of a brand, and its contract, collections and client are beside the pages.
 * `--base-url` is where the site will be published, for its `sitemap.txt`; otherwise it is at `/docs/` of the contract's first server.
 * `--if-stale` does nothing when the reference is newer than the contract, or where only what the service itself needs is installed;
 * `npm start` uses it.
 */

import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(projectRoot, 'docs') },
    overlay: { type: 'string' },
    'base-url': { type: 'string' },
    'if-stale': { type: 'boolean', default: false },
  },
})
const spec = join(projectRoot, 'spec')
const page = join(values.out, 'index.html')

if (!values['if-stale'] || (await changedAt(page)) < (await lastChangeIn(spec))) {
  const tools = await loadTools()
  if (tools === undefined) console.warn('The reference is not rendered: its tools are not installed. `npm ci` installs them.')
  else await render(tools)
}

type Tools = typeof import('./docs/write_reference.ts')

/** Undefined where nobody asked for the reference, and its tools are missing. */
function loadTools(): Promise<Tools | undefined> {
  return import('./docs/write_reference.ts').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && values['if-stale']) return undefined
    throw error
  })
}

async function render({ writeReference, faultsIn }: Tools): Promise<void> {
  const started = performance.now()
  try {
    const pages = await writeReference(spec, resolve(values.out), { overlay: values.overlay, baseUrl: values['base-url'] })
    console.log(`${pages} pages are ready after ${((performance.now() - started) / 1000).toFixed(1)} s: ${page}`)
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
