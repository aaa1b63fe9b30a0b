/** The errors of an operation: one table of its codes, with the problems that its description lists. */

import type { OperationObject } from '../../generate/document.ts'
import type { ErrorCodeRow, ErrorCodeTables } from '../../generate/error_codes.ts'
import { errorsPath, oauthErrorsPath } from './errors.ts'
import { inCell, section } from './objects.ts'
import { firstSentence, relativeLink } from './page.ts'

/** A row of a table of mistakes in a description. */
export interface Mistake {
  readonly mistake: string
  readonly code: string
  readonly pointsAt: string
}

const MISTAKES = /^\| Problem \| Response \| Location \|\n/
const ROW = /^\| (?<mistake>.+) \| \d{3} `(?<code>\w+)`(?:,? (?<more>.+))? \| (?<pointsAt>.+) \|$/

/**
 * Splits a description into its paragraphs and its tables of mistakes.
 * @throws Error for a row without a code
 */
export function splitDescription(description: string): {
  readonly text: readonly string[]
  readonly mistakes: readonly Mistake[]
} {
  const parts = description.split(/\n\n/)
  return {
    text: parts.filter((part) => !MISTAKES.test(part)),
    mistakes: parts.filter((part) => MISTAKES.test(part)).flatMap((table) => table.trim().split('\n').slice(2).map(readMistake)),
  }
}

function readMistake(row: string): Mistake {
  const { mistake = '', code = '', more, pointsAt = '' } = ROW.exec(row)?.groups ?? {}
  if (code === '') throw new Error(`No error code in the row ${row}`)
  return { mistake: more === undefined ? mistake : `${mistake} (${more})`, code, pointsAt }
}

/** The section of the errors, by status. @throws Error for a mistake with a code that the operation does not list */
export function refusalsText(
  operation: OperationObject,
  mistakes: readonly Mistake[],
  path: string,
  { api, oauth }: ErrorCodeTables,
): string {
  const isOauth = operation['x-credentials'] === 'client'
  const listed = operation['x-error-codes'] ?? []
  const stranger = mistakes.find(({ code }) => !listed.includes(code))
  if (stranger) throw new Error(`${operation.operationId} describes ${stranger.code}, which it does not list`)
  const codes = (isOauth ? oauth : api).filter(({ code }) => listed.includes(code))
  if (codes.length === 0) return ''
  const errors = `${relativeLink(path, isOauth ? oauthErrorsPath : errorsPath)}.md`
  const rows = codes.flatMap((row) => [
    codeRow(row, errors),
    ...mistakes
      .filter(({ code }) => code === row.code)
      .map(({ mistake, pointsAt }) => `| | | ${mistake} | ${pointsAt === '–' ? '' : pointsAt} |`),
  ])
  return section('Errors', ['| Status | Code | When | Location |', '|---|---|---|---|', ...rows].join('\n'))
}

function codeRow({ code, statuses, description }: ErrorCodeRow, errors: string): string {
  // The page of error codes contains the rest of the description.
  const [cause = ''] = firstSentence(description).split(/[;:]| \(/)
  return `| ${statuses.join(', ')} | [\`${code}\`](${errors}#${code}) | ${inCell(cause.replace(/\.$/, ''))} | |`
}
