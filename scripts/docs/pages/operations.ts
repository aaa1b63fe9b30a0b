/** The pages of operations: requirements, parameters, responses and errors, with samples and examples. */

import { shownJson } from '../samples/json.ts'
import {
  serverAddressOf,
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type MediaType,
  type OperationObject,
  type ParameterObject,
  type PlacedOperation,
  type ReferenceObject,
  type ResponseObject,
} from '../../generate/document.ts'
import { generalBodyLimit } from '../../generate/operations.ts'
import { errorCodeTables, type ErrorCodeTables } from '../../generate/error_codes.ts'
import { samplesOf } from '../samples/index.ts'
import { sampleCall } from '../samples/sample_call.ts'
import { json, memberBlock, schemaLinks, section } from './objects.ts'
import { codeSpan, limitsOf, membersOf, typeText, type SchemaLinks } from './members.ts'
import { firstSentence, pageOnDemand, type SitePage } from './page.ts'
import { refusalsText, splitDescription } from './refusals.ts'

const tokenWords: Readonly<Record<string, string>> = {
  installation: 'installation',
  access: 'OAuth access',
  personal: 'personal access',
}

export function operationPath(operationId: string): string {
  return `operations/${operationId}`
}

export function operationPages(document: Document): SitePage[] {
  const tables = errorCodeTables(document)
  return operationsOf(document).map((placed) => operationPage(document, placed, tables))
}

function operationPage(document: Document, placed: PlacedOperation, tables: ErrorCodeTables): SitePage {
  const { operation } = placed
  const page = {
    path: operationPath(operation.operationId),
    kind: 'operation' as const,
    title: operation.summary ?? operation.operationId,
    summary: firstSentence(operation.description ?? ''),
    ...(operation.tags?.[0] === undefined ? {} : { area: operation.tags?.[0] }),
    ...callOf(document, placed),
  }
  return pageOnDemand(page, () => ({
    markdown: operationText(document, placed, tables, page.path),
    keywords: [operation.operationId, placed.path, ...parametersOf(document, placed).map(({ name }) => name)],
  }))
}

