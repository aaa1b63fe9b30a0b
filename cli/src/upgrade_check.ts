import { resolve } from 'node:path'
import { newestRelease, releaseDates } from '../../generated/operations.ts'
import type { ReleaseDate } from '../../generated/types.ts'
import { CommandError, exitCodes, usageError } from './exit_codes.ts'
import type { JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'
import type { UpgradeFinding } from './upgrade_check/findings.ts'
import type { CodeDate, UpgradeReport } from './upgrade_check/upgrade_check.ts'

interface UpgradeCheckOptions {
  readonly from?: string
  readonly to: string
}

export function addUpgradeCheckCommand(program: ServiceCommand): void {
  program
    .command('upgrade-check')
    .description('list the calls and fields of a code base that another release date changes')
    .argument('<folder>', 'folder with TypeScript or JavaScript that calls the API')
    .option('--from <date>', 'release date that the code uses now; by default, the oldest that it names, or the last before --to')
    .option('--to <date>', 'release date to upgrade to', newestRelease)
    .addHelpText(
      'after',
      `
It recognizes the calls of this service's client, of openapi-fetch and of other clients of the protocol whose methods have the names of operations,
and follows what the code sends and reads, through variables, functions and files. A line with "check" names a change that the code alone cannot
decide. The command exits with 1 if anything has to change.`,
    )
    .example('upgrade-check src --from 2022-06-28')
    .run(async (context, folder: string, options: UpgradeCheckOptions) => {
      const to = dateOf('--to', options.to)
      const { checkUpgrade } = await import('./upgrade_check/upgrade_check.ts')
      const report = await checkUpgrade(resolve(folder), (dates) => startOf(options.from, dates, to), to)
      if (report.files + report.unreadable.length === 0) throw new CommandError(`${folder} contains no TypeScript or JavaScript.`)
      context.result(jsonOf(report), () => linesOf(report))
      for (const { path, reason } of report.unreadable) context.output.note(`Not read: ${path}: ${reason}`)
      if (report.findings.length > 0) process.exitCode = exitCodes.failed
    })
}

/** @throws CommandError for anything else than a release date */
function dateOf(option: string, text: string): ReleaseDate {
  const date = releaseDates.find((one) => one === text)
  if (!date) throw usageError(`${option}: expected a release date, one of ${releaseDates.join(', ')}, got ${text}`)
  return date
}

function startOf(wanted: string | undefined, dates: readonly string[], to: ReleaseDate): ReleaseDate {
  const [oldest] = dates.filter((date) => date < to).toSorted()
  const before = releaseDates.findLast((date) => date < to)
  const from = dateOf('--from', wanted ?? oldest ?? before ?? to)
  if (from >= to) throw usageError(`--from: expected a release date before ${to}, got ${from}`)
  return from
}

function linesOf({ from, to, files, calls, findings, dates }: UpgradeReport): readonly string[] {
  const certain = findings.filter(({ isCertain }) => isCertain).length
  const sum = `${files} files with ${calls} calls, from ${from} to ${to}: ${certain} to change, ${findings.length - certain} to check.`
  const old = dates.filter(({ date }) => date < to)
  return [
    ...findings.flatMap(findingLines),
    ...old.map(({ file, line, date }) => `${file}:${line}: names ${date}. Change it last, to ${to}.`),
    ...(findings.length + old.length > 0 ? [''] : []),
    sum,
  ]
}

function findingLines({ file, line, column, subject, operation, isCertain, change, advice }: UpgradeFinding): readonly string[] {
  const of = operation === undefined || operation === subject ? '' : ` of ${operation}`
  const since = change ? ` [${change.id}, ${change.date}]` : ''
  return [`${file}:${line}:${column}: ${isCertain ? '' : 'check '}${subject}${of}${since}`, `    ${advice}`]
}

function jsonOf({ from, to, files, calls, findings, dates }: UpgradeReport): JsonResult {
  return {
    from,
    to,
    files,
    calls,
    findings: findings.map(({ file, line, column, subject, operation, isCertain, change, advice }) => ({
      file,
      line,
      column,
      subject,
      operation: operation ?? null,
      certain: isCertain,
      change: change ? { id: change.id, date: change.date } : null,
      advice,
    })),
    dates: dates.map(({ file, line, date }: CodeDate) => ({ file, line, date })),
  }
}
