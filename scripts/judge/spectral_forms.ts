/** Equivalent forms of the contract that stay small. */

import { withDefinitions } from '../../server/contract/json_schema.ts'
import {
  isReference,
  resolve,
  schemaNameOf,
  walkObjects,
  type Document,
  type Example,
  type PathItem,
  type Schema,
} from '../generate/document.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The document with all references resolved except those to schemas. */
export function withOnlySchemaReferences(document: Document): Document {
  const inline = inlinerOf(document)
  return {
    ...document,
    paths: inline(document.paths),
    webhooks: inline(document.webhooks ?? {}),
    components: inline(document.components),
  }
}

interface Body {
  readonly schema: Schema
  readonly examples: Example[]
}

/**
 * A document with one response for each schema of a body: it has all examples of that schema, whose `$defs` contains all referenced
 * schemas.
 */
export function withWholeSchemas(document: Document): Document {
  const known = new Map<string, Body>()
  const { paths, webhooks = {} } = withOnlySchemaReferences(document)
  walkObjects([paths, webhooks], ({ schema, examples }) => {
    if (!isObject(schema) || !isObject(examples)) return
    const key = JSON.stringify(schema)
    const body: Body = known.get(key) ?? { schema, examples: [] }
    body.examples.push(...Object.values(examples).filter(isObject))
    known.set(key, body)
  })
  return {
    ...document,
    components: {},
    webhooks: {},
    paths: Object.fromEntries(
      [...known.values()].map(({ schema, examples }, index) => [
        `/${index}`,
        pathWith(withDefinitions(document.components.schemas ?? {}, schema), examples),
      ]),
    ),
  }
}

function pathWith(schema: Schema, examples: readonly Example[]): PathItem {
  const content = {
    'application/json': { schema, examples: Object.fromEntries(examples.map((example, index) => [`${index}`, example])) },
  }
  return { get: { operationId: 'respond', tags: [], responses: { 200: { description: 'A body.', content } } } }
}

function inlinerOf(document: Document): <T>(value: T) => T {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline)
    if (!isObject(value)) return value
    if (isReference(value) && schemaNameOf(value.$ref) === undefined && value.$ref.startsWith('#/components/'))
      return inline(resolve<object>(document, value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, key === 'value' ? inner : inline(inner)]))
  }
  return <T>(value: T) => inline(value) as T // the target of a reference has the type that its position requires
}
