/**
 * Step 3: the server form, prepared for Ajv, and for express-openapi-validator 5.6 (EOV), whose verdicts tests compare. It contains only the
 * parts that validate requests. Comments name the quirk of the validator that a step works around.
 */

import {
  operationsOf,
  parametersOf,
  requestBodyOf,
  schemaNameOf,
  type Document,
  type MediaType,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type PlacedOperation,
  type RequestBody,
  type Schema,
} from '../document.ts'
import { forEachItem } from '../faults.ts'
import { dereference, type Schemas } from './flatten.ts'
import { ServerSchemas } from './schemas.ts'
import { isObject } from '../../../server/kernel/is_object.ts'

/** The server document: operations with parameters and request bodies, responses as bare statuses, schemas in server form. */
export function serverDocument(document: Document): Document {
  const source = document.components.schemas ?? {}
  const schemas = new ServerSchemas(source)
  const paths: Record<string, PathItem> = {}
  forEachItem(operationsOf(document), (placed) => {
    const item = (paths[placed.path] ??= {})
    item[placed.method] = serverOperation(document, placed, schemas, source)
  })
  return {
    openapi: document.openapi,
    info: { title: document.info.title, version: document.info.version },
    paths,
    components: { schemas: schemas.components() },
  }
}

function serverOperation(document: Document, placed: PlacedOperation, schemas: ServerSchemas, source: Schemas): OperationObject {
  const { operation } = placed
  const body = requestBodyOf(document, operation)
  const parameters = parametersOf(document, placed).map((parameter) => serverParameter(parameter, source))
  return {
    operationId: operation.operationId,
    tags: operation.tags,
    ...Object.fromEntries(Object.entries(operation).filter(([key]) => key.startsWith('x-'))),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: serverBody(body, schemas, source) }),
    responses: Object.fromEntries(Object.keys(operation.responses).map((status) => [status, { description: status }])),
  }
}

/** Inlines the schema of a parameter, which is small, so that EOV reads its type (and default) without following references. */
function serverParameter(parameter: ParameterObject, source: Schemas): ParameterObject {
  const { name, in: location, required, style, explode, schema } = parameter
  return {
    name,
    in: location,
    ...(required === undefined ? {} : { required }),
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode }),
    ...(schema === undefined ? {} : { schema: inlined(schema, source) }),
  }
}

function inlined(schema: Schema, source: Schemas): Schema {
  const { description: _description, examples: _examples, items, ...rest } = dereference(source, schema)
  return { ...rest, ...(isObject(items) ? { items: inlined(items, source) } : {}) }
}

function serverBody(body: RequestBody, schemas: ServerSchemas, source: Schemas): RequestBody {
  const { required, 'x-body-limit': limit, content } = body
  return {
    required: required ?? false,
    ...(limit === undefined ? {} : { 'x-body-limit': limit }),
    content: Object.fromEntries(
      Object.entries(content).map(([type, media]) => [type, serverMedia(type, media, schemas, source)]),
    ),
  }
}

function serverMedia(type: string, media: MediaType, schemas: ServerSchemas, source: Schemas): MediaType {
  if (media.schema === undefined) return {}
  if (type.startsWith('multipart/'))
    return { schema: schemas.convert(withoutBinaryParts(dereference(source, media.schema), source)) }
  if (media.schema.format === 'binary') return {}
  const schema = schemas.convert(media.schema)
  const name = schema.$ref === undefined ? undefined : schemaNameOf(schema.$ref)
  // EOV runs a discriminator of its own on a body that is directly a tagged union; inside allOf it leaves the union to Ajv
  return { schema: name !== undefined && schemas.components()[name]?.discriminator !== undefined ? { allOf: [schema] } : schema }
}

/** Removes the files of a form, which are streamed past the validator, and names them in `x-binary-parts`. */
function withoutBinaryParts(schema: Schema, source: Schemas): Schema {
  const properties = Object.entries(schema.properties ?? {})
  const binary = properties
    .filter(([, property]) => typeof property === 'object' && dereference(source, property).format === 'binary')
    .map(([key]) => key)
  return {
    ...schema,
    'x-binary-parts': binary,
    required: (schema.required ?? []).filter((key) => !binary.includes(key)),
    properties: Object.fromEntries(properties.filter(([key]) => !binary.includes(key))),
  }
}