function operationText(document: Document, placed: PlacedOperation, tables: ErrorCodeTables, path: string): string {
  const { operation, method, path: address } = placed
  const links = schemaLinks(document, path)
  const parameters = parametersOf(document, placed)
  const { text, mistakes } = splitDescription(operation.description ?? '')
  const [opening = '', ...details] = text
  const parts = [
    `\`${method.toUpperCase()} ${address}\` · \`${operation.operationId}\``,
    factsOf(document, placed),
    opening,
    samplesNeed(document, placed),
    `::: samples\n\n${samplesText(document, placed)}\n\n:::`,
    details.join('\n\n'),
    parameters.length === 0
      ? ''
      : section('Parameters', `::: members\n\n${parameters.map((one) => parameterItem(one, links)).join('\n')}\n:::`),
    requestText(document, operation, links),
    responsesText(document, operation, links),
    refusalsText(operation, mistakes, path, tables),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

/** The data for an operation's form. Only JSON bodies and bearer tokens are supported. */
function callOf(document: Document, placed: PlacedOperation): Pick<SitePage, 'call'> {
  const sample = sampleCall(document, placed)
  if (sample.forBrowsers || sample.credentials !== 'bearer' || !['none', 'json'].includes(sample.body.kind)) return {}
  const parameters = parametersOf(document, placed).flatMap(({ name, in: location }) =>
    location === 'path' || location === 'query' ? [{ name, in: location, value: sample[location][name] ?? '' }] : [],
  )
  const body = sample.body.kind === 'json' ? shownJson(sample.body.value) : null
  return { call: { method: sample.method, path: placed.path, parameters, version: sample.version ?? null, body } }
}

/** The key data of an operation: capabilities, tokens, paging, limits and releases. */
function factsOf(document: Document, { operation }: PlacedOperation): string {
  const pagination = operation['x-pagination']
  const limit = requestBodyOf(document, operation)?.['x-body-limit'] ?? generalBodyLimit
  const facts: [string, string | undefined][] = [
    ['Needs', rightsOf(operation)],
    ['Token', operation['x-token-kinds']?.map((kind) => tokenWords[kind] ?? kind).join(' or ')],
    [
      'List',
      pagination === undefined
        ? undefined
        : `${codeSpan(pagination.items)}, page by page: \`start_cursor\` and \`page_size\` in the ${pagination.in}`,
    ],
    ['Body', limit === generalBodyLimit ? undefined : `up to ${limit.toLocaleString('en')} bytes`],
    ['Releases', releasesOf(operation)],
  ]
  return facts
    .filter(([, words]) => words !== undefined)
    .map(([name, words]) => `**${name}:** ${words}`)
    .join(' · ')
}

/** The capabilities that an operation needs, in words. */
function rightsOf(operation: OperationObject): string {
  const rule = operation['x-capability'] ?? 'none'
  if (operation['x-credentials'] === 'client') return 'the id and secret of a public connection'
  if (operation['x-credentials'] === 'none') return 'no credentials'
  if (rule === 'none') return 'any token'
  return 'all' in rule ? rule.all.map(codeSpan).join(' and ') : rule.any.map(codeSpan).join(' or ')
}

function releasesOf({ 'x-available': available = {} }: OperationObject): string | undefined {
  const words = [
    available.from === undefined ? '' : `from ${available.from}`,
    available.before === undefined ? '' : `before ${available.before}`,
  ].filter(Boolean)
  return words.length === 0 ? undefined : words.join(', ')
}

/** The environment variables that the samples need. */
function samplesNeed(document: Document, placed: PlacedOperation): string {
  const { credentials } = sampleCall(document, placed)
  const server = `\`BASE_URL=${serverAddressOf(document)}\``
  if (credentials === 'none') return `The samples take ${server} from the environment.`
  const secrets = credentials === 'client' ? 'the connection in `CLIENT_ID` and `CLIENT_SECRET`' : 'a token in `TOKEN`'
  return `The samples take ${server} and ${secrets} from the environment.`
}

function samplesText(document: Document, placed: PlacedOperation): string {
  return samplesOf(document, placed)
    .map(({ language, source }) => `**${language.name}**\n\n\`\`\`${language.fence}\n${source}\n\`\`\``)
    .join('\n\n')
}

function parameterItem(
  { name, in: location, required, description = '', schema = {} }: ParameterObject,
  links: SchemaLinks,
): string {
  const limits = limitsOf(schema)
  return [
    `- **\`${name}\`** ${typeText(schema, links)} · ${location}${required === true ? ' *required*' : ''}`,
    '',
    ...description
      .trim()
      .split('\n')
      .map((line) => (line === '' ? '' : `  ${line}`)),
    ...(limits === '' ? [] : ['', `  ${limits}`]),
    '',
  ].join('\n')
}

function requestText(document: Document, operation: OperationObject, links: SchemaLinks): string {
  const request = requestBodyOf(document, operation)
  if (request === undefined) return ''
  const kinds = Object.entries(request.content).map(([type, media]) => mediaText(document, type, media, links))
  return section('Request body', [String(request['description'] ?? ''), ...kinds].filter((text) => text !== '').join('\n\n'))
}

function responsesText(document: Document, operation: OperationObject, links: SchemaLinks): string {
  const responses = responsesOf(document, operation).filter(([status]) => status < '400')
  const texts = responses.map(([status, { description, content = {}, headers = {} }]) =>
    [
      `### ${status}`,
      description,
      ...Object.entries(content).map(([type, media]) => mediaText(document, type, media, links)),
      Object.keys(headers).length === 0 ? '' : `Headers: ${Object.keys(headers).map(codeSpan).join(', ')}`,
    ]
      .filter((text) => text !== '')
      .join('\n\n'),
  )
  return section('Answers', texts.join('\n\n'))
}

function mediaText(document: Document, type: string, { schema, examples = {} }: MediaType, links: SchemaLinks): string {
  const members = schema === undefined ? undefined : namedMembers(schema, links)
  return [
    `${codeSpan(type)}${schema === undefined ? '' : `: ${typeText(schema, links)}`}`,
    members ?? '',
    ...Object.entries(examples).map(([name, example]) => exampleText(document, name, example, type)),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** The members of a request or response that is an object. The variants of a union are on its own page. */
function namedMembers(schema: MediaType['schema'], links: SchemaLinks): string | undefined {
  const members = schema === undefined ? undefined : membersOf(links.schemas, schema)
  return members === undefined || members.length === 0 ? undefined : memberBlock(members, links)
}

function exampleText(document: Document, name: string, example: Example | ReferenceObject, type: string): string {
  const { summary, value } = resolve<Example>(document, example)
  const text = typeof value === 'string' ? `\`\`\`${type === 'text/html' ? 'html' : ''}\n${value}\n\`\`\`` : json(value ?? null)
  return `::: example ${summary ?? name}\n\n${text}\n\n:::`
}

function responsesOf(document: Document, operation: OperationObject): [string, ResponseObject][] {
  return Object.entries(operation.responses).map(([status, response]) => [status, resolve<ResponseObject>(document, response)])
}
