/** Breaking changes, with the report that callers should get. */

import { response, body, operation, parameter, property, removeKind, schema, type PlantedChange } from './contract_edits.ts'

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
    title: 'a higher minimum in requests',
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
    title: 'a pattern that no longer allows the empty text',
    change: (document) => (schema(document, 'CodeChallengeRequest')['pattern'] = '^[A-Za-z0-9_-]{43}$'),
    word: 'major',
    line: '`CodeChallengeRequest`: pattern `^[A-Za-z0-9_-]{43}$`, was `^(?:[A-Za-z0-9_-]{43})?$`',
  },
  {
    title: 'a read-only member that is compared with the record',
    change: (document) => (property(document, 'UpdatePageRequest', 'url')['x-unchanged'] = true),
    word: 'major',
    line: '`UpdatePageRequest.url`: a value other than that of the record is refused, was ignored',
  },
  {
    title: 'an enum value removed from requests',
    change: (document) => schema(document, 'Color').enum?.pop(),
    word: 'major',
    line: '`Color`: `red_background` no longer accepted',
  },
  {
    title: 'a kind of block removed from requests',
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
    title: 'one alternative capability removed',
    change: (document) =>
      (operation(document, 'createFileUpload')['x-capability'] = { any: ['insert_content', 'update_content'] }),
    word: 'major',
    line: '`capabilities`: needs one of `insert_content`, `update_content`, needed one of `insert_content`, `update_content`, `insert_comments`',
  },
  {
    title: 'a kind of token removed',
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
    title: 'a later release date',
    change: (document) => (operation(document, 'retrieveView')['x-available'] = { from: '2026-03-11' }),
    word: 'major',
    line: '`release dates`: from 2026-03-11, was from 2025-09-03',
  },
  {
    title: 'removed from the newest release date',
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
    title: 'an error that can no longer be retried',
    change: (document) => (schema(document, 'ServiceOverloadError')['x-retry'] = 'never'),
    word: 'major',
    line: 'x-retry changed from `always` to `never`',
  },
  {
    title: 'an error code removed',
    change: (document) => removeKind(document, 'ConflictBody', 'AgentDeletedError'),
    word: 'major',
    line: '`ConflictBody`: error code `agent_deleted` no longer sent',
  },
  {
    title: 'a key of a response removed',
    change: (document) => delete schema(document, 'CustomEmoji').properties?.['url'],
    word: 'major',
    line: '`CustomEmoji.url`: no longer sent',
  },
  {
    title: 'a key of a response no longer always sent',
    change: (document) => (schema(document, 'CustomEmoji').required = ['id', 'name']),
    word: 'major',
    line: '`CustomEmoji.url`: not always sent, was always',
  },
  {
    title: 'a key that only other deployments omitted, now omitted here',
    change: (document) => delete schema(document, 'CustomEmojiList')['x-sent'],
    word: 'major',
    line: '`CustomEmojiList.custom_emoji`: not always sent, was always',
  },
  {
    title: 'null in a response',
    change: (document) => (property(document, 'CustomEmoji', 'url').type = ['string', 'null']),
    word: 'major',
    line: '`CustomEmoji.url`: null now sent, too',
  },
  {
    title: 'null beside an object of a response',
    change: (document) =>
      Object.assign(schema(document, 'CommentAttachment').properties ?? {}, {
        file: { oneOf: [{ $ref: '#/components/schemas/ServiceFile' }, { type: 'null' }] },
      }),
    word: 'major',
    line: '`CommentAttachment.file`: `null` now sent, too',
  },
  {
    title: 'more items in responses than documented',
    change: (document) => (property(document, 'Comment', 'rich_text')['maxItems'] = 200),
    word: 'major',
    line: '`Comment.rich_text`: at most 200 items, was at most 100 items',
  },
  {
    title: 'no limit in responses that had one',
    change: (document) => delete property(document, 'Comment', 'rich_text')['maxItems'],
    word: 'major',
    line: '`Comment.rich_text`: no limit, was at most 100 items',
  },
  {
    title: 'an enum value added to closed responses',
    change: (document) => schema(document, 'FileUploadStatus').enum?.push('paused'),
    word: 'major',
    line: '`FileUploadStatus`: `paused` now sent, too',
  },
  {
    title: 'an enum value added to responses closed until now',
    change: (document) => {
      schema(document, 'FileUploadStatus').enum?.push('paused')
      Object.assign(Object(document.info['x-may-grow']), { 'an upload status added': ['FileUploadStatus'] })
    },
    word: 'major',
    line: '`FileUploadStatus`: `paused` now sent, too',
  },
  {
    title: 'a key removed that only one kind of response has',
    change: (document) => delete schema(document, 'ParagraphContent').properties?.['color'],
    word: 'major',
    line: '`ParagraphContent.color`: no longer sent',
  },
  {
    title: 'a response header removed',
    change: (document) => delete response(document, 'listUsers', '200').headers?.['RateLimit'],
    word: 'major',
    line: '`response 200 header RateLimit`: no longer sent',
  },
  {
    title: 'a new kind of success',
    change: (document) => (operation(document, 'listUsers').responses['202'] = { description: 'Later.' }),
    word: 'major',
    line: '`response 202`: new',
  },
  {
    title: 'an event removed',
    change: (document) => delete document.webhooks?.['page.moved'],
    word: 'major',
    line: '`page.moved`: removed',
  },
  {
    title: 'an extension field without a rule',
    change: (document) => (operation(document, 'listUsers')['x-price'] = 2),
    word: 'major',
    line: '`x-price`: changed; no rule of the comparison knows this field',
  },
]
