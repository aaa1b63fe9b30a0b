/** The docs form: the public bundle, with what our `x-` fields say written out for readers, curl calls, error codes, and the versions. */

import { operationsOf, requestBodyOf, type Document, type Operation, type PlacedOperation } from '../generate/document.ts'
import { errorCodeTables, type ErrorCodeRow } from '../generate/error_codes.ts'
import { generalBodyLimit } from '../generate/operations.ts'
import { curlCall } from './curl.ts'

const tokenWords: Readonly<Record<string, string>> = {
  installation: 'installation',
  access: 'OAuth access',
  personal: 'personal access',
}
const retryWords: Readonly<Record<string, string>> = {
  always: 'yes',
  idempotent_only: 'reads, and writes with a key',
  never: 'no',
}

/**
 * The document that the docs are rendered from.
 * @param versions the page `generated/versions.md`
 */
export function docsDocument(document: Document, versions: string): Document {
  const docs = structuredClone(document)
  for (const placed of operationsOf(docs)) {
    const { operation } = placed
    operation.description = `${factsOf(docs, placed)}\n\n${operation.description ?? ''}`
    operation['x-codeSamples'] = [{ lang: 'Shell', label: 'curl', source: curlCall(docs, placed) }]
  }
  docs.info['description'] =
    `${String(docs.info['description'] ?? '')}\n\n${errorSection(document)}\n\n${withoutComment(versions)}`
  return docs
}

/** What a caller wants to know first: rights, tokens, lists, limits, releases. */
function factsOf(document: Document, { operation }: PlacedOperation): string {
  const pagination = operation['x-pagination']
  const limit = requestBodyOf(document, operation)?.['x-body-limit'] ?? generalBodyLimit
  const facts = [
    ['Needs', rightsOf(operation)],
    ['Token', operation['x-token-kinds']?.map((kind) => tokenWords[kind] ?? kind).join(' or ')],
    [
      'List',
      pagination === undefined
        ? undefined
        : `\`${pagination.items}\`, page by page: \`start_cursor\` and \`page_size\` in the ${pagination.in}`,
    ],
    ['Body', limit === generalBodyLimit ? undefined : `up to ${limit.toLocaleString('en')} bytes`],
    ['Releases', releasesOf(operation)],
  ]
  return facts
    .filter(([, words]) => words !== undefined)
    .map(([name, words]) => `**${name}:** ${words}`)
    .join(' · ')
}

function rightsOf(operation: Operation): string {
  const rule = operation['x-capability'] ?? 'none'
  if (operation['x-credentials'] === 'client') return 'the id and secret of a public connection'
  if (operation['x-credentials'] === 'none') return 'no credentials'
  if (rule === 'none') return 'any token'
  return 'all' in rule ? rule.all.map(code).join(' and ') : rule.any.map(code).join(' or ')
}

function releasesOf({ 'x-available': available = {} }: Operation): string | undefined {
  const words = [
    available.from === undefined ? '' : `from ${available.from}`,
    available.before === undefined ? '' : `before ${available.before}`,
  ].filter(Boolean)
  return words.length === 0 ? undefined : words.join(', ')
}

function errorSection(document: Document): string {
  const { api, oauth } = errorCodeTables(document)
  return `# Error codes\n\n${errorTable(api)}\n\n## OAuth error codes\n\n${errorTable(oauth)}`
}

function withoutComment(markdown: string): string {
  return markdown.replace(/^<!--.*-->\n/, '').trim()
}

function errorTable(rows: readonly ErrorCodeRow[]): string {
  const lines = rows.map(({ code: name, statuses, retry, description, additionalData }) => {
    const always =
      additionalData === null || additionalData.length === 0
        ? ''
        : ` \`additional_data\` always has ${additionalData.map(code).join(', ')}.`
    return `| ${statuses.join(', ')} | \`${name}\` | ${description.replaceAll('|', '\\|')}${always} | ${retryWords[retry] ?? retry} |`
  })
  return ['| Status | Code | Meaning | Repeat by yourself? |', '|---|---|---|---|', ...lines].join('\n')
}

function code(word: string): string {
  return `\`${word}\``
}
