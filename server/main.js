import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Has to come before what it is good for is loaded: later starts find every module read, stripped and compiled. Not TypeScript itself, so
// that what strips types need not even be loaded.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/workspace-service', import.meta.url)))
const { run } = await import('./process/run.ts')

/** `npm start`. */
await run(process.env)
