import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../../scripts/chromium.ts'

/** Programs besides Node that tests need. An environment variable tells workers which one is missing, and why; users may also set it. */
const REDIS_MISSING = 'TESTS_WITHOUT_REDIS'
const CHROMIUM_MISSING = 'TESTS_WITHOUT_CHROMIUM'

/** Why tests that need Redis are skipped; undefined if they are not. */
export const whyNoRedis = (): string | undefined => process.env[REDIS_MISSING] || undefined

/** Why tests in a browser are skipped; undefined if they are not. */
export const whyNoChromium = (): string | undefined => process.env[CHROMIUM_MISSING] || undefined

/** Finds or installs the programs: the browser from a package, Redis by the package manager of the system. */
export async function providePrograms(): Promise<void> {
  if (whyNoChromium() === undefined) {
    const found = await findChromium()
    if ('path' in found) process.env['CHROMIUM_PATH'] = found.path
    else process.env[CHROMIUM_MISSING] = found.missing
  }
  if (whyNoRedis() === undefined && !hasProgram('redis-server')) {
    const reason = await installRedis()
    if (reason !== undefined) process.env[REDIS_MISSING] = reason
  }
}

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}

/** @returns the reason of a failure; undefined on success */
async function installRedis(): Promise<string | undefined> {
  if (!hasProgram('apt-get') || process.getuid?.() !== 0) return 'redis-server is not installed; install it to run them'
  process.stderr.write('The tests need redis-server, which is not installed. Installing it: apt-get install redis-server\n')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await promisify(execFile)('apt-get', ['update', '-qq'], { env: environment })
    await promisify(execFile)('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'redis-server'], {
      env: environment,
    })
    return undefined
  } catch (error) {
    return `redis-server could not be installed by apt-get: ${String(error).split('\n')[0]}`
  }
}
