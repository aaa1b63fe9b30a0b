/** Changes of the contract as somebody might make them, with what callers should be told. */

import type { Document, Operation, Parameter, Response, Schema } from '../../../scripts/generate/document.ts'
import { isObject, operationsOf, parametersOf, resolve } from '../../../scripts/generate/document.ts'
import type { Word } from '../../../scripts/diff/change.ts'

export interface PlantedChange {
  title: string
  change: (document: Document) => void
  /** of the whole comparison */
  word: Word
  /** a line of the report */
  line: string
}

function operation(document: Document, id: string): Operation {
  const found = operationsOf(document).find((placed) => placed.operation.operationId === id)
  if (found === undefined) throw new Error(`No operation ${id}`)
  return found.operation
}

function schema(document: Document, name: string): Schema {
  const found = document.components.schemas?.[name]
  if (found === undefined) throw new Error(`No schema ${name}`)
  return found
}

function property(document: Document, owner: string, name: string): Schema {
  const found = schema(document, owner).properties?.[name]
  if (!isObject(found)) throw new Error(`No property ${owner}.${name}`)
  return found
}

function parameter(document: Document, id: string, name: string): Parameter {
  const placed = operationsOf(document).find((each) => each.operation.operationId === id)
  const found = placed && parametersOf(document, placed).find((each) => each.name === name)
  if (found === undefined) throw new Error(`No parameter ${name} of ${id}`)
  return found
}

function body(document: Document, id: string) {
  const found = operation(document, id).requestBody
  if (found === undefined || '$ref' in found) throw new Error(`No body of ${id}`)
  return found
}

function answer(document: Document, id: string, status: string): Response {
  const found = operation(document, id).responses[status]
  if (found === undefined) throw new Error(`No answer ${status} of ${id}`)
  return resolve<Response>(document, found)
}

/** A kind more in a tagged union: a copy of one that is there. */
function addKind(document: Document, union: string, like: string, tag: string): void {
  const copy = structuredClone(schema(document, like))
  const name = `Planted${like}`
  if ('x-payload-key' in copy) copy['x-payload-key'] = tag
  for (const key of ['type', 'code']) if (isObject(copy.properties?.[key])) copy.properties[key] = { type: 'string', const: tag }
  Object.assign(document.components.schemas ?? {}, { [name]: copy })
  const ref = `#/components/schemas/${name}`
  schema(document, union).oneOf?.push({ $ref: ref })
  Object.assign(schema(document, union).discriminator?.mapping ?? {}, { [tag]: ref })
}

function removeKind(document: Document, union: string, variant: string): void {
  const target = schema(document, union)
  const ref = `#/components/schemas/${variant}`
  target.oneOf = (target.oneOf ?? []).filter((each) => !isObject(each) || each['$ref'] !== ref)
}

