import cluster from 'node:cluster'
import { printWelcome } from '../bootstrap/welcome.ts'
import { parseConfig, type Config, type Environment } from '../config.ts'
import type { LoadTools } from '../http/assistant_tools.ts'
import { systemClock } from '../kernel/clock.ts'
import { composeService, type Service } from '../service.ts'
import { developmentOverrides } from './development_overrides.ts'
import { keepYoungGeneration } from './keep_young_generation.ts'
import { startPrimary } from './primary.ts'
import { Signals } from './signals.ts'
import { describeStartFailure } from './start_failure.ts'
import { runWorker } from './worker.ts'

/**
 * Runs the service until a signal stops it: `npm start` and `workspace-service serve`.
 * @param loadTools loads the tools for assistants
 * @param early the signal handling that is already in place, if any
 */
export async function run(environment: Environment, loadTools: LoadTools, early?: Signals): Promise<void> {
  try {
    if (cluster.isWorker) return await runWorker(parseConfig(environment), loadTools)
    const signals = early ?? new Signals()
    const config = parseConfig(environment)
    const service =
      config.workers > 1
        ? await startPrimary(config, (primary) => signals.attach(primary))
        : await startAlone(config, loadTools, signals)
    if (!signals.isStopping) printWelcome(service, config)
    keepYoungGeneration()
  } catch (error) {
    fail(error)
  }
}

async function startAlone(config: Config, loadTools: LoadTools, signals: Signals): Promise<Service> {
  // Called before the service announces that it is listening, so that signals work from then on.
  const cluster = { beforeServing: (made: Parameters<Signals['attach']>[0]) => signals.attach(made) }
  return composeService(config, systemClock, cluster, undefined, await developmentOverrides(config), loadTools)
}

function fail(error: unknown): never {
  process.stderr.write(`The service did not start.\n${describeStartFailure(error)}\n`)
  process.exit(1)
}
