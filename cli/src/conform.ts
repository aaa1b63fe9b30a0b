import { operations } from '../../generated/operations.ts'
import type { RunResult } from '@workspace-service/conformance/report/run_result.ts'
import type { CommandContext } from './command_context.ts'
import { conformFully, type FullConformance } from './conform_full.ts'
import { CommandError, usageError } from './exit_codes.ts'
import { keepYoungGenerationNow } from '@workspace-service/server/process/keep_young_generation.ts'
import { targetOf } from './proxy.ts'
import { addReportOptions, announce, collect, finishReport, parseReporting, type ReportOptions } from './reporting.ts'
import { textTable } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

interface ConformOptions extends ReportOptions {
  readonly token?: string
  readonly headerBrand?: string
  readonly samples: string
  readonly only: readonly string[]
  readonly full?: true
  readonly inside?: string
  readonly agent?: string
  readonly requests: string
}

const SAMPLES_MAX = 100
const REQUESTS_MAX = 100_000

export function addConformCommand(program: ServiceCommand): void {
  const command = program
    .command('conform')
    .description('check a server of this protocol against the contract')
    .argument('<url>', 'address of the server')
    .option('--token <token>', 'token to call it with; prefer CONFORM_TOKEN, which other processes cannot see')
    .option('--only <operation>', 'call only this operation; repeatable', collect, [])
    .option('--header-brand <brand>', "prefix of the server's header names, if not `Service`")
    .option('--samples <number>', 'number of records to call each operation with', '5')
  command
    .option('--full', 'write too, inside a page that it creates and moves to the trash at the end')
    .option(
      '--inside <page>',
      'with --full: id of the page to create the test page in; by default, the first that accepts child pages',
    )
    .option(
      '--agent <agent>',
      'with --full: id of an agent to start sessions with and to disable and enable; sessions stay, and cost its credits',
    )
    .option('--requests <number>', 'with --full: maximum number of requests', '5000')
  addReportOptions(command)
    .addHelpText(
      'after',
      `
By default, the command only reads what the token has access to, and changes nothing. Its requests are derived from the contract: lists in small
and large pages, parameters and examples of bodies, every version, and requests that the server must refuse. It honors Retry-After.

With --full, it also creates the records of the contract's examples inside its own page. It sends every example of a writing request, invalid
requests that the server must refuse, and retries with idempotency keys. It changes nothing outside that page, which it moves to the trash at the
end, even after SIGINT, SIGTERM or a failure. Its uploads expire, and its webhook subscriptions are deleted. It uses an agent only with --agent:
the agent replies and proposes a page, and the sessions remain, because sessions cannot be deleted.`,
    )
    .example('conform https://workspace.example --report conformance.xml')
    .example('conform https://workspace.example --full --inside 5df6f817-b099-4bcf-a0ec-6db25097c040')
    .run(async (context, url: string, options: ConformOptions) => {
      // The compiled contracts of all release dates leave little memory: delayed garbage collection would exceed it.
      keepYoungGenerationNow()
      const reporting = await parseReporting(options)
      const settings = parseOptions(url, options)
      const [{ Run }, { BrandForms }, { ServerUnreachable }] = await Promise.all([
        import('@workspace-service/conformance/run.ts'),
        import('@workspace-service/conformance/brand_forms.ts'),
        import('@workspace-service/conformance/conform/conform_client.ts'),
      ])
      const forms = BrandForms.of(options.headerBrand)
      const run = new Run('conform', settings.target.origin, reporting.allowed, (group) => announce(context, group), forms)
      const work = options.full ? conformFully(context, { ...settings, run }) : conformReading(context, { ...settings, run })
      const ending = await work.catch((error: unknown) => {
        throw error instanceof ServerUnreachable ? new CommandError(`${error.message}.`) : error
      })
      await finishReport(context, run, reporting, [...coverageLines(run.result), ...ending])
    })
}

type ConformSettings = Omit<FullConformance, 'run'>

/** @throws CommandError for unusable options */
function parseOptions(url: string, options: ConformOptions): ConformSettings {
  const target = targetOf(url)
  const token = options.token ?? process.env['CONFORM_TOKEN']
  if (!token) throw usageError('The server requires a token: give --token, or set CONFORM_TOKEN.')
  if (options.inside !== undefined && !options.full) throw usageError('--inside requires --full.')
  if (options.agent !== undefined && !options.full) throw usageError('--agent requires --full.')
  const unknown = options.only.find((id) => !Object.hasOwn(operations, id))
  if (unknown !== undefined) throw usageError(`--only names the operation ${unknown}, which the contract does not have.`)
  return {
    target,
    token,
    insideId: options.inside,
    agentId: options.agent,
    samples: numberOf('--samples', options.samples, SAMPLES_MAX),
    requestsMax: numberOf('--requests', options.requests, REQUESTS_MAX),
    only: options.only.length > 0 ? new Set(options.only) : undefined,
  }
}

function numberOf(option: string, text: string, max: number): number {
  const number = Number(text)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw usageError(`${option} must be a whole number from 1 to ${max}.`)
  return number
}

async function conformReading(context: CommandContext, options: FullConformance): Promise<readonly string[]> {
  const { run, target, token, samples, only } = options
  const [{ ConformClient }, { IdPool }, { ReadOnlyRun }] = await Promise.all([
    import('@workspace-service/conformance/conform/conform_client.ts'),
    import('@workspace-service/conformance/conform/id_pool.ts'),
    import('@workspace-service/conformance/conform/read_only.ts'),
  ])
  const onWait = (seconds: number): void => context.output.note(`The server asks to wait ${seconds} s.`)
  const client = new ConformClient(run, target, token, { onWait })
  const meter = context.output.meter('Checking')
  const onProgress = (share: number): void => meter.at(share)
  await new ReadOnlyRun({ client, run, pool: new IdPool(), samples, ...(only && { only }), onProgress }).run()
  meter.done('Checked')
  return []
}

function coverageLines({ operations: called, notCovered }: RunResult): readonly string[] {
  return [
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
        .map(([id, reason]) => [id, reason]),
      'Every operation is covered.',
    ),
    '',
  ]
}
