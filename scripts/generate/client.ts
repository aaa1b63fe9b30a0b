/** Step 6, beside the types: the operations as the client calls them, with an interface for each resource. */

import {
  isReference,
  operationsOf,
  requestBodyOf,
  resolve,
  schemaNameOf,
  serverAddressOf,
  type Document,
  type MediaType,
  type PlacedOperation,
  type ResponseObject,
} from './document.ts'
import { errorCodeTables } from './error_codes.ts'
import { faultAt } from './fault_locations.ts'
import { ContractFaults } from './faults.ts'
import { operationRows, type OperationRow } from './operations.ts'
import { banner, typescriptLiteral } from './text.ts'

const KEY_HEADER = 'Idempotency-Key'
const COMMON_HEADERS = ['Service-Version', 'Service-Beta']
const BODY_KINDS = { 'application/json': 'json', 'multipart/form-data': 'multipart', 'application/x-www-form-urlencoded': 'form' }

/**
 * The name of an operation in the client, such as `blocks.children.list`. The resource is the literal part of the path, the method the verb
 * of the operation id. A last segment that ends with the verb is the method: `/v1/pages/{page_id}/move` is `pages.move`.
 */
export function clientName({ id, path }: Pick<OperationRow, 'id' | 'path'>): string {
  const [verb = ''] = /^[a-z]+/.exec(id) ?? []
  const segments = path.split('/').filter((segment) => !/^(v\d+|\{.*\}|)$/.test(segment))
  const names = segments.map((segment) => segment.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
  return names.at(-1)?.endsWith(verb) ? names.join('.') : [...names, verb].join('.')
}

/** @throws ContractFaults if two operations have the same name, or one has the name of a resource */
function namedRows(document: Document): (OperationRow & { name: string })[] {
  const rows = operationRows(document).map((row) => ({ ...row, name: clientName(row) }))
  const isTaken = ({ id, name }: { id: string; name: string }): boolean =>
    rows.some((other) => other.id !== id && (other.name === name || other.name.startsWith(`${name}.`)))
  const faults = rows
    .filter(isTaken)
    .map(({ path, method, name }) => faultAt(['paths', path, method], `the client has another ${name}`))
  if (faults.length > 0) throw new ContractFaults(faults)
  return rows
}

/** `client_operations.ts`: what the client needs to know of each operation; members with the usual value are left out. */
export function clientOperationsModule(document: Document): string {
  const entries = namedRows(document).map((row) => `  ${row.id}: ${typescriptLiteral(entryOf(row))},`)
  const { statuses, rules } = retryRules(document)
  return `${banner('The operations of the contract as the client calls them, and the errors after which it repeats a call.')}
/** An operation. Members with the usual value are left out. */
export interface ClientOperation {
  readonly id: string;
  /** Where the client has it, such as \`blocks.children.list\`. */
  readonly name: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'put';
  /** Path template, parameters in braces. */
  readonly path: string;
  /** Other credentials than a bearer token. */
  readonly credentials?: 'client' | 'connection' | 'none';
  /** Whether it accepts an idempotency key. */
  readonly key?: true;
  /** Other headers than the version and betas. */
  readonly headers?: readonly string[];
  /** Query parameters. */
  readonly query?: readonly string[];
  /** Form of the request body. */
  readonly body?: 'json' | 'multipart' | 'form';
  /** Location of the cursor, key of the items in the response, and kind of list. */
  readonly pagination?: { readonly in: 'query' | 'body'; readonly items: string; readonly shape: string };
  /** Other successful statuses than 200. */
  readonly statuses?: readonly number[];
  /** Whether successful responses are not JSON. */
  readonly isPage?: true;
}

export const clientOperations = {
${entries.join('\n')}
} as const satisfies Record<string, ClientOperation>;

/** When a call can be repeated after an error, by its code, unless its status says it. */
export const retryOfCode: Readonly<Record<string, 'always' | 'idempotent_only' | 'never'>> = ${typescriptLiteral(rules)};
/** Statuses whose errors all allow to repeat the call. */
export const retriedStatuses: readonly number[] = ${typescriptLiteral(statuses)};
`
}

/** Statuses whose errors all allow to repeat the call, and the rules of the codes with other statuses. */
function retryRules(document: Document): { statuses: number[]; rules: Record<string, string> } {
  const { api, oauth } = errorCodeTables(document)
  const statuses = [...Map.groupBy(api, (row) => row.statuses[0] ?? 0)]
    .filter(([, same]) => same.every(({ retry }) => retry === 'always'))
    .map(([status]) => status)
  // After an unknown code, the client repeats only calls with these statuses, and harmless ones above 500.
  const isNever = (status: number): boolean => status < 500 && !statuses.includes(status)
  const different = [...oauth, ...api].filter((row) => row.retry !== 'never' || !row.statuses.every(isNever))
  return { statuses, rules: Object.fromEntries(different.map(({ code, retry }) => [code, retry])) }
}

function entryOf(row: OperationRow & { name: string }): object {
  const { id, name, method, path, credentials, pagination, queryParameters, requestTypes, headerParameters } = row
  const headers = headerParameters.filter((header) => header !== KEY_HEADER)
  const statuses = row.statuses.filter((status) => status < 400)
  const body = Object.entries(BODY_KINDS).find(([type]) => requestTypes.includes(type))?.[1]
  return {
    id,
    name,
    method,
    path,
    ...(credentials !== 'bearer' && { credentials }),
    ...(headerParameters.includes(KEY_HEADER) && { key: true }),
    ...(headers.join() !== COMMON_HEADERS.join() && { headers }),
    ...(queryParameters.length > 0 && { query: queryParameters }),
    ...(body !== undefined && { body }),
    ...(pagination !== null && { pagination }),
    ...(statuses.join() !== '200' && { statuses }),
    ...(!row.successTypes.includes('application/json') && { isPage: true }),
  }
}

/** `resources.ts`: an interface for each resource, whose methods show the contract's descriptions. */
export function resourcesModule(document: Document): string {
  const rows = new Map(namedRows(document).map((row) => [row.id, row]))
  const imported = new Set<string>()
  const parameters: string[] = []
  const root: Resource = new Map()
  for (const placed of operationsOf(document)) {
    const row = rows.get(placed.operation.operationId)
    if (row === undefined) continue
    const type = parametersType(document, placed, row, imported)
    if (type !== undefined) parameters.push(type.declaration)
    place(root, row.name.split('.'), methodOf(document, placed, row, { parameters: type, imported }))
  }
  const interfaces = interfacesOf(root, '')
  return `${banner('The resources of the client: a method for each operation of the contract.')}
import type {
${['operations', ...[...imported].toSorted()].map((name) => `  ${name},`).join('\n')}
} from './types.ts';

${CALLS}
${parameters.join('\n')}
${interfaces.join('\n')}`
}

const CALLS = `/** A response with its status and headers. */
export interface FullResponse<Body> {
  readonly data: Body;
  readonly status: number;
  readonly headers: Headers;
  /** Identifies this request in the service's log. */
  readonly requestId: string | undefined;
}

/** A call that has been sent. Await it for the body of the response. */
export interface Call<Body> extends Promise<Body> {
  /** The body with the status, headers and request id of the response. */
  withResponse(): Promise<FullResponse<Body>>;
}

/** A call for the first page of a list. Await it for that page, or iterate over it for the items of all pages. */
export interface ListCall<Page, Item> extends Call<Page>, AsyncIterable<Item> {
  /** The pages, from the first one; each is fetched when it is needed. */
  pages(): AsyncGenerator<Page, void, undefined>;
  /** All items, or the first \`limit\` ones. */
  all(options?: { readonly limit?: number }): Promise<Item[]>;
}

/** Makes retries of a write safe. */
export interface Keyed {
  readonly idempotencyKey?: string;
}

/** The items of a page. */
export type ItemOf<Page, Key extends string> = Page extends { [K in Key]: readonly (infer Item)[] } ? Item : never;
`

/** A resource with its methods, as text, and the resources below it. */
type Resource = Map<string, string | Resource>

function place(resource: Resource, names: readonly string[], method: string): void {
  const [name = '', ...rest] = names
  if (rest.length === 0) return void resource.set(name, method)
  const known = resource.get(name)
  const inner: Resource = known instanceof Map ? known : new Map()
  resource.set(name, inner)
  place(inner, rest, method)
}

/** Interfaces of a resource and of those below it, innermost first. */
function interfacesOf(resource: Resource, name: string): string[] {
  const inner: string[] = []
  const members = [...resource].map(([key, value]) => {
    if (typeof value === 'string') return value
    const type = `${name}${key.charAt(0).toUpperCase()}${key.slice(1)}`
    inner.push(...interfacesOf(value, type))
    return `  readonly ${key}: ${type}Resource<Options>;`
  })
  const title = name === '' ? 'Resources' : `${name}Resource`
  return [...inner, `export interface ${title}<Options> {\n${members.join('\n')}\n}\n`]
}

interface ParametersType {
  readonly name: string
  readonly declaration: string
  readonly isRequired: boolean
}

/** The parameters of the path and query and the members of the body, in one object, or undefined. */
function parametersType(
  document: Document,
  { operation }: PlacedOperation,
  row: OperationRow & { name: string },
  imported: Set<string>,
): ParametersType | undefined {
  const type = `operations['${row.id}']['parameters']`
  const body = requestBodyOf(document, operation)
  const media = Object.keys(BODY_KINDS).find((kind) => body?.content[kind])
  const parts = [
    ...(row.pathParameters.length > 0 ? [`${type}['path']`] : []),
    ...(row.queryParameters.length > 0 ? [`NonNullable<${type}['query']>`] : []),
    ...(media === undefined ? [] : [nameOf(body?.content[media], `operations['${row.id}']['requestBody']`, imported)]),
  ]
  if (parts.length === 0) return undefined
  const name = `${row.id.charAt(0).toUpperCase()}${row.id.slice(1)}Parameters`
  const isRequired = row.pathParameters.length > 0 || row.bodyRequired || hasRequiredQuery(document, row.id)
  return { name, declaration: `/** Parameters of \`${row.name}\`. */\nexport type ${name} = ${parts.join(' & ')};\n`, isRequired }
}

function hasRequiredQuery(document: Document, id: string): boolean {
  return operationsOf(document).some(
    ({ operation, item }) =>
      operation.operationId === id &&
      [...(item.parameters ?? []), ...(operation.parameters ?? [])].some((parameter) => {
        const { in: location, required } = resolve<{ in?: string; required?: boolean }>(document, parameter)
        return location === 'query' && required === true
      }),
  )
}

function nameOf(media: MediaType | undefined, otherwise: string, imported: Set<string>): string {
  const schema = media?.schema
  const name = isReference(schema) ? schemaNameOf(schema.$ref) : undefined
  if (name !== undefined) imported.add(name)
  return name ?? otherwise
}

function methodOf(
  document: Document,
  placed: PlacedOperation,
  row: OperationRow & { name: string },
  { parameters, imported }: { readonly parameters: ParametersType | undefined; readonly imported: Set<string> },
): string {
  const type = responseType(document, placed, imported)
  const result = row.pagination === null ? `Call<${type}>` : `ListCall<${type}, ItemOf<${type}, '${row.pagination.items}'>>`
  const first = parameters
    ? `parameters${parameters.isRequired ? '' : '?'}: ${parameters.name}`
    : 'parameters?: Record<string, never>'
  const options = row.headerParameters.includes(KEY_HEADER) ? 'Options & Keyed' : 'Options'
  return `${comment(document, placed, row)}\n  ${row.name.split('.').at(-1)}(${first}, options?: ${options}): ${result};`
}

/** The bodies of successful responses. */
function responseType(document: Document, { operation }: PlacedOperation, imported: Set<string>): string {
  const types = Object.entries(operation.responses).flatMap(([status, response]) => {
    const { content = {} } = Number(status) < 400 ? resolve<ResponseObject>(document, response) : { content: {} }
    const media = content['application/json'] ?? Object.values(content)[0]
    if (media) return [nameOf(media, 'unknown', imported)]
    return Number(status) < 400 ? ['undefined'] : []
  })
  return [...new Set(types)].join(' | ')
}

/** Summary, first paragraph, limits, and the address of the reference. */
function comment(document: Document, { operation, method, path }: PlacedOperation, row: OperationRow & { name: string }): string {
  const [paragraph = ''] = (operation.description ?? '').split(/\n\s*\n/)
  const lines = [
    `${operation.summary ?? row.id}: \`${method.toUpperCase()} ${path}\`, operation \`${row.id}\`.`,
    '',
    ...paragraph.trim().split('\n'),
    ...(row.requestTypes.length > 0 ? ['', `The body has at most ${row.bodyLimit.toLocaleString('en')} bytes.`] : []),
    `@see ${serverAddressOf(document)}/docs/operations/${row.id}/`,
  ]
  return `  /**\n${lines.map((line) => `   * ${line.replaceAll('*/', '*\\/')}`.trimEnd()).join('\n')}\n   */`
}
