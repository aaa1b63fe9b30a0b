import { withoutSettings } from '@workspace-service/server/config/environment.ts'
import type { Environment } from '@workspace-service/server/config.ts'
import type { Logger } from 'pino'
import type { ContractRefusal } from '@workspace-service/server/http/contract_server.ts'
import { makeLog } from '@workspace-service/server/log.ts'
import { startControl } from './control/start_control.ts'
import { createTestServer, testConfig, type TestServer, type TestServerOptions } from './create_test_server.ts'
import { Signals } from '@workspace-service/server/process/signals.ts'
import { describeStartFailure } from '@workspace-service/server/process/start_failure.ts'

/** Fixed settings of a test service, which override the environment of a permanent service. */
const OWN = ['DATABASE_URL', 'FILES_URL', 'WORKERS', 'BOOTSTRAP_TOKEN', 'BOOTSTRAP_SAMPLE', 'REDIS_URL'] as const
const PORT = 4000

interface TestServiceOptions extends Pick<TestServerOptions, 'time' | 'seed' | 'prefer'> {
  /** Whether the addresses and the token are printed as one line of JSON. */
  readonly isJson: boolean
}

/** Runs a service for tests, with the control API beside it, until a signal stops it: `workspace-service --test`. */
export async function runTestService(environment: Environment, { isJson, ...options }: TestServiceOptions): Promise<void> {
  const signals = new Signals()
  try {
    const settings = withoutSettings(environment, OWN)
    const config = testConfig(PORT, settings)
    const { control: address, preferFaults } = config
    const log = makeLog(config)
    const prefer = options.prefer === true || preferFaults
    const server = await createTestServer({ ...options, prefer, port: PORT, settings })
    const onRefusal = (refusal: ContractRefusal): void => logRefusal(log, refusal)
    const control = await startControl(server, address, reportFault, onRefusal, options.seed).catch(async (error: unknown) => {
      await server.close()
      throw error
    })
    signals.attach({
      renewTls: () => undefined,
      stop: async () => {
        await control.closeAtOnce()
        await server.close()
      },
    })
    if (!signals.isStopping) process.stdout.write(isJson ? factsOf(server, control.url) : welcomeTo(server, control.url))
  } catch (error) {
    const reason = error instanceof RangeError ? error.message : describeStartFailure(error)
    process.stderr.write(`The test service did not start.\n${reason}\n`)
    process.exit(1)
  }
}

function reportFault(error: unknown): void {
  process.stderr.write(`The control API failed to handle a request.\n${describeStartFailure(error)}\n`)
}

/** Logs a refusal by the control API. The service's own refusals are in its database, which no other process can open. */
function logRefusal(log: Logger, { requestId, message, ...refusal }: ContractRefusal): void {
  log.info({ request_id: requestId, ...refusal, operation: 'control' }, message)
}

function factsOf({ url, token, workspace }: TestServer, control: string): string {
  return `${JSON.stringify({ url, control_url: control, token, workspace_id: workspace.id })}\n`
}

function welcomeTo({ url, token }: TestServer, control: string): string {
  const lines = [
    `The workspace service listens for tests on ${url}`,
    '',
    `Control API   ${control}`,
    `Its contract  ${control}/openapi.yaml`,
    `Token         ${token}`,
    'Data          in memory, lost when the service stops',
    '',
    'Make the next request fail, then restore the state at the start:',
    '',
    `  curl ${control}/v1/faults -H 'Content-Type: application/json' -d '{"code": "rate_limited", "next": 1}'`,
    `  curl -X POST ${control}/v1/server/reset`,
    '',
    'Recipes for pytest, Go and JUnit are in the guide to testing:',
    `${url}/docs/guides/testing`,
    '',
    'Ctrl+C stops it.',
  ]
  return `\n${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n\n`
}
