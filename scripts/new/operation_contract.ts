/** The files of an operation in `spec/`. */

import { componentFile, exampleOf, reference, requireNewComponent, exampleId } from './contract_names.ts'
import type { FileDraft } from './file_draft.ts'
import { UsageError } from './usage_error.ts'
import { pascalOf, spaced, sentence, snake, withArticle } from './words.ts'

export const METHODS = ['get', 'post', 'patch', 'delete'] as const

export interface NewOperation {
  readonly id: string
  readonly verb: string
  readonly method: (typeof METHODS)[number]
  readonly path: string
  readonly resource: string
  readonly tag: string
  /** The names of its path parameters. */
  readonly parameters: readonly string[]
  readonly isList: boolean
  /** The schema of its response or, for a list, of the items. */
  readonly object: string
  /** Its first release date; undefined if callers of every release have it. */
  readonly since?: string
}

const WITHOUT_BODY = ['cancel', 'complete', 'revoke']

/** The name of the schema of its request body; undefined without a body. */
export function newRequestName({ id, verb, method, isList, object }: NewOperation): string | undefined {
  if (method === 'get' || method === 'delete' || WITHOUT_BODY.includes(verb)) return undefined
  return isList ? `${object}${pascalOf(verb)}Request` : `${pascalOf(id)}Request`
}

/** The name of the request's example, which must differ from the name of its schema. */
function requestExampleName(parts: NewOperation): string {
  return parts.isList ? `${pascalOf(parts.id)}Request` : `${pascalOf(parts.id)}NamedRequest`
}

/** The name of the schema of its response. */
export const responseName = ({ isList, object }: NewOperation): string => (isList ? `${object}List` : object)

const folderOf = ({ resource }: NewOperation, kind: string): string => `spec/resources/${resource}/${kind}`

export function pathItemHead(file: string, parameters: readonly string[]): string {
  const shared = ['ServiceVersion', 'ServiceBeta'].map((name) => `spec/shared/parameters/${name}.yaml`)
  return `parameters:\n${[...parameters, ...shared].map((to) => `  - $ref: ${reference(file, to)}\n`).join('')}`
}

export function operationText(draft: FileDraft, file: string, parts: NewOperation): string {
  const to = (path: string): string => reference(file, path)
  const { id, verb, method, tag, isList } = parts
  const noun = spaced(id.slice(verb.length))
  const schema = componentFile(draft, responseName(parts)) ?? `${folderOf(parts, 'schemas')}/${responseName(parts)}.yaml`
  return `${method}:
  operationId: ${id}
  tags: [${tag}]
  summary: ${sentence(verb)} ${isList ? noun : withArticle(noun)}
  description: |-
    TODO: say what it does, with its defaults and limits, and what is refused by which error.
${capability(parts)}${isList ? `  x-pagination: { in: ${method === 'get' ? 'query' : 'body'}, items: results, shape: list }\n` : ''}${operationParameters(parts, to)}${requestBody(parts, to)}  x-errors: { $ref: ${to('spec/shared/errors/api.yaml')} }
  responses:
    '200':
      description: "TODO: describe the response in a few words."
      content:
        application/json:
          schema:
            $ref: ${to(schema)}
          examples:
            ${snake(responseName(parts))}: { $ref: ${to(`${folderOf(parts, 'examples')}/${pascalOf(id)}.yaml`)} }
`
}

function capability({ verb, method, isList, since }: NewOperation): string {
  const word = method === 'get' || isList ? 'read_content' : verb === 'create' ? 'insert_content' : 'update_content'
  const available = `  x-available: ${since === undefined ? '{}' : `{ from: '${since}' }`}\n`
  return `  # TODO: keep these capabilities, or name others that it needs.\n  x-capability: { all: [${word}] }\n${available}`
}

function operationParameters({ method, isList }: NewOperation, to: (path: string) => string): string {
  const names = method === 'get' ? (isList ? ['StartCursor', 'PageSize'] : []) : ['IdempotencyKey']
  if (names.length === 0) return ''
  return `  parameters:\n${names.map((name) => `    - $ref: ${to(`spec/shared/parameters/${name}.yaml`)}\n`).join('')}`
}

function requestBody(parts: NewOperation, to: (path: string) => string): string {
  const schema = newRequestName(parts)
  if (schema === undefined) return ''
  return `  requestBody:
    required: ${!parts.isList}
    description: "TODO: say in a few words what is sent."
    content:
      application/json:
        schema:
          $ref: ${to(`${folderOf(parts, 'schemas')}/${schema}.yaml`)}
        examples:
          ${parts.isList ? 'first_page' : 'named'}: { $ref: ${to(`${folderOf(parts, 'examples')}/${requestExampleName(parts)}.yaml`)} }
`
}

