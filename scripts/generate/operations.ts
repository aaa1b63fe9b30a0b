/** Step 4: the operations table, as TypeScript for server and client, as aligned text for people. */

import {
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  type CapabilityRule,
  type Document,
  type PaginationRule,
  type ParameterObject,
  type PlacedOperation,
  type ResponseObject,
  type Schema,
} from './document.ts'
import { ContractFaults, forEachItem } from './faults.ts'
import { banner, typescriptLiteral } from './text.ts'
import { faultAt } from './fault_locations.ts'
import { readOnlyMembers, type ReadOnlyMembers } from './body_members.ts'

/** Maximum bytes of a request body unless the contract sets another limit. */
export const generalBodyLimit = 512_000

const allTokenKinds = ['installation', 'access', 'personal']

export interface OperationRow {
  id: string
  method: string
  path: string
  tag: string
  capability: CapabilityRule
  tokenKinds: string[]
  credentials: string
  available: { from?: string; before?: string }
  pagination: PaginationRule | null
  pathParameters: string[]
  queryParameters: string[]
  headerParameters: string[]
  requestTypes: string[]
  bodyLimit: number
  bodyRequired: boolean
  readOnlyMembers: ReadOnlyMembers | null
  statuses: number[]
  successTypes: string[]
}

/** The table, in the order of the table of contents. */
export function operationRows(document: Document): OperationRow[] {
  return forEachItem(operationsOf(document), (placed) => operationRow(document, placed))
}

function operationRow(document: Document, placed: PlacedOperation): OperationRow {
  const { operation, method, path } = placed
  const parameters = parametersOf(document, placed)
  const body = requestBodyOf(document, operation)
  const statuses = Object.keys(operation.responses).map(Number)
  return {
    id: operation.operationId,
    method,
    path,
    tag: operation.tags?.[0] ?? '',
    capability: operation['x-capability'] ?? 'none',
    tokenKinds: operation['x-token-kinds'] ?? allTokenKinds,
    credentials: operation['x-credentials'] ?? 'bearer',
    available: operation['x-available'] ?? {},
    pagination: operation['x-pagination'] ?? null,
    pathParameters: namesOf(parameters, 'path'),
    queryParameters: namesOf(parameters, 'query'),
    headerParameters: namesOf(parameters, 'header'),
    requestTypes: Object.keys(body?.content ?? {}),
    bodyLimit: body?.['x-body-limit'] ?? generalBodyLimit,
    bodyRequired: body?.required ?? false,
    readOnlyMembers: readOnlyMembers(document, operation),
    statuses,
    successTypes: successTypes(document, placed),
  }
}

/** Patterns of the path parameters by name: a name has one schema in the whole contract. */
export function pathPatterns(document: Document): Record<string, { pattern: string; expectation: string }> {
  const found: Record<string, { pattern: string; expectation: string }> = {}
  const parameters = operationsOf(document).flatMap((placed) =>
    parametersOf(document, placed).map((parameter) => ({ path: ['paths', placed.path], parameter })),
  )
  forEachItem(
    parameters.filter(({ parameter }) => parameter.in === 'path'),
    ({ path, parameter: { name, schema = {} } }) => {
      const { pattern, 'x-expectation': expectation } = resolve<Schema>(document, schema)
      if (typeof pattern !== 'string' || typeof expectation !== 'string') return
      if (found[name] && found[name]?.pattern !== pattern)
        throw new ContractFaults([faultAt(path, `the path parameter ${name} has another pattern elsewhere`)])
      found[name] = { pattern, expectation }
    },
  )
  return found
}

/**
 * The default page size, the same for all lists.
 * @returns undefined if no list has a default
 */
export function pageSizeDefault(document: Document): number | undefined {
  const found = new Set<number>()
  forEachItem(
    operationsOf(document).filter(({ operation }) => operation['x-pagination'] !== undefined),
    (placed) => {
      const stated = pageSizeOf(document, placed).default
      if (typeof stated === 'number') found.add(stated)
      if (found.size > 1)
        throw new ContractFaults([faultAt(['paths', placed.path, placed.method], 'page_size has another default elsewhere')])
    },
  )
  return [...found][0]
}

function pageSizeOf(document: Document, placed: PlacedOperation): Schema {
  const parameter = parametersOf(document, placed).find(({ name }) => name === 'page_size')
  const body = requestBodyOf(document, placed.operation)?.content['application/json']?.schema
  const stated = parameter?.schema ?? resolve<Schema>(document, body ?? {}).properties?.['page_size']
  return resolve<Schema>(document, typeof stated === 'object' ? stated : {})
}

function namesOf(parameters: ParameterObject[], location: ParameterObject['in']): string[] {
  return parameters.filter((parameter) => parameter.in === location).map(({ name }) => name)
}

function successTypes(document: Document, { operation }: PlacedOperation): string[] {
  const types = Object.entries(operation.responses)
    .filter(([status]) => Number(status) < 400)
    .flatMap(([, response]) => Object.keys(resolve<ResponseObject>(document, response).content ?? {}))
  return [...new Set(types)]
}

