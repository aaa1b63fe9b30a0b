/** Builds the console into `console/dist/` by Vite. */

import { hash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'
import { designTokens } from '../../server/http/design_tokens.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'console')
/** Identifies the sources that the console was built from. */
const STAMP = join(folder, '.made_of')
const SOURCES = [
  'console/src/**/*',
  'console/index.html',
  'generated/console_types.ts',
  'server/http/design_tokens.ts',
  'scripts/console/*.ts',
  'package-lock.json',
]

/** Whether the console has not been built, or was built from other sources. */
export function isConsoleStale(): boolean {
  return !existsSync(join(folder, 'dist/index.html')) || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stateOf()
}

export async function buildConsole(): Promise<void> {
  await build({
    configFile: false,
    root: folder,
    // The server writes the path of its address in place of the first part.
    base: '/__BASE__/console/',
    logLevel: 'warn',
    plugins: [tokens],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      outDir: 'dist',
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      reportCompressedSize: false,
    },
  })
  writeFileSync(STAMP, stateOf())
}

/** Puts the colors of all pages for people in front of the style sheet. */
const tokens: Plugin = {
  name: 'design-tokens',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('/src/styles.css') ? { code: designTokens + code, map: null } : undefined),
}

function stateOf(): string {
  const names = globSync(SOURCES, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
  return hash('sha256', names.map((name) => `${name.slice(root.length)} ${hash('sha256', readFileSync(name))}`).join('\n'))
}
