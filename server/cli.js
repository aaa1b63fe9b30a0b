import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Has to come before what it is good for is loaded: later starts find every module read, stripped and compiled. Not TypeScript itself, so
// that what strips types need not even be loaded.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/workspace-service', import.meta.url)))
const { runCommandLine } = await import('./cli/program.ts')

/** `workspace-service`, `npm run cli -- …`. */
process.exit(await runCommandLine(process.argv.slice(2)))
