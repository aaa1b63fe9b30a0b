import { rules } from '../finding.ts'
import { jUnitReport } from './junit_report.ts'
import type { RunResult } from './run_result.ts'
import { sarifReport } from './sarif_report.ts'

export const reportFormats = ['json', 'junit', 'sarif'] as const
export type ReportFormat = (typeof reportFormats)[number]

const WRITERS: Readonly<Record<ReportFormat, (result: RunResult) => string>> = {
  json: (result) => `${JSON.stringify({ ...result, rules }, undefined, 2)}\n`,
  junit: jUnitReport,
  sarif: (result) => `${JSON.stringify(sarifReport(result), undefined, 2)}\n`,
}

export function reportText(result: RunResult, format: ReportFormat): string {
  return WRITERS[format](result)
}

const BY_EXTENSION: Readonly<Record<string, ReportFormat>> = { '.json': 'json', '.xml': 'junit', '.sarif': 'sarif' }

/** @returns the format for the extension of a file name */
export function formatOf(file: string): ReportFormat | undefined {
  return Object.entries(BY_EXTENSION).find(([extension]) => file.toLowerCase().endsWith(extension))?.[1]
}
