/** The collection for Bruno, as files of its YAML format: one for each call, in a folder of its tag. */

import { stringify } from 'yaml'
import type { Document } from '../document.ts'
import { BASE_URL, collectionFolders, pathVariables, type CollectionCall } from './calls.ts'

/** File below the folder of the collection -> text. @param address of the service, which readers may change */
export function brunoCollection(document: Document, address = BASE_URL): Record<string, string> {
  const folders = collectionFolders(document)
  const variables = {
    base_url: address,
    token: '',
    client_id: '',
    client_secret: '',
    ...Object.fromEntries(pathVariables(folders)),
  }
  return {
    'opencollection.yml': yaml({
      opencollection: '1.0.0',
      info: { name: document.info.title, version: document.info.version },
      request: { auth: { type: 'bearer', token: '{{token}}' } },
      docs: `${document.info['summary'] ?? ''}`,
      bundled: false,
    }),
    'environments/local.yml': yaml({
      name: 'local',
      variables: Object.entries(variables).map(([name, value]) => ({ name, value })),
    }),
    ...Object.fromEntries(
      folders.flatMap(({ name, description, calls }, index) => [
        [
          `${name}/folder.yml`,
          yaml({ info: { name, type: 'folder', seq: index + 1 }, request: { auth: 'inherit' }, docs: description }),
        ],
        ...calls.map((call, location) => [`${name}/${call.sample.operationId}.yml`, yaml(requestFile(call, name, location + 1))]),
      ]),
    ),
  }
}

function yaml(value: object): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
}

function requestFile(call: CollectionCall, tag: string, seq: number): object {
  const request = requestOf(call)
  const statuses = [...new Set(call.responses.map(({ status }) => status))]
  return {
    info: { name: call.name, type: 'http', seq, tags: [tag] },
    http: { ...request, auth: authOf(call.sample.credentials) },
    ...(statuses.length === 1
      ? { runtime: { assertions: [{ expression: 'res.status', operator: 'eq', value: `${statuses[0]}` }] } }
      : {}),
    examples: call.responses.map(({ name, status, body }) => ({
      name,
      request: { url: request.url, method: request.method },
      response: {
        status,
        statusText: 'OK',
        headers: [{ name: 'Content-Type', value: 'application/json' }],
        body: { type: 'json', data: JSON.stringify(body, null, 1) },
      },
    })),
    docs: call.description,
  }
}

interface BrunoRequest {
  readonly [key: string]: unknown
  readonly method: string
  readonly url: string
}

function requestOf({ sample, path, query }: CollectionCall): BrunoRequest {
  const { method, version, body } = sample
  const sent = new URLSearchParams(query.flatMap(({ name, value, isSent }) => (isSent ? [[name, value]] : []))).toString()
  return {
    method,
    url: `{{base_url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}${sent === '' ? '' : `?${sent}`}`,
    headers: version === undefined ? [] : [{ name: 'Service-Version', value: version }],
    params: [
      ...Object.keys(sample.path).map((name) => ({ name, value: `{{${name}}}`, type: 'path' })),
      ...query.map(({ name, value, isSent }) => ({ name, value, type: 'query', ...(isSent ? {} : { disabled: true }) })),
    ],
    ...bodyOf(body),
  }
}

function authOf(credentials: CollectionCall['sample']['credentials']): unknown {
  if (credentials === 'bearer') return 'inherit'
  return credentials === 'none' ? { type: 'none' } : { type: 'basic', username: '{{client_id}}', password: '{{client_secret}}' }
}

function bodyOf(body: CollectionCall['sample']['body']): object {
  switch (body.kind) {
    case 'json':
      return { body: { type: 'json', data: JSON.stringify(body.value, null, 1) } }
    case 'urlencoded':
      return { body: { type: 'form-urlencoded', data: body.fields.map(([name, value]) => ({ name, value })) } }
    case 'form':
      return {
        body: {
          type: 'multipart-form',
          data: [
            ...(body.file === undefined ? [] : [{ name: 'file', type: 'file', value: [body.file] }]),
            ...body.fields.map(([name, value]) => ({ name, type: 'text', value })),
          ],
        },
      }
    default:
      return {}
  }
}
