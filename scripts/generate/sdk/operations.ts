/** Rules for the rest of the document: operations, responses, webhooks. */

import {
  operationsOf,
  resolve,
  schemaNameOf,
  schemaRef,
  type Document,
  type MediaType,
  type ResponseObject,
  type Schema,
} from '../document.ts'
import { withHolders } from './holders.ts'
import { alternativesOf } from './unions.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** Moves webhooks, which OpenAPI 3.0 lacks, to an extension field where tools for 3.0 look for them. */
export function webhooksApart(document: Document): Document {
  const { webhooks, ...rest } = document
  return webhooks === undefined ? rest : { ...rest, 'x-webhooks': webhooks }
}

/** Removes examples, which readers find in the contract itself, including those within schemas. */
export function withoutExamples(document: Document): Document {
  const { examples: _examples, ...components } = document.components
  return withHolders({ ...document, components }, ({ example: _one, examples: _all, ...holder }) => holder)
}

/** Turns a stream of events into text. */
export function streamsAsText(document: Document): Document {
  return withMedia(document, (media) => (media['x-event-stream'] === undefined ? media : { schema: { type: 'string' } }))
}

/**
 * Gives every error one shape: a response whose variants are all variants of `shared` becomes `shared`, so that clients decode one class.
 */
export function oneErrorShape(shared: string): (document: Document) => Document {
  return (document) => {
    const schemas = document.components.schemas ?? {}
    if (schemas[shared] === undefined) return document
    const namesIn = (schema: Schema): (string | undefined)[] =>
      alternativesOf(schemas, schema).map(({ $ref: ref }) => schemaNameOf(ref ?? ''))
    const known = new Set(namesIn(schemaRef(shared)))
    return withMedia(document, (media) =>
      media.schema !== undefined && namesIn(media.schema).every((name) => name !== undefined && known.has(name))
        ? { ...media, schema: schemaRef(shared) }
        : media,
    )
  }
}

/** Applies a change to every media type of a response. */
function withMedia(document: Document, change: (media: MediaType) => MediaType): Document {
  const result = structuredClone(document)
  const received = operationsOf(result).flatMap(({ operation }) => Object.values(operation.responses))
  const responses = [
    ...received.map((response) => resolve<ResponseObject>(result, response)),
    ...Object.values(result.components.responses ?? {}),
  ]
  for (const { content = {} } of new Set(responses))
    for (const [type, media] of Object.entries(content)) content[type] = change(media)
  return result
}

/** Keeps only the first paragraph of the document's description: generators copy the whole guide into each generated file. */
export function shortHead({ info, ...rest }: Document): Document {
  const { description, ...others } = info
  const [first] = typeof description === 'string' ? description.split('\n\n') : []
  return { ...rest, info: first === undefined ? others : { ...others, description: first } }
}

/**
 * Requires only the bearer token where an operation accepts alternatives: generators add both to a request, and some the second without its
 * scheme. OAuth also results in a bearer token.
 */
export function oneToken(document: Document): Document {
  const result = structuredClone(document)
  const schemes = result.components.securitySchemes ?? {}
  const isBearer = (name: string): boolean => schemes[name]?.['scheme'] === 'bearer'
  const isOAuth = (name: string): boolean => schemes[name]?.type === 'oauth2'
  for (const { operation } of operationsOf(result))
    if (operation.security?.some((requirement) => Object.keys(requirement).some(isBearer)) === true)
      operation.security = operation.security.filter((requirement) => !Object.keys(requirement).some(isOAuth))
  const requirements = [result, ...operationsOf(result).map(({ operation }) => operation)].flatMap(
    ({ security = [] }) => security,
  )
  const used = new Set(requirements.flatMap((requirement) => Object.keys(requirement)))
  result.components.securitySchemes = Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)))
  return result
}

/**
 * The head of a document in OpenAPI 3.0, without summary and schema dialect, and with the address of the license instead of its SPDX id.
 */
export function headFor30({ openapi: _openapi, info, jsonSchemaDialect: _dialect, ...rest }: Document): Document {
  const { summary: _summary, license, ...others } = info
  return { openapi: '3.0.3', info: { ...others, ...(isObject(license) ? { license: licenseFor30(license) } : {}) }, ...rest }
}

function licenseFor30({ identifier, ...license }: Record<string, unknown>): Record<string, unknown> {
  return typeof identifier === 'string' ? { ...license, url: `https://spdx.org/licenses/${identifier}.html` } : license
}
