import './prepare.js'
import cluster from 'node:cluster'

// Signals are handled while the rest is loaded. For workers, the primary process decides how to react.
const { Signals } = await import('./process/signals.ts')
const signals = cluster.isPrimary ? new Signals() : undefined
const { run } = await import('./process/run.ts')

/** `npm start`. */
await run(process.env, () => import('@workspace-service/mcp/index.ts'), signals)
