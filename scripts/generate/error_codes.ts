/** Step 5: the table of error codes, read from the error schemas (those with `x-retry`). */

import { operationsOf, type Document, type JsonValue, type OperationObject, type Schema } from './document.ts'
import { ContractFaults, forEachItem } from './faults.ts'
import { dereference, flatten, type Schemas } from './server/flatten.ts'
import { banner, typescriptLiteral } from './text.ts'
import { faultAt, within } from './fault_locations.ts'

export interface ErrorCodeRow {
  code: string
  /** schema of the body */
  schema: string
  statuses: number[]
  retry: string
  description: string
  /** keys that are always in `additional_data`; null if it may be missing entirely */
  additionalData: string[] | null
}

export interface ErrorCodeTables {
  /** of the API, identified by `code` */
  api: ErrorCodeRow[]
  /** of the OAuth endpoints, identified by `error` */
  oauth: ErrorCodeRow[]
}

/** Reads both tables, sorted by status and code. Throws if a code or status is not a constant, or two schemas have the same code. */
export function errorCodeTables(document: Document): ErrorCodeTables {
  const schemas = document.components.schemas ?? {}
  const ofErrors = Object.entries(schemas).filter(([, schema]) => typeof schema['x-retry'] === 'string')
  const rows = forEachItem(ofErrors, ([name, schema]) => ({
    oauth: constantOf(schemas, schema, 'error') !== undefined,
    row: within(['components', 'schemas', name], () => readRow(schemas, name, schema)),
  }))
  const api = sorted(rows.filter(({ oauth }) => !oauth).map(({ row }) => row))
  const oauth = sorted(rows.filter(({ oauth }) => oauth).map(({ row }) => row))
  return { api, oauth }
}

function readRow(schemas: Schemas, name: string, schema: Schema): ErrorCodeRow {
  const code = constantOf(schemas, schema, 'error') ?? constantOf(schemas, schema, 'code')
  const statuses = valuesOf(schemas, schema, 'status').filter((status) => typeof status === 'number')
  if (typeof code !== 'string' || statuses.length === 0)
    throw new Error(`Error schema ${name} needs a constant code and constant statuses`)
  return {
    code,
    schema: name,
    statuses,
    retry: String(schema['x-retry']),
    description: (schema.description ?? '').replaceAll(/\s+/g, ' ').trim(),
    additionalData: additionalDataOf(schemas, schema),
  }
}

function additionalDataOf(schemas: Schemas, schema: Schema): string[] | null {
  const flat = flatten(schemas, schema)
  const data = flat.properties?.['additional_data']
  if (!(flat.required ?? []).includes('additional_data') || typeof data !== 'object') return null
  return flatten(schemas, dereference(schemas, data)).required ?? []
}

function constantOf(schemas: Schemas, schema: Schema, property: string): JsonValue | undefined {
  const values = valuesOf(schemas, schema, property)
  return values.length === 1 ? values[0] : undefined
}

function valuesOf(schemas: Schemas, schema: Schema, property: string): JsonValue[] {
  const found = flatten(schemas, schema).properties?.[property]
  if (typeof found !== 'object') return []
  const { const: constant, enum: values } = dereference(schemas, found)
  return values ?? (constant === undefined ? [] : [constant])
}

function sorted(rows: ErrorCodeRow[]): ErrorCodeRow[] {
  const twice = [...Map.groupBy(rows, ({ code }) => code)].filter(([, same]) => same.length > 1)
  const faults = twice.map(([code, same]) =>
    faultAt(
      ['components', 'schemas', same.at(-1)?.schema ?? ''],
      `${same.map(({ schema }) => schema).join(' and ')} describe one error: ${code}`,
    ),
  )
  if (faults.length > 0) throw new ContractFaults(faults)
  return rows.toSorted((a, b) => (a.statuses[0] ?? 0) - (b.statuses[0] ?? 0) || (a.code < b.code ? -1 : 1))
}

/** The text of `error_codes.ts`. */
export function errorCodesModule(document: Document): string {
  const tables = errorCodeTables(document)
  const { api, oauth } = tables
  return `${banner('Every error code of the contract: its status, what a caller may do, what `additional_data` always holds.')}
export type Retry = 'always' | 'idempotent_only' | 'never';

export interface ErrorCode {
  readonly status: number;
  /** what a client may do by itself: repeat, repeat only what is safe to repeat, nothing */
  readonly retry: Retry;
  /** name of the schema of the body */
  readonly schema: string;
  /** keys that \`additional_data\` always has; null where it may be missing altogether */
  readonly additionalData: readonly string[] | null;
  readonly description: string;
}

/** Errors of the API, by \`code\`. */
export const errorCodes = {
${api.map((row) => entry(row.code, { status: row.statuses[0], ...rest(row) })).join('\n')}
} as const satisfies Record<string, ErrorCode>;

export type ErrorCodeName = keyof typeof errorCodes;

/** Errors of the OAuth endpoints, by \`error\`; some come with several statuses. */
export const oauthErrorCodes = {
${oauth.map((row) => entry(row.code, { statuses: row.statuses, ...rest(row) })).join('\n')}
} as const satisfies Record<string, Omit<ErrorCode, 'status'> & { readonly statuses: readonly number[] }>;

export type OAuthErrorCodeName = keyof typeof oauthErrorCodes;

/** The errors that each operation can return, by name; errors of pages for people are identified by status only. */
export const operationErrorCodes = {
${operationsOf(document)
  .map((placed) => entry(placed.operation.operationId, listedCodes(placed.operation, tables)))
  .join('\n')}
} as const;
`
}

function listedCodes(operation: OperationObject, { api }: ErrorCodeTables): string[] {
  const { responses, 'x-error-codes': listed } = operation
  return listed ?? api.filter(({ statuses }) => statuses.some((status) => status in responses)).map(({ code }) => code)
}

function rest({ retry, schema, additionalData, description }: ErrorCodeRow): object {
  return { retry, schema, additionalData, description }
}

function entry(code: string, value: object): string {
  return `  ${code}: ${typescriptLiteral(value)},`
}
