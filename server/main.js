import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Has to come before what it is good for is loaded: later starts find every module read, stripped and compiled. Not TypeScript itself, so
// that what strips types need not even be loaded.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/workspace-service', import.meta.url)))
// Signals are heard while the rest is loaded. What they mean to a worker, its primary process decides.
const { Signals } = await import('./process/signals.ts')
const signals = cluster.isPrimary ? new Signals() : undefined
const { run } = await import('./process/run.ts')

/** `npm start`. */
await run(process.env, signals)
