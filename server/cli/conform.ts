import { operations } from '../../generated/operations.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { targetOf } from './proxy.ts'
import { addReportOptions, announce, collect, conclude, parseReporting, type ReportOptions } from './reporting.ts'
import { textTable } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

interface ConformOptions extends ReportOptions {
  readonly token?: string
  readonly samples: string
  readonly only: readonly string[]
}

const SAMPLES_MAX = 100

export function addConformCommand(program: ServiceCommand): void {
  const command = program
    .command('conform')
    .description('hold a server of this protocol against the contract')
    .argument('<url>', 'address of the server')
    .option('--token <token>', 'token to call it with; better in CONFORM_TOKEN, where no other process sees it')
    .option('--only <operation>', 'call only this operation; repeatable', collect, [])
    .option('--samples <number>', 'how many records each operation is called with', '5')
  addReportOptions(command)
    .addHelpText(
      'after',
      `
It reads what the token sees and changes nothing. The requests are made from the contract: lists in small and large pages, parameters and
examples of bodies, every version, and requests that must be refused. It waits as long as the server's Retry-After says.`,
    )
    .example('conform https://workspace.example --report conformance.xml')
    .run(async (context, url: string, options: ConformOptions) => {
      const reporting = await parseReporting(options)
      const target = targetOf(url)
      const token = options.token ?? process.env['CONFORM_TOKEN']
      if (!token) throw usageError('A token is needed: --token, or CONFORM_TOKEN.')
      const samples = Number(options.samples)
      if (!Number.isInteger(samples) || samples < 1 || samples > SAMPLES_MAX)
        throw usageError(`--samples must be a whole number from 1 to ${SAMPLES_MAX}.`)
      const unknown = options.only.find((id) => !Object.hasOwn(operations, id))
      if (unknown !== undefined) throw usageError(`The contract has no operation ${unknown}.`)
      const [{ Run }, { ConformClient, ServerUnreachable }, { IdPool }, { ReadOnlyRun }] = await Promise.all([
        import('../conformance/run.ts'),
        import('../conformance/conform/conform_client.ts'),
        import('../conformance/conform/id_pool.ts'),
        import('../conformance/conform/read_only.ts'),
      ])
      const run = new Run('conform', target.origin, reporting.allowed, (group) => announce(context, group))
      const client = new ConformClient(run, target, token, {
        onWait: (seconds) => context.output.note(`The server asks to wait ${seconds} s.`),
      })
      const meter = context.output.meter('Checking')
      const only = options.only.length > 0 ? { only: new Set(options.only) } : {}
      await new ReadOnlyRun({ client, run, pool: new IdPool(), samples, ...only, onProgress: (share) => meter.at(share) })
        .run()
        .catch((error: unknown) => {
          throw error instanceof ServerUnreachable ? new CommandError(`${error.message}.`) : error
        })
      meter.done('Checked')
      const { operations: called, notCovered } = run.result
      await conclude(context, run, reporting, [
        ...textTable(
          ['OPERATION', 'EXCHANGES'],
          Object.entries(called)
            .toSorted()
            .map(([id, count]) => [id, String(count)]),
          '',
        ),
        '',
        ...textTable(
          ['NOT COVERED', 'WHY'],
          Object.entries(notCovered)
            .toSorted()
            .map(([id, why]) => [id, why]),
          'Every operation is covered.',
        ),
        '',
      ])
    })
}