/** The capabilities of the contract, including those that no operation needs: each is a scope of the OAuth flows. */
export function capabilityWords(document: Document): string[] {
  const flows = Object.values(document.components.securitySchemes ?? {}).flatMap(({ flows = {} }) => Object.values(flows))
  return [...new Set(flows.flatMap(({ scopes }) => Object.keys(scopes)))].toSorted()
}

/** `operations.ts`: the table with its types, so that a lookup by operation id knows every field literally. */
export function operationsModule(
  rows: readonly OperationRow[],
  patterns: ReturnType<typeof pathPatterns>,
  releaseDates: readonly string[],
  pageSize: number | undefined,
  capabilities: readonly string[],
): string {
  const patternEntries = Object.entries(patterns).map(([name, pattern]) => `  ${name}: ${typescriptLiteral(pattern)},`)
  const entries = rows.map(({ id, ...row }) => `  ${id}: ${typescriptLiteral({ id, ...row })},`).join('\n')
  return `${banner('Every operation of the contract, for routing, rights, body limits and list helpers.')}
/** Release dates of the contract, oldest first. */
export const releaseDates = ${typescriptLiteral(releaseDates)} as const;
/** The release whose shapes the contract describes. */
export const newestRelease = ${typescriptLiteral(releaseDates.at(-1) ?? '')};
/** How many items a page of a list has where a request does not say. */
export const pageSizeDefault = ${String(pageSize)};

export type Capability = ${capabilities.map((word) => `'${word}'`).join(' | ') || 'never'};
export type CapabilityRule = 'none' | { readonly all: readonly Capability[] } | { readonly any: readonly Capability[] };
export type TokenKind = 'installation' | 'access' | 'personal';

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'put';
  /** path template, parameters in braces */
  readonly path: string;
  readonly tag: string;
  /** what the token must be allowed */
  readonly capability: CapabilityRule;
  readonly tokenKinds: readonly TokenKind[];
  /** who calls: a bearer token, a connection's client id and secret, either of them, or nobody in particular */
  readonly credentials: 'bearer' | 'client' | 'connection' | 'none';
  /** release dates at which the operation exists */
  readonly available: { readonly from?: string; readonly before?: string };
  /** location of cursor and page size, and the key of the items in the response; null if the response is not a list */
  readonly pagination: { readonly in: 'query' | 'body'; readonly items: string; readonly shape: string } | null;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  readonly headerParameters: readonly string[];
  readonly requestTypes: readonly string[];
  /** bytes */
  readonly bodyLimit: number;
  readonly bodyRequired: boolean;
  /** members of the body that only repeat what was read: ignored, or refused unless they are unchanged; null if it has none */
  readonly readOnlyMembers: { readonly ignored: readonly string[]; readonly unchanged: readonly string[] } | null;
  /** members of the body whose keys callers choose: an empty array counts as an empty object there */
  readonly statuses: readonly number[];
  /** media types of responses below 400 */
  readonly successTypes: readonly string[];
}

export const operations = {
${entries}
} as const satisfies Record<string, Operation>;

/** Path parameters that have a pattern, by name, with a description of matching values. */
export const pathPatterns: Readonly<Record<string, { readonly pattern: string; readonly expectation: string }>> = {
${patternEntries.join('\n')}
};

export type OperationId = keyof typeof operations;
export type ListOperationId = {
  [Id in OperationId]: (typeof operations)[Id]['pagination'] extends null ? never : Id;
}[OperationId];
`
}

/** `operations.txt`: the same rows, aligned. */
export function operationsTable(rows: readonly OperationRow[]): string {
  const lines = rows.map((row) => [
    row.method.toUpperCase(),
    row.path,
    row.id,
    row.tag,
    row.credentials === 'bearer' ? capabilityText(row.capability) : `(${row.credentials}) ${capabilityText(row.capability)}`,
    row.pagination === null ? '' : `${row.pagination.shape} in ${row.pagination.in}`,
    [row.requestTypes.join(' '), row.bodyLimit === generalBodyLimit ? '' : `<= ${row.bodyLimit}`].filter(Boolean).join(' '),
    row.statuses.join(' '),
    availabilityText(row.available),
  ])
  const header = ['METHOD', 'PATH', 'OPERATION', 'TAG', 'CAPABILITY', 'LIST', 'BODY', 'STATUSES', 'AVAILABLE']
  return `${aligned([header, ...lines])}\n${rows.length} operations\n`
}

function aligned(lines: string[][]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map(
      (line) =>
        line
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd() + '\n',
    )
    .join('')
}

function capabilityText(rule: CapabilityRule): string {
  if (rule === 'none') return '-'
  return 'all' in rule ? rule.all.join(' + ') : rule.any.join(' | ')
}

function availabilityText({ from, before }: OperationRow['available']): string {
  return [from === undefined ? '' : `from ${from}`, before === undefined ? '' : `before ${before}`].filter(Boolean).join(', ')
}
