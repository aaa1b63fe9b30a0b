import cluster from 'node:cluster'
import { printWelcome } from '../bootstrap/welcome.ts'
import { readConfig, type Environment } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { startService } from '../service.ts'
import { releaseStartMemory } from './memory.ts'
import { startPrimary } from './primary.ts'
import { obeySignals } from './signals.ts'
import { describeStartFailure } from './start_failure.ts'
import { runWorker } from './worker.ts'

/** Runs the service until a signal stops it: `npm start` and `workspace-service serve`. */
export async function run(environment: Environment): Promise<void> {
  try {
    const config = readConfig(environment)
    if (cluster.isWorker) return await runWorker(config)
    const service =
      config.workers > 1
        ? await startPrimary(config)
        : await startService(config, systemClock, { beforeServing: releaseStartMemory })
    printWelcome(service)
    obeySignals(service, fail)
  } catch (error) {
    fail(error)
  }
}

function fail(error: unknown): never {
  process.stderr.write(`The service did not start.\n${describeStartFailure(error)}\n`)
  process.exit(1)
}
