import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findChromium } from '../../scripts/chromium.ts'

/** Programs besides Node that tests need. An environment variable tells workers which one is missing, and why; users may also set it. */
const REDIS_MISSING = 'TESTS_WITHOUT_REDIS'
const PGBOUNCER_MISSING = 'TESTS_WITHOUT_PGBOUNCER'
const CHROMIUM_MISSING = 'TESTS_WITHOUT_CHROMIUM'

/** Why tests that need Redis are skipped; undefined if they are not. */
export const whyNoRedis = (): string | undefined => process.env[REDIS_MISSING] || undefined

/** Why tests that need PgBouncer fail; undefined if it is there. */
export const whyNoPgBouncer = (): string | undefined => process.env[PGBOUNCER_MISSING] || undefined

/** Why tests in a browser are skipped; undefined if they are not. */
export const whyNoChromium = (): string | undefined => process.env[CHROMIUM_MISSING] || undefined

/** Finds or installs the programs: the browser from a package, Redis and PgBouncer by the package manager of the system. */
export async function providePrograms(): Promise<void> {
  if (whyNoChromium() === undefined) {
    const found = await findChromium()
    if ('path' in found) process.env['CHROMIUM_PATH'] = found.path
    else process.env[CHROMIUM_MISSING] = found.missing
  }
  await provide('redis-server', REDIS_MISSING)
  await provide('pgbouncer', PGBOUNCER_MISSING)
}

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}

/** @param missing the variable that gets the reason of a failure */
async function provide(program: string, missing: string): Promise<void> {
  if (process.env[missing] || hasProgram(program)) return
  const reason = await install(program)
  if (reason !== undefined) process.env[missing] = reason
}

/** @returns the reason of a failure; undefined on success */
async function install(program: string): Promise<string | undefined> {
  if (!hasProgram('apt-get') || process.getuid?.() !== 0) return `${program} is not installed; install it to run them`
  process.stderr.write(`The tests need ${program}, which is not installed. Installing it: apt-get install ${program}\n`)
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await promisify(execFile)('apt-get', ['update', '-qq'], { env: environment })
    await promisify(execFile)('apt-get', ['install', '-y', '-qq', '--no-install-recommends', program], {
      env: environment,
    })
    return undefined
  } catch (error) {
    return `${program} could not be installed by apt-get: ${String(error).split('\n')[0]}`
  }
}
