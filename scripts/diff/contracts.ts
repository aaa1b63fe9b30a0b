/** Two versions of the contract, operation by operation. */

import { operationsOf, parametersOf, webhooksOf, type Document, type PlacedOperation } from '../generate/document.ts'
import { mergedChanges, type ContractChange, type OperationChange } from './change.ts'
import { compareDeprecation, promise } from './deprecation.ts'
import { compareExtensionFields } from './extension_fields.ts'
import { compareResponses, compareParameters, compareRequestBody } from './messages.ts'
import { compareSchemas } from './schemas.ts'
import { contractsOf, isSame, listChanges, listedToGrow, type Contracts, type Side, type Comparison } from './comparison.ts'

type Found = { operation: string | undefined; change: OperationChange }[]

/** The changes in `revised` for callers of `base`. Both are public documents. */
export function compareContracts(base: Document, revised: Document): ContractChange[] {
  const contracts = contractsOf(base, revised)
  return mergedChanges([
    ...compareOperations(contracts, operationsOf, locationOfOperation, compareOperation),
    ...compareOperations(contracts, webhooksOf, ({ path }) => path, compareEvent),
    ...compareWhole(base, revised),
  ])
}

/** Names of path parameters mean nothing to callers. */
const locationOfOperation = ({ method, path }: PlacedOperation): string => `${method} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`

type Compare = (comparison: (side: Side) => Comparison, before: PlacedOperation, after: PlacedOperation) => void

function compareOperations(
  contracts: Contracts,
  listOf: (document: Document) => PlacedOperation[],
  locationOf: (placed: PlacedOperation) => string,
  compare: Compare,
): Found {
  const found: Found = []
  const [before, after] = [listOf(contracts.base), listOf(contracts.revised)]
  const others = new Map(after.map((placed) => [locationOf(placed), placed]))
  for (const was of before) {
    const is = others.get(locationOf(was))
    others.delete(locationOf(was))
    const comparison = comparer(contracts, nameOf(is ?? was), found)
    if (is === undefined) comparison('request').report('major', addressOf(was), `removed${promise(was.operation)}`)
    else compare(comparison, was, is)
  }
  for (const is of others.values()) comparer(contracts, nameOf(is), found)('request').report('minor', addressOf(is), 'new')
  return found
}

/** `event page.created` for a webhook, otherwise the `operationId`. */
const nameOf = ({ path, operation }: PlacedOperation): string => (path.startsWith('/') ? operation.operationId : `event ${path}`)

const addressOf = ({ path, method }: PlacedOperation): string => (path.startsWith('/') ? `${method.toUpperCase()} ${path}` : path)

/** One comparison for each side of an operation, because a schema that is sent and received has changes for both. */
function comparer(contracts: Contracts, operation: string, found: Found): (side: Side) => Comparison {
  return (side) => {
    const comparison: Comparison = {
      contracts,
      side,
      seen: new Set(),
      report: (word, location, message) => found.push({ operation, change: { word, location, message } }),
      compare: (before, after, location) => compareSchemas(comparison, before, after, location),
    }
    return comparison
  }
}

function compareOperation(comparison: (side: Side) => Comparison, before: PlacedOperation, after: PlacedOperation): void {
  const [request, response] = [comparison('request'), comparison('response')]
  const { base, revised } = request.contracts
  const [was, is] = [before.operation, after.operation]
  const address = addressOf(after)
  if (was.operationId !== is.operationId)
    request.report('major', address, `called \`${is.operationId}\`, was \`${was.operationId}\``)
  compareExtensionFields(was, is, request.report)
  compareDeprecation(request, was, is, address)
  if (['summary', 'description', 'tags'].some((key) => !isSame(was[key], is[key])))
    request.report('patch', address, 'other wording')
  const named = (document: Document, placed: PlacedOperation) =>
    parametersOf(document, placed).filter((parameter) => parameter.in !== 'path')
  compareParameters(request, named(base, before), named(revised, after))
  compareParameters(request, pathParameters(base, before), pathParameters(revised, after))
  compareRequestBody(request, was, is)
  compareResponses(response, was, is)
}

/** Path parameters by position. */
function pathParameters(document: Document, placed: PlacedOperation) {
  const parameters = parametersOf(document, placed)
  return [...placed.path.matchAll(/\{([^}]*)\}/g)].flatMap(([, name], index) =>
    parameters
      .filter((parameter) => parameter.in === 'path' && parameter.name === name)
      .map((parameter) => ({ ...parameter, name: `${index + 1}` })),
  )
}

/** Compares the requests of an event like responses, because the service sends them and receivers read them. */
function compareEvent(comparison: (side: Side) => Comparison, before: PlacedOperation, after: PlacedOperation): void {
  const response = comparison('response')
  const { base, revised } = response.contracts
  const [was, is] = [before.operation, after.operation]
  if (['summary', 'description'].some((key) => !isSame(was[key], is[key]))) response.report('patch', after.path, 'other wording')
  compareParameters(response, parametersOf(base, before), parametersOf(revised, after))
  compareRequestBody(response, was, is)
}

/** Changes that belong to no operation. */
function compareWhole(base: Document, revised: Document): Found {
  const found: Found = []
  const report = (word: OperationChange['word'], location: string, message: string) =>
    found.push({ operation: undefined, change: { word, location, message } })
  if (base.info.version !== revised.info.version)
    report('minor', 'version', `newest release date ${revised.info.version}, was ${base.info.version}`)
  if (!isSame({ ...base.info, version: '' }, { ...revised.info, version: '' })) report('patch', 'introduction', 'other wording')
  if ('x-may-grow' in base.info) {
    const { removed, added } = listChanges(listedToGrow(base), listedToGrow(revised))
    for (const name of added) report('major', name, 'may grow from now on, which was not announced to callers')
    for (const name of removed) report('minor', name, 'no longer grows')
  }
  if (!isSame(base.servers, revised.servers)) report('major', 'servers', 'addresses changed')
  const [schemes, newSchemes] = [base.components.securitySchemes ?? {}, revised.components.securitySchemes ?? {}]
  for (const [name, scheme] of Object.entries(schemes)) {
    if (!(name in newSchemes)) report('major', `security scheme ${name}`, 'removed')
    else if (!isSame(scheme, newSchemes[name])) report('patch', `security scheme ${name}`, 'other wording')
  }
  return found
}
