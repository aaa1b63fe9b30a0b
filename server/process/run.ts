import cluster from 'node:cluster'
import { printWelcome } from '../bootstrap/welcome.ts'
import { parseConfig, type Environment } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { startService } from '../service.ts'
import { releaseStartMemory } from './memory.ts'
import { startPrimary } from './primary.ts'
import { Signals } from './signals.ts'
import { describeStartFailure } from './start_failure.ts'
import { runWorker } from './worker.ts'

/**
 * Runs the service until a signal stops it: `npm start` and `workspace-service serve`.
 * @param early signal handling that is already in place
 */
export async function run(environment: Environment, early?: Signals): Promise<void> {
  try {
    if (cluster.isWorker) return await runWorker(parseConfig(environment))
    const signals = early ?? new Signals()
    const config = parseConfig(environment)
    const service =
      config.workers > 1
        ? await startPrimary(config, (primary) => signals.obey(primary))
        : await startService(config, systemClock, { beforeServing: (made) => prepare(made, signals) })
    if (!signals.isStopping) printWelcome(service, config)
  } catch (error) {
    fail(error)
  }
}

/** Whoever reads that the service listens may tell it to stop. */
function prepare(made: Parameters<Signals['obey']>[0], signals: Signals): void {
  releaseStartMemory()
  signals.obey(made)
}

function fail(error: unknown): never {
  process.stderr.write(`The service did not start.\n${describeStartFailure(error)}\n`)
  process.exit(1)
}
