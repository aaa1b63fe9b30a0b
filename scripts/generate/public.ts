/** Step 2: the public bundle. Repeats the project's `x-` fields in OpenAPI's terms for other tools. */

import { addResponseHeaders } from './response_headers.ts'
import type { Bundle } from './bundle.ts'
import {
  mapValues,
  operationsOf,
  type CapabilityRule,
  type Document,
  type OperationObject,
  type SecurityRequirement,
} from './document.ts'
import { errorCodeTables } from './error_codes.ts'
import { CollectedFaults } from './faults.ts'
import { listErrorCodes } from './operation_errors.ts'
import { within } from './fault_locations.ts'

/**
 * The public document: the bundle with response headers and security on every operation, components in alphabetical order.
 * @throws ContractFaults with the operations that cannot have them
 */
export function publicDocument(bundle: Bundle): Document {
  const faults = new CollectedFaults()
  const document = publicDocumentWithFaults(bundle, faults)
  faults.throwAny()
  return document
}

/**
 * As much of the public document as can be generated.
 * @param faults collects those of its operations
 */
export function publicDocumentWithFaults({ document, responseHeaders }: Bundle, faults: CollectedFaults): Document {
  const result = withCopies(document)
  faults.attempt(() => addResponseHeaders(result, responseHeaders))
  const tables = faults.attempt(() => errorCodeTables(result))
  for (const placed of operationsOf(result)) {
    const { path, method, operation } = placed
    faults.attempt(() => {
      operation.security = within(['paths', path, method, 'x-credentials'], () => securityOf(operation))
    })
    if (tables)
      faults.attempt(() => within(['paths', path, method, 'x-error-codes'], () => listErrorCodes(result, placed, tables)))
  }
  const { openapi, info, servers, security, tags, paths, webhooks, components, ...rest } = result
  return {
    openapi,
    info,
    ...rest,
    ...present({ servers, security, tags }),
    paths,
    ...present({ webhooks }),
    components: sortedComponents(components),
  }
}

/** A copy of the document. Operations and responses, which differ in the public document, are copied deeply. */
function withCopies(document: Document): Document {
  const { paths, components } = document
  const responses = components.responses && mapValues(components.responses, (response) => structuredClone(response))
  return {
    ...document,
    paths: mapValues(paths, (item) => structuredClone(item)),
    components: { ...components, ...present({ responses }) },
  }
}

function present<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>
}

/**
 * Security requirements from `x-credentials`, `x-token-kinds` and `x-capability`. A bearer token may come from an installation or
 * a member (scheme `bearerToken`) or from OAuth (scheme `oauth2`, with scopes): each is an alternative.
 */
export function securityOf(operation: OperationObject): SecurityRequirement[] {
  switch (operation['x-credentials'] ?? 'bearer') {
    case 'none':
      return []
    case 'client':
      return [{ clientCredentials: [] }]
    case 'connection':
      return [{ clientCredentials: [] }, ...bearerRequirements(operation)]
    case 'bearer':
      return bearerRequirements(operation)
    default:
      throw new Error(`${operation.operationId}: unknown x-credentials ${operation['x-credentials']}`)
  }
}

function bearerRequirements(operation: OperationObject): SecurityRequirement[] {
  const kinds = operation['x-token-kinds'] ?? ['installation', 'access', 'personal']
  const own = kinds.some((kind) => kind !== 'access') ? [{ bearerToken: [] }] : []
  const oauth = kinds.includes('access')
    ? scopeAlternatives(operation['x-capability'] ?? 'none').map((oauth2) => ({ oauth2 }))
    : []
  return [...own, ...oauth]
}

function scopeAlternatives(rule: CapabilityRule): string[][] {
  if (rule === 'none') return [[]]
  return 'all' in rule ? [rule.all] : rule.any.map((scope) => [scope])
}

function sortedComponents(components: Document['components']): Document['components'] {
  return Object.fromEntries(
    Object.entries(components)
      .toSorted(([a], [b]) => compare(a, b))
      .map(([kind, group]) => [kind, sortedMap(group)]),
  )
}

function sortedMap(group: unknown): unknown {
  return Object.fromEntries(Object.entries(group ?? {}).toSorted(([a], [b]) => compare(a, b)))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