export const breaking: PlantedChange[] = [
  {
    title: 'an operation removed',
    change: ({ paths }) => delete paths['/v1/custom_emojis'],
    word: 'major',
    line: '`GET /v1/custom_emojis`: removed',
  },
  {
    title: 'a deprecated operation removed',
    change: ({ paths }) => delete paths['/v1/databases/{database_id}/query'],
    word: 'major',
    line: '`POST /v1/databases/{database_id}/query`: removed (was promised until 2028-01-01)',
  },
  {
    title: 'an operation under another name',
    change: (document) => (operation(document, 'listUsers').operationId = 'listPeople'),
    word: 'major',
    line: '`GET /v1/users`: called `listPeople`, was `listUsers`',
  },
  {
    title: 'a query parameter removed',
    change: (document) => (operation(document, 'retrievePage').parameters = []),
    word: 'major',
    line: '`query filter_properties`: no longer accepted',
  },
  {
    title: 'a required query parameter added',
    change: (document) =>
      operation(document, 'listUsers').parameters?.push({
        name: 'workspace',
        in: 'query',
        required: true,
        schema: { type: 'string' },
      }),
    word: 'major',
    line: '`query workspace`: new and required',
  },
  {
    title: 'a query parameter required',
    change: (document) => (parameter(document, 'listUsers', 'page_size').required = true),
    word: 'major',
    line: '`query page_size`: required, was optional',
  },
  {
    title: 'a body required',
    change: (document) => (body(document, 'search').required = true),
    word: 'major',
    line: '`body`: required, was optional',
  },
  {
    title: 'a media type of a body removed',
    change: (document) => delete body(document, 'createToken').content['application/json'],
    word: 'major',
    line: '`body`: no longer as `application/json`',
  },
  {
    title: 'a key of a request removed',
    change: (document) => delete schema(document, 'SearchRequest').properties?.['query'],
    word: 'major',
    line: '`SearchRequest.query`: no longer accepted',
  },
  {
    title: 'a required key of a request added',
    change: (document) => {
      const target = schema(document, 'SearchRequest')
      target.properties = { ...target.properties, scope: { type: 'string' } }
      target.required = [...(target.required ?? []), 'scope']
    },
    word: 'major',
    line: '`SearchRequest.scope`: new and required',
  },
  {
    title: 'a key of a request required',
    change: (document) => (schema(document, 'SearchRequest').required = ['query']),
    word: 'major',
    line: '`SearchRequest.query`: required, was optional',
  },
  {
    title: 'a shorter text in requests',
    change: (document) => (property(document, 'SearchRequest', 'query')['maxLength'] = 1000),
    word: 'major',
    line: '`SearchRequest.query`: at most 1000 characters, was at most 2000 characters',
  },
  {
    title: 'fewer items in requests',
    change: (document) => (property(document, 'CreateCommentRequest', 'attachments')['maxItems'] = 2),
    word: 'major',
    line: '`CreateCommentRequest.attachments`: at most 2 items, was at most 3 items',
  },
  {
    title: 'a higher least number in requests',
    change: (document) => (schema(document, 'PageSizeRequest')['minimum'] = 5),
    word: 'major',
    line: '`PageSizeRequest`: at least 5, was at least 1',
  },
  {
    title: 'another default',
    change: (document) => (schema(document, 'PageSizeRequest').default = 50),
    word: 'major',
    line: '`PageSizeRequest`: default `50`, was `100`',
  },
  {
    title: 'a pattern for a text in requests',
    change: (document) => (property(document, 'SearchRequest', 'query')['pattern'] = '^\\S'),
    word: 'major',
    line: '`SearchRequest.query`: pattern `^\\S`, was none',
  },
  {
    title: 'a value less in requests',
    change: (document) => schema(document, 'Color').enum?.pop(),
    word: 'major',
    line: '`Color`: `red_background` no longer accepted',
  },
  {
    title: 'a kind of block less in requests',
    change: (document) => removeKind(document, 'BlockRequest', 'ToDoBlockRequest'),
    word: 'major',
    line: '`BlockRequest`: `to_do` no longer accepted',
  },
  {
    title: 'fewer block elements in requests',
    change: (document) => (property(document, 'AppendBlockChildrenRequest', 'children')['x-block-elements-max'] = 500),
    word: 'major',
    line: '`AppendBlockChildrenRequest.children`: at most 500 block elements, was at most 1000 block elements',
  },
  {
    title: 'smaller bodies',
    change: (document) => (body(document, 'sendFileUpload')['x-body-limit'] = 1_000_000),
    word: 'major',
    line: '`body`: at most 1000000 bytes, was at most 21037056 bytes',
  },
  {
    title: 'the general limit of bodies where there was a larger one',
    change: (document) => delete body(document, 'sendFileUpload')['x-body-limit'],
    word: 'major',
    line: '`body`: at most 512000 bytes, was at most 21037056 bytes',
  },
  {
    title: 'one more capability needed',
    change: (document) =>
      (operation(document, 'listUsers')['x-capability'] = { all: ['read_user_without_email', 'read_content'] }),
    word: 'major',
    line: '`capabilities`: needs `read_user_without_email`, `read_content`, needed one of `read_user_without_email`, `read_user_with_email`',
  },
  {
    title: 'a choice of capabilities less',
    change: (document) =>
      (operation(document, 'createFileUpload')['x-capability'] = { any: ['insert_content', 'update_content'] }),
    word: 'major',
    line: '`capabilities`: needs one of `insert_content`, `update_content`, needed one of `insert_content`, `update_content`, `insert_comments`',
  },
  {
    title: 'a kind of token less',
    change: (document) => (operation(document, 'retrieveMe')['x-token-kinds'] = ['installation', 'access']),
    word: 'major',
    line: '`kinds of tokens`: `personal` no longer accepted',
  },
  {
    title: 'other credentials',
    change: (document) => (operation(document, 'listWebhookSubscriptions')['x-credentials'] = 'client'),
    word: 'major',
    line: '`credentials`: `bearer` no longer accepted',
  },
  {
    title: 'a release date later',
    change: (document) => (operation(document, 'retrieveView')['x-available'] = { from: '2026-03-11' }),
    word: 'major',
    line: '`release dates`: from 2026-03-11, was from 2025-09-03',
  },
  {
    title: 'gone from the newest release date',
    change: (document) => (operation(document, 'queryDatabase')['x-available'] = { before: '2026-03-11' }),
    word: 'major',
    line: '`release dates`: before 2026-03-11, was in all',
  },
  {
    title: 'paging moved into the body',
    change: (document) => (operation(document, 'listUsers')['x-pagination'] = { in: 'body', items: 'results', shape: 'list' }),
    word: 'major',
    line: '`paging`: {"in":"body","items":"results","shape":"list"}, was {"in":"query","items":"results","shape":"list"}',
  },
  {
    title: 'an error that may not be retried any more',
    change: (document) => (schema(document, 'ServiceOverloadError')['x-retry'] = 'never'),
    word: 'major',
    line: 'may be retried `never`, was',
  },
  {
    title: 'an error code removed',
    change: (document) => removeKind(document, 'ConflictBody', 'AgentDeletedError'),
    word: 'major',
    line: '`ConflictBody`: error code `agent_deleted` no longer sent',
  },
  {
    title: 'a key of an answer removed',
    change: (document) => delete schema(document, 'CustomEmoji').properties?.['url'],
    word: 'major',
    line: '`CustomEmoji.url`: no longer sent',
  },
  {
    title: 'a key of an answer not always sent',
    change: (document) => (schema(document, 'CustomEmoji').required = ['id', 'name']),
    word: 'major',
    line: '`CustomEmoji.url`: not always sent, was always',
  },
  {
    title: 'null in an answer',
    change: (document) => (property(document, 'CustomEmoji', 'url').type = ['string', 'null']),
    word: 'major',
    line: '`CustomEmoji.url`: null now sent, too',
  },
  {
    title: 'null beside an object of an answer',
    change: (document) =>
      Object.assign(schema(document, 'CommentAttachment').properties ?? {}, {
        file: { oneOf: [{ $ref: '#/components/schemas/ServiceFile' }, { type: 'null' }] },
      }),
    word: 'major',
    line: '`CommentAttachment.file`: `null` now sent, too',
  },
  {
    title: 'more items in answers than readers were told',
    change: (document) => (property(document, 'Comment', 'rich_text')['maxItems'] = 200),
    word: 'major',
    line: '`Comment.rich_text`: at most 200 items, was at most 100 items',
  },
  {
    title: 'no limit in answers where readers were told one',
    change: (document) => delete property(document, 'Comment', 'rich_text')['maxItems'],
    word: 'major',
    line: '`Comment.rich_text`: no limit, was at most 100 items',
  },
  {
    title: 'a value more in answers that promises no more',
    change: (document) => schema(document, 'FileUploadStatus').enum?.push('paused'),
    word: 'major',
    line: '`FileUploadStatus`: `paused` now sent, too',
  },
  {
    title: 'a value more in answers that promised no more until now',
    change: (document) => {
      schema(document, 'FileUploadStatus').enum?.push('paused')
      Object.assign(Object(document.info['x-may-grow']), { 'states of uploads': ['FileUploadStatus'] })
    },
    word: 'major',
    line: '`FileUploadStatus`: `paused` now sent, too',
  },
  {
    title: 'a key that only one kind of answer has removed',
    change: (document) => delete schema(document, 'ParagraphContent').properties?.['color'],
    word: 'major',
    line: '`ParagraphContent.color`: no longer sent',
  },
  {
    title: 'a header of answers removed',
    change: (document) => delete answer(document, 'listUsers', '200').headers?.['RateLimit'],
    word: 'major',
    line: '`answer 200 header RateLimit`: no longer sent',
  },
  {
    title: 'a new kind of success',
    change: (document) => (operation(document, 'listUsers').responses['202'] = { description: 'Later.' }),
    word: 'major',
    line: '`answer 202`: new',
  },
  {
    title: 'an event removed',
    change: (document) => delete document.webhooks?.['page.moved'],
    word: 'major',
    line: '`page.moved`: removed',
  },
  {
    title: 'a field of our own without a rule',
    change: (document) => (operation(document, 'listUsers')['x-price'] = 2),
    word: 'major',
    line: '`x-price`: changed; no rule of the comparison knows this field',
  },
]

