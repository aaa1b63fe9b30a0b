/** Compatible changes, with the report that callers should get. */

import { addKind, operation, property, schema, type PlantedChange } from './contract_edits.ts'

export const allowed: PlantedChange[] = [
  {
    title: 'a new operation',
    change: (document) => {
      const item = document.paths['/v1/custom_emojis']
      if (item?.get) document.paths['/v1/pennants'] = { ...item, get: { ...item.get, operationId: 'listPennants' } }
    },
    word: 'minor',
    line: '`GET /v1/pennants`: new',
  },
  {
    title: 'a new kind of block in responses',
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
    title: 'a new key of a response',
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
    title: 'a read-only member that is no longer compared',
    change: (document) => delete property(document, 'UpdatePageRequest', 'id')['x-unchanged'],
    word: 'minor',
    line: '`UpdatePageRequest.id`: a value other than that of the record is ignored, was refused',
  },
  {
    title: 'a combination of keys that is no longer refused',
    change: (document) => delete schema(document, 'CreateCommentRequest').dependentSchemas?.['markdown'],
    word: 'minor',
    line: '`CreateCommentRequest`: more combinations are allowed',
  },
  {
    title: 'a combination with a new key refused',
    change: (document) => {
      Object.assign(schema(document, 'SearchRequest').properties ?? {}, { scope: { type: 'string' } })
      schema(document, 'SearchRequest').dependentSchemas = { scope: { properties: { query: false } } }
    },
    word: 'minor',
    line: '`SearchRequest.scope`: new',
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
    title: 'a pattern that allows the empty text, too',
    change: (document) => (schema(document, 'CodeVerifierRequest')['pattern'] = '^(?:[A-Za-z0-9._~-]{43,128})?$'),
    word: 'minor',
    line: '`CodeVerifierRequest`: pattern `^(?:[A-Za-z0-9._~-]{43,128})?$`, was `^[A-Za-z0-9._~-]{43,128}$`',
  },
  {
    title: 'a wider pattern, although this service sends the same',
    change: (document) =>
      Object.assign(schema(document, 'IdResponse'), { pattern: '^[0-9a-fA-F-]+$', 'x-sent': { pattern: '^[0-9a-f-]{36}$' } }),
    word: 'minor',
    line: '`IdResponse`: pattern `^[0-9a-fA-F-]+$` for other deployments, was `^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`',
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
    line: 'other wording',
  },
  {
    title: 'other wording',
    change: (document) => (operation(document, 'listUsers').description = 'Everyone.'),
    word: 'patch',
    line: '`GET /v1/users`: other wording',
  },
]
