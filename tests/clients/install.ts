import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { PublicClient } from './client.ts'
import { NotRun } from './not_run.ts'

/** Where packages are stored between runs: outside the repository, whose lock file does not contain them. */
export const cache = process.env['CLIENTS_CACHE'] ?? join(tmpdir(), 'workspace-service-clients')

/** A folder with an installed client, as users install it. */
export interface Installed {
  readonly folder: string
  /** Loads an installed package by name. */
  load(name: string): Promise<Readonly<Record<string, unknown>>>
}

/** @throws NotRun if the registry cannot be reached or lacks the version */
export async function install(client: Pick<PublicClient, 'package' | 'version' | 'beside'>): Promise<Installed> {
  const wanted = { [client.package]: client.version, ...client.beside }
  const folder = join(cache, Object.entries(wanted).flat().join('_').replaceAll('/', '-'))
  if (!existsSync(join(folder, 'complete'))) await fill(folder, wanted)
  const require = createRequire(join(folder, 'index.js'))
  return { folder, load: async (name) => asRecord(await import(pathToFileURL(locate(require, folder, name)).href)) }
}

async function fill(folder: string, wanted: Readonly<Record<string, string>>): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }))
  // Install scripts of third parties do not run: nothing here needs them.
  const options = [
    'install',
    '--fetch-retries=1',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    '--legacy-peer-deps',
  ]
  try {
    await promisify(execFile)('npm', options, { cwd: folder, timeout: 300_000 })
  } catch (cause) {
    const names = Object.entries(wanted).map(([name, version]) => `${name}@${version}`)
    throw new NotRun(`the package registry gave no ${names.join(', ')}: it can't be reached, or has no such version`, { cause })
  }
  await writeFile(join(folder, 'complete'), '')
}

/** The main file, also of packages that only have an entry for `import`. */
function locate(require: NodeJS.Require, folder: string, name: string): string {
  try {
    return require.resolve(name)
  } catch {
    return join(folder, 'node_modules', name, importedFile(require(join(folder, 'node_modules', name, 'package.json'))))
  }
}

function importedFile(manifest: unknown): string {
  const steps = [manifest, 'exports', '.', 'import'] as const
  let found: unknown = manifest
  for (const step of steps.slice(1)) {
    const next: unknown = asRecord(found)[String(step)]
    if (next !== undefined) found = next
  }
  if (typeof found === 'string') return found
  const { default: file, module: main } = asRecord(found)
  return String(file ?? main ?? 'index.js')
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return (typeof value === 'object' && value !== null) || typeof value === 'function' ? Object(value) : {}
}
