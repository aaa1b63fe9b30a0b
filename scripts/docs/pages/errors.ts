/** The pages of error codes: status and meaning of each, and whether the call can be retried. */

import type { Document } from '../../generate/document.ts'
import { errorCodeTables, type ErrorCodeRow } from '../../generate/error_codes.ts'
import { objectPath } from './objects.ts'
import { relativeLink, type SitePage } from './page.ts'

export const errorsPath = 'errors'
export const oauthErrorsPath = 'oauth-errors'

const retryWords: Readonly<Record<string, string>> = {
  always: 'The call can be retried.',
  idempotent_only: 'Reads, and writes with an idempotency key, can be retried.',
  never: 'The same call would fail again.',
}

const repeatWords: Readonly<Record<string, string>> = {
  always: 'yes',
  idempotent_only: 'reads, and writes with an idempotency key',
  never: 'no',
}

export function errorPages(document: Document): SitePage[] {
  const { api, oauth } = errorCodeTables(document)
  return [
    errorPage(errorsPath, 'Error codes', 'Every error code of the API: its status, its meaning, and what to do.', api),
    errorPage(
      oauthErrorsPath,
      'OAuth error codes',
      'Every error code of the OAuth endpoints; it is in `error`, as RFC 6749 defines it.',
      oauth,
    ),
  ]
}

function errorPage(path: string, title: string, summary: string, rows: readonly ErrorCodeRow[]): SitePage {
  return {
    path,
    kind: 'list',
    title,
    summary: summary.replaceAll('`', ''),
    markdown: [summary, overview(rows), ...rows.map((row) => entry(path, row))].join('\n\n'),
    keywords: ['errors', 'codes'],
  }
}

function overview(rows: readonly ErrorCodeRow[]): string {
  const lines = rows.map(
    ({ code, statuses, retry }) => `| [${code}](#${code}) | ${statuses.join(', ')} | ${repeatWords[retry] ?? retry} |`,
  )
  return ['| Code | Status | Repeat |', '|---|---|---|', ...lines].join('\n')
}

/** The path of the section that explains each code. */
export function errorAnchors(document: Document): ReadonlyMap<string, string> {
  const { api, oauth } = errorCodeTables(document)
  return new Map([
    ...oauth.map(({ code }): [string, string] => [code, `${oauthErrorsPath}#${code}`]),
    ...api.map(({ code }): [string, string] => [code, `${errorsPath}#${code}`]),
  ])
}

function entry(path: string, { code, statuses, description, retry, schema, additionalData }: ErrorCodeRow): string {
  const always =
    additionalData === null || additionalData.length === 0
      ? ''
      : ` \`additional_data\` always has ${additionalData.map((key) => `\`${key}\``).join(', ')}.`
  return [
    `## ${code}`,
    `**${statuses.join(', ')}** · [${schema}](${relativeLink(path, objectPath(schema))}.md)`,
    `${description}${always} ${retryWords[retry] ?? ''}`.trim(),
  ].join('\n\n')
}
