/** Rules about the document around its schemas: operations, answers, webhooks. */

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

/** OpenAPI 3.0 has no webhooks: they are in an extension field, where tools for 3.0 look for them. */
export function webhooksApart(document: Document): Document {
  const { webhooks, ...rest } = document
  return webhooks === undefined ? rest : { ...rest, 'x-webhooks': webhooks }
}

/** Examples are for readers, who have the contract itself. Those within schemas go with them. */
export function withoutExamples(document: Document): Document {
  const { examples: _examples, ...components } = document.components
  return withHolders({ ...document, components }, ({ example: _one, examples: _all, ...holder }) => holder)
}

/** A stream of events is text, whatever its frames hold. */
export function streamsAsText(document: Document): Document {
  return withMedia(document, (media) => (media['x-event-stream'] === undefined ? media : { schema: { type: 'string' } }))
}

/** Every error has one shape: an answer that can only be variants of `shared` is `shared`, so that clients decode one class. */
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

/** The document with every media type of an answer changed. */
function withMedia(document: Document, change: (media: MediaType) => MediaType): Document {
  const result = structuredClone(document)
  const answers = operationsOf(result).flatMap(({ operation }) => Object.values(operation.responses))
  const responses = [
    ...answers.map((answer) => resolve<ResponseObject>(result, answer)),
    ...Object.values(result.components.responses ?? {}),
  ]
  for (const { content = {} } of new Set(responses))
    for (const [type, media] of Object.entries(content)) content[type] = change(media)
  return result
}

/** The description of the whole is a guide for readers, and generators copy it into each file that they make: its first paragraph stays. */
export function shortHead({ info, ...rest }: Document): Document {
  const { description, ...others } = info
  const [first] = typeof description === 'string' ? description.split('\n\n') : []
  return { ...rest, info: first === undefined ? others : { ...others, description: first } }
}

/**
 * OAuth ends in a bearer token. Where an operation takes either, generators add both to a request, and some the second one without its
 * scheme: only the bearer token is asked for.
 */
export function oneToken(document: Document): Document {
  const result = structuredClone(document)
  const schemes = result.components.securitySchemes ?? {}
  const isBearer = (name: string): boolean => schemes[name]?.['scheme'] === 'bearer'
  const isOAuth = (name: string): boolean => schemes[name]?.type === 'oauth2'
  for (const { operation } of operationsOf(result))
    if (operation.security?.some((requirement) => Object.keys(requirement).some(isBearer)) === true)
      operation.security = operation.security.filter((requirement) => !Object.keys(requirement).some(isOAuth))
  const asked = [result, ...operationsOf(result).map(({ operation }) => operation)].flatMap(({ security = [] }) => security)
  const used = new Set(asked.flatMap((requirement) => Object.keys(requirement)))
  result.components.securitySchemes = Object.fromEntries(Object.entries(schemes).filter(([name]) => used.has(name)))
  return result
}

/**
 * The head of a document in OpenAPI 3.0, which has neither a summary nor the SPDX id of a license; for the latter, the address is given.
 * Schemas have no dialect to choose.
 */
export function headFor30({ openapi: _openapi, info, jsonSchemaDialect: _dialect, ...rest }: Document): Document {
  const { summary: _summary, license, ...others } = info
  return { openapi: '3.0.3', info: { ...others, ...(isObject(license) ? { license: licenseFor30(license) } : {}) }, ...rest }
}

function licenseFor30({ identifier, ...license }: Record<string, unknown>): Record<string, unknown> {
  return typeof identifier === 'string' ? { ...license, url: `https://spdx.org/licenses/${identifier}.html` } : license
}