export function parameterText(draft: FileDraft, file: string, name: string): string {
  return `name: ${name}
in: path
required: true
description: "TODO: say what it names. One that the caller cannot see is a 404, just as one that does not exist."
schema:
  $ref: ${reference(file, 'spec/shared/schemas/IdRequest.yaml')}
# TODO: take the id of a record from example_workspace.md, or add a row for a new one there.
example: ${exampleId(draft, 'Workshop handbook')}
`
}

/** Drafts the schema of its response, unless the contract has it, and an example. */
export function draftResponse(draft: FileDraft, parts: NewOperation): void {
  const example = `${pascalOf(parts.id)}`
  requireNewComponent(draft, example)
  const file = `${folderOf(parts, 'examples')}/${example}.yaml`
  const name = responseName(parts)
  const known = componentFile(draft, name)
  if (known !== undefined) {
    const model = exampleOf(draft, known)
    if (model === undefined)
      throw new UsageError(`It would return ${name}, which exists already and which no operation returns: ${known}.`)
    draft.create(file, draft.read(model).replace(/^summary: .*$/m, 'summary: "TODO: distinguish this example from the others."'))
    return
  }
  const object = componentFile(draft, parts.object)
  if (object !== undefined && !object.includes('/schemas/'))
    throw new UsageError(`${parts.object} exists already and is not a schema: ${object}.`)
  if (object === undefined) draft.create(`${folderOf(parts, 'schemas')}/${parts.object}.yaml`, objectText(parts))
  if (parts.isList) draft.create(`${folderOf(parts, 'schemas')}/${name}.yaml`, listText(parts, object))
  draft.create(file, parts.isList ? listExample(draft, parts) : objectExample(draft, parts))
}

function objectText({ object }: NewOperation): string {
  return `type: object
description: "TODO: say what ${withArticle(spaced(object))} is."
# TODO: add its other keys; those that are always present are required.
required: [object, id]
properties:
  object:
    type: string
    const: ${snake(object)}
    description: Always \`${snake(object)}\`.
  id:
    $ref: ../../../shared/schemas/IdResponse.yaml
  request_id:
    $ref: ../../../shared/schemas/RequestId.yaml
    description: Only where the ${spaced(object)} is the whole response.
`
}

function listText(parts: NewOperation, object: string | undefined): string {
  const word = snake(parts.object)
  const file = `${folderOf(parts, 'schemas')}/${responseName(parts)}.yaml`
  return `type: object
description: "TODO: say what is listed."
required: [type, ${word}, results]
properties:
  type:
    type: string
    const: ${word}
    description: Always \`${word}\`.
  ${word}:
    $ref: ../../../shared/schemas/EmptyObject.yaml
  results:
    type: array
    description: "TODO: say in which order they come."
    items:
      $ref: ${reference(file, object ?? `${folderOf(parts, 'schemas')}/${parts.object}.yaml`)}
allOf:
  - $ref: ../../../shared/schemas/ListObject.yaml
`
}

function objectExample(draft: FileDraft, { object }: NewOperation): string {
  return `summary: "TODO: distinguish this example from others."
value:
  object: ${snake(object)}
  # TODO: take the id of a record from example_workspace.md, or add a row for a new one there.
  id: ${exampleId(draft, 'Workshop handbook')}
  request_id: ${exampleId(draft, 'Request')}
`
}

function listExample(draft: FileDraft, { object }: NewOperation): string {
  return `summary: "TODO: show some results, and distinguish this example from others."
value:
  object: list
  type: ${snake(object)}
  ${snake(object)}: {}
  results: []
  has_more: false
  next_cursor: null
  request_id: ${exampleId(draft, 'Request')}
`
}

/** Drafts the schema of its request body, if it has one, and an example. */
export function requestOf(draft: FileDraft, parts: NewOperation): void {
  const name = newRequestName(parts)
  if (name === undefined) return
  for (const one of [name, requestExampleName(parts)]) requireNewComponent(draft, one)
  draft.create(`${folderOf(parts, 'schemas')}/${name}.yaml`, parts.isList ? queryRequestText() : requestText())
  const value = parts.isList ? 'page_size: 25' : 'name: Bowline'
  const example = `summary: "TODO: say what is special about this request."\nvalue:\n  # TODO: show the keys of its own.\n  ${value}\n`
  draft.create(`${folderOf(parts, 'examples')}/${requestExampleName(parts)}.yaml`, example)
}

function requestText(): string {
  return `type: object
description: "TODO: describe the request."
# TODO: describe its keys in place of this one.
properties:
  name:
    $ref: ../../../shared/schemas/StringRequest.yaml
    description: "TODO: say what it means, and the default if it is omitted."
additionalProperties: false
`
}

function queryRequestText(): string {
  return `type: object
description: "TODO: describe the request."
# TODO: add what is searched by.
properties:
  start_cursor:
    $ref: ../../../shared/schemas/CursorRequest.yaml
  page_size:
    $ref: ../../../shared/schemas/PageSizeRequest.yaml
additionalProperties: false
`
}
