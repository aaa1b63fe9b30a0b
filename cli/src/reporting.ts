import { readFile, writeFile } from 'node:fs/promises'
import type { FindingGroup } from '@workspace-service/conformance/finding_log.ts'
import { formatOf, reportFormats, reportText, type ReportFormat } from '@workspace-service/conformance/report/report.ts'
import { findingLine, sampleLine } from '@workspace-service/conformance/report/run_result.ts'
import type { Run } from '@workspace-service/conformance/run.ts'
import type { CommandContext } from './command_context.ts'
import { CommandError, exitCodes, usageError } from './exit_codes.ts'
import { requireExistingFile, requireFolderOf } from './file_problem.ts'
import type { JsonResult } from './output.ts'
import type { ServiceCommand } from './service_command.ts'

/** Options of commands that check a server against the contract. */
export interface ReportOptions {
  readonly report?: string
  readonly format?: string
  readonly maxFindings: string
  readonly allow: readonly string[]
  readonly baseline?: string
}

export function addReportOptions(command: ServiceCommand): ServiceCommand {
  return command
    .option('--report <file>', 'write a report to this file: .json, .xml (JUnit) or .sarif')
    .option('--format <format>', `format of the report, if the file name does not determine it: ${reportFormats.join(', ')}`)
    .option('--max-findings <number>', 'end with exit code 4 if there are more findings than this', '0')
    .option('--allow <rule>', 'do not count findings of a rule, an operation, or one finding by its key; repeatable', collect, [])
    .option('--baseline <file>', 'do not count the findings of an earlier JSON report')
}

export function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value]
}

/** The parsed options, checked before anything begins. */
export interface Reporting {
  readonly allowed: readonly string[]
  readonly findingsMax: number
  readonly file: string | undefined
  readonly format: ReportFormat
}

/** @throws CommandError for unusable options */
export async function parseReporting(options: ReportOptions): Promise<Reporting> {
  const { report: file, allow, baseline } = options
  const findingsMax = /^\d{1,9}$/.test(options.maxFindings) ? Number(options.maxFindings) : undefined
  if (findingsMax === undefined) throw usageError('--max-findings must be a whole number.')
  const named = reportFormats.find((format) => format === options.format)
  if (options.format !== undefined && named === undefined)
    throw usageError(`--format must be one of ${reportFormats.join(', ')}.`)
  const format = named ?? (file === undefined ? 'json' : formatOf(file))
  await requireFolderOf(file)
  if (format === undefined) throw usageError(`The name ${file} does not determine the format of the report: add --format.`)
  return { allowed: [...allow, ...(baseline === undefined ? [] : await keysIn(baseline))], findingsMax, file, format }
}

/** The keys of the findings of a JSON report. */
async function keysIn(file: string): Promise<string[]> {
  await requireExistingFile(file)
  const report = await readFile(file, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch(() => undefined)
  const findings: unknown = typeof report === 'object' && report !== null && 'findings' in report ? report.findings : undefined
  if (!Array.isArray(findings)) throw usageError(`The baseline ${file} is not a JSON report.`)
  return findings.flatMap((finding: { readonly key?: unknown }) => (typeof finding.key === 'string' ? [finding.key] : []))
}

/** Prints a finding, if people are watching. */
export function announce(context: CommandContext, group: FindingGroup): void {
  const label = group.isAllowed ? 'allowed' : 'FINDING'
  context.output.note(`${label}  ${findingLine(group)}\n         ${sampleLine(group)}`)
}

/**
 * Writes the report, prints the summary and sets the exit code.
 * @param lines additional lines of the command
 */
export async function finishReport(
  context: CommandContext,
  run: Run,
  reporting: Reporting,
  lines: readonly string[],
): Promise<void> {
  const { result, total } = run
  const { file, format, findingsMax } = reporting
  if (file !== undefined)
    await writeFile(file, reportText(result, format)).catch((error: Error) => {
      throw new CommandError(`The report cannot be written: ${error.message}`)
    })
  const allowed = result.findings.filter(({ isAllowed }) => isAllowed).length
  context.result(JSON.parse(reportText(result, 'json')) as JsonResult, () => [
    ...lines,
    `${counted(result.exchanges, 'exchange')} of ${counted(Object.keys(result.operations).length, 'operation')}${result.unjudgedBodies > 0 ? `, ${result.unjudgedBodies} with a body that was not checked` : ''}.`,
    `${total === 0 ? 'No findings' : counted(total, 'finding')}${allowed > 0 ? `, and ${allowed} that are allowed` : ''}.`,
    ...(file === undefined ? [] : [`The report is in ${file}.`]),
  ])
  if (total > findingsMax) process.exitCode = exitCodes.findings
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}
