/**
 * Builds the console, the pages at `/console`.
 *
 *     npm run console [-- --if-stale]
 *
 * With `--if-stale`, which `npm start` uses, it does nothing if the console was built from the same sources, or if the development
 * dependencies are not installed.
 */

import { parseCommandLine } from './parse_command_line.ts'

const { values } = parseCommandLine(import.meta.filename, { options: { 'if-stale': { type: 'boolean', default: false } } })
const tools = await loadTools()
if (tools === undefined) console.warn('The console is not built: its tools are not installed. `npm ci` installs them.')
else if (!values['if-stale'] || tools.isConsoleStale()) await run(tools)

type Tools = typeof import('./console/build_console.ts')

/** With `--if-stale`, undefined if the tools are not installed. */
function loadTools(): Promise<Tools | undefined> {
  return import('./console/build_console.ts').catch((error: unknown) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
    if (isMissing && values['if-stale']) return undefined
    throw error
  })
}

async function run({ buildConsole }: Tools): Promise<void> {
  const started = performance.now()
  await buildConsole()
  console.log(`The console is ready after ${((performance.now() - started) / 1000).toFixed(1)} s.`)
}
