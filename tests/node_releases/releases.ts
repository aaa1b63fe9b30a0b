import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { install } from '../clients/install.ts'

/** A release of Node.js to test the package on. */
export interface WantedRelease {
  /** A release, or a line, which means its newest release. */
  readonly wanted: string
  readonly isRefused: boolean
}

const oldest: unknown = JSON.parse(readFileSync(new URL('../../bin/oldest_node.json', import.meta.url), 'utf8'))
if (!Array.isArray(oldest)) throw new Error('bin/oldest_node.json is not a list')

/** The oldest supported release, the newest of each line with long-term support, and one that is too old. */
export const releases: readonly WantedRelease[] = [
  { wanted: `${oldest.join('.')}.0`, isRefused: false },
  { wanted: '22', isRefused: false },
  { wanted: '24', isRefused: false },
  { wanted: '26', isRefused: false },
  { wanted: '20', isRefused: true },
]

/** An installed Node.js. */
export interface Runtime {
  readonly version: string
  /** The folder of its program `node`. */
  readonly bin: string
}

/**
 * Gets a release from the package registry, which has a package for each platform.
 * @throws Error if it is unavailable
 */
export async function takeRelease({ wanted }: WantedRelease): Promise<Runtime> {
  const name = packageOf(process.platform, process.arch)
  const version = await newest(name, wanted)
  const { folder } = await install({ package: name, version, beside: {} })
  return { version, bin: join(folder, 'node_modules', name, 'bin') }
}

/** Named as by the package `node`, which would only download one of these. */
function packageOf(platform: NodeJS.Platform, arch: string): string {
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return [prefix, platform === 'win32' ? 'win' : platform, arch].join('-')
}

async function newest(name: string, wanted: string): Promise<string> {
  const options = ['view', `${name}@${wanted}`, 'version', '--json', '--fetch-retries=1', '--loglevel=silent']
  const { stdout } = await promisify(execFile)('npm', options, { timeout: 120_000 }).catch(() => ({ stdout: '' }))
  const found: unknown = stdout.trim() === '' ? [] : JSON.parse(stdout)
  const [version] = (Array.isArray(found) ? found : [found]).map(String).toSorted((one, other) => byNumber(other, one))
  if (version === undefined) throw new Error(`the package registry gave no ${name}@${wanted}`)
  return version
}

function byNumber(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true })
}
