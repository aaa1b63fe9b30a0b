import { withOverrides, type Environment } from '@workspace-service/server/config/environment.ts'
import { usageError } from './exit_codes.ts'
import type { ServiceCommand } from './service_command.ts'

interface ServeOptions {
  readonly host?: string
  readonly port?: string
  readonly workers?: string
  readonly test?: true
  readonly controlPort?: string
  readonly time?: string
  readonly idSeed?: string
  readonly prefer?: true
}

export function addServeCommand(program: ServiceCommand): void {
  program
    .command('serve')
    .description('run the service until a signal stops it; the default command')
    .option('--host <address>', 'address to listen on (WORKSPACE_HOST)')
    .option('-p, --port <port>', 'port to listen on; 0 picks a free one (WORKSPACE_PORT)')
    .option('--workers <number>', 'number of processes that serve requests; `auto` for one per core (WORKSPACE_WORKERS)')
    .option('--test', 'run a service for tests: in memory, with one empty workspace, and the control API beside it')
    .option('--control-port <port>', 'with --test, port of the control API; 0 picks a free one (WORKSPACE_CONTROL_PORT)')
    .option('--time <time>', 'with --test, the time of its clock, which is stopped until it is set or advanced')
    .option('--id-seed <text>', 'with --test, makes ids, tokens, cursors and links the same in each run')
    .option('--prefer', 'with --test, allows requests to cause faults by a Prefer header (WORKSPACE_PREFER_FAULTS)')
    .addHelpText(
      'after',
      `
Options override the settings in parentheses; OPERATIONS.md explains every setting. On the first SIGINT or SIGTERM, the service finishes
requests in flight; a second one ends it at once. SIGHUP reloads the certificate.`,
    )
    .example(
      '--test --port 0 --control-port 0 --json',
      ' a service for a test run, whose addresses and token are one line of JSON:',
    )
    .run(async ({ environment, output, hasOwnDatabase }, options: ServeOptions) => {
      const { host, port, workers, test } = options
      if (test && hasOwnDatabase)
        throw usageError('A test service keeps its data in memory: --test cannot be combined with --database.')
      if (test) return serveTests(environment, options, output.isJson)
      requireNoTestOptions(options)
      if (output.isJson) throw usageError('serve has no result to print as JSON; its log is JSON already.')
      // Workers inherit the environment of this process.
      Object.assign(process.env, withOverrides(environment, { HOST: host, PORT: port, WORKERS: workers }))
      // Other commands do not need the whole service and start faster without it.
      const { run } = await import('@workspace-service/server/process/run.ts')
      await run(process.env, () => import('@workspace-service/mcp/index.ts'))
      // The command never returns; a signal ends the process.
      await new Promise(() => undefined)
    })
}

/** Serves until a signal stops it. */
async function serveTests(environment: Environment, options: ServeOptions, isJson: boolean): Promise<void> {
  const { host, port, workers, controlPort, time, idSeed, prefer } = options
  if (workers !== undefined) throw usageError('A test service is one process: --test cannot be combined with --workers.')
  const settings = withOverrides(environment, { HOST: host, PORT: port, CONTROL_PORT: controlPort })
  const { runTestService } = await import('@workspace-service/testkit/run_test_service.ts')
  await runTestService(settings, {
    ...(time !== undefined && { time }),
    ...(idSeed !== undefined && { seed: idSeed }),
    prefer: prefer === true,
    isJson,
  })
  await new Promise(() => undefined)
}

function requireNoTestOptions({ controlPort, time, idSeed, prefer }: ServeOptions): void {
  const given = Object.entries({ '--control-port': controlPort, '--time': time, '--id-seed': idSeed, '--prefer': prefer })
  const [first] = given.find(([, value]) => value !== undefined) ?? []
  if (first !== undefined) throw usageError(`${first} requires --test.`)
}
