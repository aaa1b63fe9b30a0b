/** The error codes that an operation can return, derived from its declaration. */

import {
  isReference,
  parametersOf,
  requestBodyOf,
  schemaNameOf,
  walkObjects,
  type Document,
  type OperationObject,
  type PlacedOperation,
} from './document.ts'
import type { ErrorCodeRow, ErrorCodeTables } from './error_codes.ts'

/** Codes of every request with a token: transport, path, credentials, rate limits and faults. */
export const OF_EVERY_CALL = [
  ...['invalid_request_url', 'invalid_request', 'missing_version', 'invalid_beta', 'validation_error', 'unauthorized'],
  ...['restricted_resource', 'rate_limited', 'internal_server_error', 'service_unavailable', 'service_overload'],
]

/** A concurrent writer or a repeat with the same key may conflict; the database may fail to confirm a commit. */
export const OF_WRITES = ['conflict_error', 'gateway_timeout']

/** Codes of every request of an OAuth client. */
export const OF_CLIENTS = ['invalid_request', 'unauthorized_client', 'invalid_client', 'temporarily_unavailable', 'server_error']

/** In the bodies of these operations, ids only filter results, or are reported for each item. */
const IDS_ONLY_FILTER = /^(?:query|search|create\w+Batch$)/

/**
 * The codes of an operation in the order of the tables, including those of `x-error-codes`.
 * @throws Error for an own code that no table has, or that is derived anyway
 */
export function errorCodesOf(document: Document, placed: PlacedOperation, tables: ErrorCodeTables): ErrorCodeRow[] {
  const { operation } = placed
  const credentials = operation['x-credentials'] ?? 'bearer'
  if (credentials === 'none') return []
  const table = credentials === 'client' ? tables.oauth : tables.api
  const derived = new Set(credentials === 'client' ? OF_CLIENTS : codesOfCaller(document, placed))
  const own = operation['x-error-codes'] ?? []
  for (const code of own) {
    if (!table.some((row) => row.code === code)) throw new Error(`${operation.operationId}: ${code} is not an error code`)
    if (derived.has(code)) throw new Error(`${operation.operationId}: ${code} follows from the rest of the operation`)
  }
  return table.filter(({ code }) => derived.has(code) || own.includes(code))
}

function codesOfCaller(document: Document, placed: PlacedOperation): string[] {
  const { operation, method, path } = placed
  const parameters = parametersOf(document, placed)
  const hasKey = parameters.some(({ name }) => name === 'Idempotency-Key')
  const takesJson = requestBodyOf(document, operation)?.content['application/json'] !== undefined
  const namesId = path.includes('{') || parameters.some(({ name, in: location }) => location === 'query' && name.endsWith('_id'))
  return [
    ...OF_EVERY_CALL,
    ...(takesJson ? ['invalid_json'] : []),
    ...(hasKey ? ['idempotency_key_reused'] : []),
    ...(method === 'get' ? [] : OF_WRITES),
    ...(namesId || refersToIds(document, operation) ? ['object_not_found'] : []),
  ]
}

/** Whether the JSON body names records by their ids. */
function refersToIds(document: Document, operation: OperationObject): boolean {
  if (IDS_ONLY_FILTER.test(operation.operationId)) return false
  const seen = new Set<string>()
  const waiting: unknown[] = [requestBodyOf(document, operation)?.content]
  while (waiting.length > 0)
    walkObjects(waiting.pop(), (object) => {
      const name = isReference(object) ? schemaNameOf(object.$ref) : undefined
      if (name === undefined || seen.has(name)) return
      seen.add(name)
      waiting.push(document.components.schemas?.[name])
    })
  return seen.has('IdRequest')
}

/** Lists the codes of an operation as its `x-error-codes`, and removes responses without any. */
export function listErrorCodes(document: Document, placed: PlacedOperation, tables: ErrorCodeTables): void {
  const { operation } = placed
  if (operation['x-credentials'] === 'none') return
  const codes = errorCodesOf(document, placed, tables)
  const statuses = new Set(codes.flatMap((row) => row.statuses.map(String)))
  operation['x-error-codes'] = codes.map(({ code }) => code)
  operation.responses = Object.fromEntries(
    Object.entries(operation.responses).filter(([status]) => status < '400' || statuses.has(status)),
  )
}
