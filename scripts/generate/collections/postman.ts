/** The collection for Postman, in its format 2.1. */

import type { Document } from '../document.ts'
import { BASE_URL, collectionFolders, pathVariables, type CollectionCall } from './calls.ts'

const FORMAT = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** @param address of the service, which readers may change */
export function postmanCollection(document: Document, address = BASE_URL): object {
  const folders = collectionFolders(document)
  return {
    info: {
      name: document.info.title,
      description: `${document.info['summary'] ?? ''}`,
      version: document.info.version,
      schema: FORMAT,
    },
    auth: bearer('{{token}}'),
    variable: [
      { key: 'base_url', value: address },
      { key: 'token', value: '' },
      { key: 'client_id', value: '' },
      { key: 'client_secret', value: '' },
      ...[...pathVariables(folders)].map(([key, value]) => ({ key, value })),
    ],
    item: folders.map(({ name, description, calls }) => ({ name, description, item: calls.map(itemOf) })),
  }
}

function bearer(token: string): object {
  return { type: 'bearer', bearer: [{ key: 'token', value: token, type: 'string' }] }
}

function itemOf(call: CollectionCall): object {
  const request = requestOf(call)
  return {
    name: call.name,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: testOf(call) } }],
    request: { ...request, description: call.description },
    response: call.responses.map(({ name, status, body }) => ({
      name,
      originalRequest: { method: request.method, header: [], url: request.url },
      code: status,
      status: 'OK',
      header: [{ key: 'Content-Type', value: 'application/json' }],
      _postman_previewlanguage: 'json',
      body: JSON.stringify(body, null, 1),
    })),
  }
}

/** Tests whether the response is among the contract's examples. */
function testOf({ responses }: CollectionCall): string[] {
  const statuses = [...new Set(responses.map(({ status }) => status))]
  return statuses.length === 0
    ? []
    : [`pm.test('returns ${statuses.join(' or ')}', () => pm.expect(pm.response.code).to.be.oneOf([${statuses.join(', ')}]))`]
}

interface PostmanRequest {
  readonly [key: string]: unknown
  readonly method: string
  readonly url: object
}

function requestOf({ sample, path, query }: CollectionCall): PostmanRequest {
  const { method, credentials, version, body } = sample
  return {
    method,
    header: version === undefined ? [] : [{ key: 'Service-Version', value: version }],
    url: {
      raw: `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{base_url}}'],
      path: path
        .slice(1)
        .split('/')
        .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
      query: query.map(({ name, value, isSent }) => ({ key: name, value, disabled: !isSent })),
      variable: Object.keys(sample.path).map((name) => ({ key: name, value: `{{${name}}}` })),
    },
    ...(credentials === 'none' ? { auth: { type: 'noauth' } } : {}),
    ...(credentials === 'client' ? { auth: basic } : {}),
    ...bodyOf(body),
  }
}

const basic = {
  type: 'basic',
  basic: [
    { key: 'username', value: '{{client_id}}', type: 'string' },
    { key: 'password', value: '{{client_secret}}', type: 'string' },
  ],
}

function bodyOf(body: CollectionCall['sample']['body']): object {
  switch (body.kind) {
    case 'json':
      return { body: { mode: 'raw', raw: JSON.stringify(body.value, null, 1), options: { raw: { language: 'json' } } } }
    case 'urlencoded':
      return { body: { mode: 'urlencoded', urlencoded: body.fields.map(([key, value]) => ({ key, value, type: 'text' })) } }
    case 'form':
      return {
        body: {
          mode: 'formdata',
          formdata: [
            ...(body.file === undefined ? [] : [{ key: 'file', type: 'file', src: body.file }]),
            ...body.fields.map(([key, value]) => ({ key, value, type: 'text' })),
          ],
        },
      }
    default:
      return {}
  }
}
