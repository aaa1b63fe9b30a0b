import './prepare.js'
import cluster from 'node:cluster'

// Signals are heard while the rest is loaded. What they mean to a worker, its primary process decides.
const { Signals } = await import('./process/signals.ts')
const signals = cluster.isPrimary ? new Signals() : undefined
const { run } = await import('./process/run.ts')

/** `npm start`. */
await run(process.env, signals)