export const allowed: PlantedChange[] = [
  {
    title: 'a new operation',
    change: (document) => {
      const item = document.paths['/v1/custom_emojis']
      if (item?.get) document.paths['/v1/badges'] = { ...item, get: { ...item.get, operationId: 'listBadges' } }
    },
    word: 'minor',
    line: '`GET /v1/badges`: new',
  },
  {
    title: 'a new kind of block in answers',
    change: (document) => addKind(document, 'Block', 'ParagraphBlock', 'poem'),
    word: 'minor',
    line: '`Block`: `poem` now sent, too',
  },
  {
    title: 'a new kind of block in requests',
    change: (document) => {
      addKind(document, 'BlockRequest', 'ParagraphBlockRequest', 'poem')
    },
    word: 'minor',
    line: '`BlockRequest`: `poem` now accepted, too',
  },
  {
    title: 'a new kind of property',
    change: (document) => addKind(document, 'PropertyConfig', 'UrlPropertyConfig', 'barcode'),
    word: 'minor',
    line: '`PropertyConfig`: `barcode` now sent, too',
  },
  {
    title: 'a new error code',
    change: (document) => {
      addKind(document, 'ErrorObject', 'ConflictError', 'page_locked')
      const ref = '#/components/schemas/PlantedConflictError'
      schema(document, 'ConflictBody').oneOf?.push({ $ref: ref })
    },
    word: 'minor',
    line: '`ConflictBody`: error code `page_locked` now sent, too',
  },
  {
    title: 'a new event',
    change: (document) => {
      const event = document.webhooks?.['page.moved']
      if (event) document.webhooks = { ...document.webhooks, 'page.copied': event }
      schema(document, 'WebhookEventType').enum?.push('page.copied')
    },
    word: 'minor',
    line: '`page.copied`: new',
  },
  {
    title: 'a new color',
    change: (document) => schema(document, 'Color').enum?.push('teal'),
    word: 'minor',
    line: '`Color`: `teal` now sent, too',
  },
  {
    title: 'a new key of an answer',
    change: (document) => Object.assign(schema(document, 'CustomEmoji').properties ?? {}, { size: { type: 'integer' } }),
    word: 'minor',
    line: '`CustomEmoji.size`: new',
  },
  {
    title: 'an optional key of a request',
    change: (document) => Object.assign(schema(document, 'SearchRequest').properties ?? {}, { scope: { type: 'string' } }),
    word: 'minor',
    line: '`SearchRequest.scope`: new',
  },
  {
    title: 'a longer text in requests',
    change: (document) => (property(document, 'SearchRequest', 'query')['maxLength'] = 4000),
    word: 'minor',
    line: '`SearchRequest.query`: at most 4000 characters, was at most 2000 characters',
  },
  {
    title: 'one capability less needed',
    change: (document) => (operation(document, 'createView')['x-capability'] = { all: ['insert_content'] }),
    word: 'minor',
    line: '`capabilities`: needs `insert_content`, needed `insert_content`, `update_content`',
  },
  {
    title: 'one capability more to choose from',
    change: (document) => (operation(document, 'listComments')['x-capability'] = { any: ['read_comments', 'read_content'] }),
    word: 'minor',
    line: '`capabilities`: needs one of `read_comments`, `read_content`, needed `read_comments`',
  },
  {
    title: 'every kind of token',
    change: (document) => delete operation(document, 'listUsers')['x-token-kinds'],
    word: 'minor',
    line: '`kinds of tokens`: `personal` now accepted, too',
  },
  {
    title: 'an earlier release date',
    change: (document) => (operation(document, 'retrieveView')['x-available'] = { from: '2022-06-28' }),
    word: 'minor',
    line: '`release dates`: from 2022-06-28, was from 2025-09-03',
  },
  {
    title: 'an operation deprecated',
    change: (document) =>
      Object.assign(operation(document, 'listUsers'), {
        deprecated: true,
        'x-deprecation': { since: '2026-11-01', replacement: 'search', removal_not_before: '2028-11-01' },
      }),
    word: 'minor',
    line: '`GET /v1/users`: deprecated since 2026-11-01; instead: search; stays until 2028-11-01 at least',
  },
  {
    title: 'another name of a path parameter',
    change: ({ paths }) => {
      const { '/v1/users/{user_id}': item } = paths
      delete paths['/v1/users/{user_id}']
      if (item === undefined) return
      const parameters = [{ name: 'id', in: 'path' as const, required: true, schema: { $ref: '#/components/schemas/IdRequest' } }]
      paths['/v1/users/{id}'] = { ...item, parameters: [...parameters, ...(item.parameters ?? []).slice(1)] }
    },
    word: 'patch',
    line: 'other words',
  },
  {
    title: 'other words',
    change: (document) => (operation(document, 'listUsers').description = 'Everyone.'),
    word: 'patch',
    line: '`GET /v1/users`: other words',
  },
]
