/** The names of fields with secret values: properties and parameters whose schema has `x-secret`. */

import { isObject } from '../../server/kernel/is_object.ts'
import {
  isReference,
  operationsOf,
  requestBodyOf,
  resolve,
  walkObjects,
  type Document,
  type ParameterObject,
  type Schema,
  type SchemaOrBoolean,
} from './document.ts'
import { banner, typescriptLiteral } from './text.ts'

interface SecretFields {
  /** Names that always mean a secret, in lower case. */
  readonly always: readonly string[]
  /** Names that also occur without secrets: operation ID -> secret names in its request. */
  readonly inRequests: Readonly<Record<string, readonly string[]>>
}

/**
 * Reads the `x-secret` fields of the contract.
 * @throws Error for a secret that occurs only in a response, under a name with other meanings
 */
export function secretFields(document: Document): SecretFields {
  const properties = propertiesIn(document, document)
  const names = (isSecret: boolean): Set<string> =>
    new Set(properties.filter((property) => property.isSecret === isSecret).map(({ name }) => name.toLowerCase()))
  const [secret, others] = [names(true), names(false)]
  const ambiguous = [...secret].filter((name) => others.has(name))
  const inRequests = operationsOf(document).flatMap(({ operation }) => {
    const found = namesInRequest(document, requestBodyOf(document, operation)).filter((name) => ambiguous.includes(name))
    return found.length === 0 ? [] : [[operation.operationId, found] as const]
  })
  const unreachable = ambiguous.filter((name) => !inRequests.some(([, found]) => found.includes(name)))
  if (unreachable.length > 0) throw new Error(`x-secret: fields without it have the same names: ${unreachable.join(', ')}`)
  return { always: [...secret].filter((name) => !others.has(name)).toSorted(), inRequests: Object.fromEntries(inRequests) }
}

/** The text of `secret_fields.ts`. */
export function secretFieldsModule(document: Document): string {
  const { always, inRequests } = secretFields(document)
  const entries = Object.entries(inRequests).map(([operation, names]) => `  ${operation}: ${typescriptLiteral(names)},\n`)
  return `${banner('The names of fields and headers with secret values, in lower case.')}
/** Names of secrets only. */
export const secretFields: readonly string[] = ${typescriptLiteral(always)};

/** Names that fields without secrets have, too: operation -> names that are secrets in its request. */
export const secretsOfRequests: Readonly<Record<string, readonly string[]>> = {
${entries.join('')}};
`
}

function propertiesIn(document: Document, part: unknown): { readonly name: string; readonly isSecret: boolean }[] {
  const found: { name: string; isSecret: boolean }[] = []
  walkObjects(withoutExamples(part), ({ properties, name, in: location, schema }) => {
    if (isObject(properties))
      for (const [key, value] of Object.entries(properties))
        found.push({ name: key, isSecret: isMarked(document, value as SchemaOrBoolean) })
    if (typeof name === 'string' && typeof location === 'string' && isObject(schema))
      found.push({ name, isSecret: isMarked(document, (schema as ParameterObject['schema']) ?? true) })
  })
  return found
}

function isMarked(document: Document, schema: SchemaOrBoolean): boolean {
  if (typeof schema === 'boolean') return false
  return schema['x-secret'] === true || (isReference(schema) && resolve<Schema>(document, schema)['x-secret'] === true)
}

/** Names of the secret properties of a request body, including those of referenced schemas. */
function namesInRequest(document: Document, body: unknown): string[] {
  const [seen, names] = [new Set<string>(), new Set<string>()]
  const visit = (part: unknown): void => {
    for (const { name, isSecret } of propertiesIn(document, part)) if (isSecret) names.add(name.toLowerCase())
    walkObjects(withoutExamples(part), (object) => {
      if (!isReference(object) || seen.has(object.$ref)) return
      seen.add(object.$ref)
      visit(resolve(document, object))
    })
  }
  visit(body)
  return [...names]
}

/** Removes examples, which may contain any key. */
function withoutExamples(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value ?? null, (key, item: unknown) => (key === 'example' || key === 'examples' ? undefined : item)),
  )
}
