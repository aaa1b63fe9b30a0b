/**
 * Step 7: the mock form, for Prism 5.16. Prism compiles every schema of every operation at its start and copies references into each place;
 * with whole schemas that takes 14 seconds and 450 MB. Here schemas are cut down to one level, and every response has its examples, so that
 * Prism never needs to invent one.
 */

import {
  mapValues,
  isReference,
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type Header,
  type JsonValue,
  type MediaType,
  type OperationObject,
  type ParameterObject,
  type PathItem,
  type PlacedOperation,
  type RequestBody,
  type ResponseObject,
  type Schema,
} from './document.ts'
import { ContractFaults } from './faults.ts'
import { dereference, flatten, type Schemas } from './server/flatten.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { faultAt } from './fault_locations.ts'

/** The mock document. Throws if a response with content has no example. */
export function mockDocument(document: Document): Document {
  refuseMissingExamples(document)
  const paths: Record<string, PathItem> = {}
  for (const placed of operationsOf(document)) (paths[placed.path] ??= {})[placed.method] = mockOperation(document, placed)
  const { openapi, info, servers, components } = document
  return {
    openapi,
    info: { title: info.title, version: info.version },
    ...(servers === undefined ? {} : { servers }),
    paths,
    components: {
      responses: mapValues(components.responses ?? {}, (response) => mockResponse(document, response)),
      examples: mapValues(components.examples ?? {}, ({ summary, value }) => ({
        ...(summary === undefined ? {} : { summary }),
        value: value ?? null,
      })),
      securitySchemes: mapValues(components.securitySchemes ?? {}, ({ description: _description, ...scheme }) => scheme),
    },
  }
}

/** @throws ContractFaults with the responses that have no example */
function refuseMissingExamples(document: Document): void {
  const own = operationsOf(document).flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) =>
      isReference(response)
        ? []
        : [{ at: ['paths', path, method, 'responses', status], name: `${operation.operationId} ${status}`, response }],
    ),
  )
  const shared = Object.entries(document.components.responses ?? {}).map(([name, response]) => ({
    at: ['components', 'responses', name],
    name,
    response,
  }))
  const faults = [...own, ...shared].flatMap(({ at, name, response: { content = {} } }) =>
    Object.entries(content)
      .filter(([, { examples = {} }]) => Object.keys(examples).length === 0)
      .map(([type]) => faultAt(at, `The mock has no response: ${name} ${type} has no example`)),
  )
  if (faults.length > 0) throw new ContractFaults(faults)
}

function mockOperation(document: Document, placed: PlacedOperation): OperationObject {
  const { operation } = placed
  const body = requestBodyOf(document, operation)
  const schemas = document.components.schemas ?? {}
  const parameters = parametersOf(document, placed).map((parameter) => mockParameter(parameter, schemas))
  return {
    operationId: operation.operationId,
    tags: operation.tags,
    ...(operation.security === undefined ? {} : { security: withoutScopes(operation.security) }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : { requestBody: mockBody(body, schemas) }),
    responses: mapValues(operation.responses, (response) =>
      isReference(response) ? response : mockResponse(document, response),
    ),
  }
}

/** Keeps one requirement for each scheme: the mock checks no scopes. */
function withoutScopes(security: NonNullable<OperationObject['security']>): NonNullable<OperationObject['security']> {
  const schemes = [...new Set(security.flatMap((requirement) => Object.keys(requirement)))]
  return schemes.map((scheme) => ({ [scheme]: [] }))
}

function mockParameter({ name, in: location, required, schema }: ParameterObject, schemas: Schemas): ParameterObject {
  return {
    name,
    in: location,
    ...(required === undefined ? {} : { required }),
    schema: schema === undefined ? {} : cutSchema(schema, schemas, 1),
  }
}

function mockBody(body: RequestBody, schemas: Schemas): RequestBody {
  const content = mapValues(body.content, (media, type) => {
    if (type !== 'application/json' || media.schema === undefined) return {} // Prism misreads bytes and forms
    return { schema: cutSchema(media.schema, schemas, 1) }
  })
  return { required: body.required ?? false, content }
}

function mockResponse(document: Document, response: ResponseObject): ResponseObject {
  const { description, headers, content } = response
  return {
    description: description.split('\n', 1)[0] ?? '',
    ...(headers === undefined ? {} : { headers: mockHeaders(document, headers) }),
    ...(content === undefined ? {} : { content: mapValues(content, (media) => mockMedia(document, media)) }),
  }
}

/** Required headers with the value of their example: Prism would send "string". */
function mockHeaders(
  document: Document,
  headers: NonNullable<ResponseObject['headers']>,
): NonNullable<ResponseObject['headers']> {
  const certain = Object.entries(headers)
    .map(([name, header]) => [name, resolve<Header>(document, header)] as const)
    .filter(([, header]) => header.required === true)
  return Object.fromEntries(certain.map(([name, header]) => [name, mockHeader(document, header)]))
}

function mockHeader(document: Document, { schema = {}, example }: Header): Header {
  const { type, enum: values, const: constant, example: usual } = dereference(document.components.schemas ?? {}, schema)
  const value = example ?? usual ?? constant ?? values?.[0]
  return {
    required: true,
    schema: { ...(type === undefined ? {} : { type }), ...(value === undefined ? {} : { enum: [asJson(value)] }) },
  }
}

function asJson(value: unknown): JsonValue {
  return JSON.parse(JSON.stringify(value))
}

/**
 * Examples, unchanged. Of several errors, the one for an invalid request comes first, because Prism responds to an invalid request with the
 * first.
 */
function mockMedia(document: Document, media: MediaType): MediaType {
  const { examples = {}, 'x-event-stream': stream } = media
  if (isObject(stream))
    return {
      schema: {},
      examples: mapValues(examples, (example) => asFrame(resolve<Example>(document, example), String(stream['event']))),
    }
  const { validation_error: first, ...others } = examples
  return { schema: {}, examples: first === undefined ? others : { validation_error: first, ...others } }
}

/** One frame of an event stream as it goes over the wire: Prism writes text only. */
function asFrame({ summary, value }: Example, event: string): Example {
  const name = isObject(value) ? String(value[event]) : 'message'
  return { ...(summary === undefined ? {} : { summary }), value: `event: ${name}\ndata: ${JSON.stringify(value)}\n\n` }
}

const keptKeywords = [
  'type',
  'enum',
  'const',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'default',
]

/** The schema cut at `levels` levels. Unions and closed objects are left out: the mock is lenient. */
function cutSchema(schema: Schema, schemas: Schemas, levels: number): Schema {
  const flat = flatten(schemas, dereference(schemas, schema))
  const kept: Schema = Object.fromEntries(Object.entries(flat).filter(([keyword]) => keptKeywords.includes(keyword)))
  if (flat.properties !== undefined && levels > 0) {
    kept.properties = mapValues(flat.properties, (property) =>
      typeof property === 'boolean' ? property : cutSchema(property, schemas, levels - 1),
    )
  } else {
    delete kept.required
  }
  return kept
}
