/**
 * Renders the reference into docs/: static files that work from a disk and from a web server and load nothing from other hosts.
 *
 *     node scripts/docs.ts [--out docs] [--if-stale] [--overlay brand.yaml] [--base-url https://docs.example/reference/]
 *
 * With an overlay, everything has the names of a brand, and its contract, collections and client are written, too. `--base-url` is the
 * address of the site in its Markdown and lists, by default `/docs/` of the contract's first server. With `--if-stale`, which `npm start`
 * uses, it does nothing if the reference is newer than the contract or the development dependencies are not installed.
 */

import { readdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseCommandLine } from './parse_command_line.ts'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseCommandLine(import.meta.filename, {
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

/** With `--if-stale`, undefined if the tools are not installed. */
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

/** The time of the last change of a folder or of anything in it. */
async function lastChangeIn(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  return Math.max(...(await Promise.all(['', ...names].map((name) => changedAt(join(folder, name))))))
}

/** In milliseconds since 1970; 0 if there is no such file. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}
