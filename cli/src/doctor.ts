import { ConfigError, parseConfig, type Config } from '@workspace-service/server/config.ts'
import { describeStartFailure } from '@workspace-service/server/process/start_failure.ts'
import { databaseExists } from '@workspace-service/server/store/backup.ts'
import type { Database } from '@workspace-service/server/store/database.ts'
import { engineFacts } from '@workspace-service/server/store/engine_facts.ts'
import { describeAddress, openExisting, type CommandContext } from './command_context.ts'
import {
  ok,
  problem,
  skipped,
  warning,
  type HealthCheck,
  type DoctorFinding,
  type Health,
  type CheckInput,
} from './doctor/finding.ts'
import { CommandError, exitCodes } from './exit_codes.ts'
import type { ServiceCommand } from './service_command.ts'

const MARKS: Record<Health, string> = { ok: 'ok     ', warning: 'warning', problem: 'PROBLEM', skipped: '-      ' }
const CHECK_WIDTH = 13

export function addDoctorCommand(program: ServiceCommand): void {
  program
    .command('doctor')
    .description('check the settings, the database and the machine for problems')
    .addHelpText(
      'after',
      `
It changes nothing, except for a count in Redis under a key of its own, and can run while the service is running. The exit code is 3 if there is a problem, and 0 if there are only warnings.`,
    )
    .run(async (context) => {
      const findings = await context.output.during('Checking', () => runChecks(context))
      const problems = findings.filter(({ health }) => health === 'problem').length
      const warnings = findings.filter(({ health }) => health === 'warning').length
      context.result(
        { healthy: problems === 0, problems, warnings, findings: findings.map((finding) => ({ ...finding })) },
        () => [...findings.flatMap(lines), '', summary(problems, warnings)],
      )
      if (problems > 0) process.exitCode = exitCodes.unhealthy
    })
}

async function runChecks(context: CommandContext): Promise<DoctorFinding[]> {
  const { config, finding: settings } = readSettings(context)
  const { database, finding: reachable } = await openDatabase(context, config)
  try {
    // Other commands do not need the modules of the checks, and start faster without them.
    const { checks } = await import('./doctor/checks.ts')
    const input: CheckInput = { config, database }
    const findings = [settings, reachable]
    for (const check of checks) findings.push(await run(check, input))
    return findings
  } finally {
    await database?.close()
  }
}

function readSettings({ environment }: CommandContext): { config: Config | undefined; finding: DoctorFinding } {
  try {
    const config = parseConfig(environment)
    return { config, finding: ok('settings', 'all settings are valid') }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return {
      config: undefined,
      finding: problem('settings', error.problems.join(' '), 'OPERATIONS.md explains each setting.'),
    }
  }
}

async function openDatabase(
  context: CommandContext,
  config: Config | undefined,
): Promise<{ database: Database | undefined; finding: DoctorFinding }> {
  if (config === undefined) return { database: undefined, finding: skipped('database', 'not checked without valid settings') }
  const { database: address } = config
  if (address.engine === 'sqlite' && address.path !== ':memory:' && !databaseExists(address.path)) {
    return {
      database: undefined,
      finding: warning('database', `the database ${address.path} does not exist yet`, 'The service creates it when it starts.'),
    }
  }
  let database: Database | undefined
  try {
    database = await openExisting(context)
    const { version } = await engineFacts(database)
    return { database, finding: ok('database', `${version} at ${describeAddress(config.database)}`) }
  } catch (error) {
    await database?.close()
    const detail = error instanceof CommandError ? error.message : describeStartFailure(error).replaceAll('\n', ' ')
    return { database: undefined, finding: problem('database', detail, 'Check DATABASE_URL, and that the server is running.') }
  }
}

/** A check that throws becomes a finding; the other checks continue. */
async function run(check: HealthCheck, input: CheckInput): Promise<DoctorFinding> {
  try {
    return await check(input)
  } catch (error) {
    return problem(
      check.name.replace(/^check/, '').toLowerCase(),
      `could not be checked: ${describeStartFailure(error).split('\n', 1)[0] ?? ''}`,
      'See the log of the service.',
    )
  }
}

function lines({ check, health, detail, advice }: DoctorFinding): string[] {
  const first = `${MARKS[health]}  ${check.padEnd(CHECK_WIDTH)}${detail}`
  return advice === undefined ? [first] : [first, `${' '.repeat(MARKS.ok.length + 2 + CHECK_WIDTH)}${advice}`]
}

function summary(problems: number, warnings: number): string {
  const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`
  return problems + warnings === 0 ? 'No problems found.' : `${count(problems, 'problem')}, ${count(warnings, 'warning')}.`
}
