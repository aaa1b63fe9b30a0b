import { withOverrides } from '../config/environment.ts'
import { usageError } from './exit_codes.ts'
import type { ServiceCommand } from './service_command.ts'

interface ServeOptions {
  readonly host?: string
  readonly port?: string
  readonly workers?: string
}

export function addServeCommand(program: ServiceCommand): void {
  program
    .command('serve')
    .description('run the service until a signal stops it; the default command')
    .option('--host <address>', 'address to listen on (WORKSPACE_HOST)')
    .option('-p, --port <port>', 'port to listen on; 0 picks a free one (WORKSPACE_PORT)')
    .option('--workers <number>', 'number of processes that serve requests; `auto` for one per core (WORKSPACE_WORKERS)')
    .addHelpText(
      'after',
      `
Options override the settings in parentheses; OPERATIONS.md explains every setting. On the first SIGINT or SIGTERM, the service finishes
requests in flight; a second one ends it at once. SIGHUP reloads the certificate.`,
    )
    .run(async ({ environment, output }, { host, port, workers }: ServeOptions) => {
      if (output.isJson) throw usageError('serve has no result to print as JSON; its log is JSON already.')
      // Workers inherit the environment of this process.
      Object.assign(process.env, withOverrides(environment, { HOST: host, PORT: port, WORKERS: workers }))
      // Other commands do not need the whole service and start faster without it.
      const { run } = await import('../process/run.ts')
      await run(process.env)
      // The command never returns; a signal ends the process.
      await new Promise(() => undefined)
    })
}
