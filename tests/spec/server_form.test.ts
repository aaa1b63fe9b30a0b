/** The server form in express-openapi-validator and its Ajv, with the fixture contract: correct verdicts, one error for one mistake. */

import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import express, { type NextFunction, type Request, type Response } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../scripts/generate/bundle.ts'
import { publicDocument } from '../../scripts/generate/public.ts'
import { serverDocument } from '../../scripts/generate/server/document.ts'
import { walkObjects } from '../../scripts/generate/document.ts'
import { formats } from '../../server/contract/formats.ts'
import { isObject } from '../../server/kernel/is_object.ts'

/** The only release of the fixture. */
const FIXTURE_DATE = '2026-03-11'
const noteId = '479dd02e-5974-4f6b-8eeb-4467a5c46004'
let server: Server
let address = ''
let form: ReturnType<typeof serverDocument>

beforeAll(async () => {
  form = serverDocument(publicDocument(await bundle(join(import.meta.dirname, 'fixtures/contract/openapi.yaml'))))
  const app = express()
  app.use(express.json())
  app.use(
    OpenApiValidator.middleware({
      apiSpec: JSON.parse(JSON.stringify(form)),
      validateApiSpec: true,
      validateSecurity: false,
      fileUploader: false,
      validateRequests: { discriminator: true, allErrors: true, coerceTypes: false },
      formats: Object.fromEntries(
        Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
      ),
    }),
  )
  app.use((_request: Request, response: Response) => void response.json([]))
  app.use(
    (
      error: { status?: number; errors?: unknown; message: string },
      _request: Request,
      response: Response,
      _next: NextFunction,
    ) => {
      response.status(error.status ?? 500).json(error.errors ?? error.message)
    },
  )
  server = createServer(app).listen(0)
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => server.close())

/** The faults of a request, `keyword path` each; empty if it is accepted. */
async function faults(method: string, path: string, body?: unknown): Promise<string[]> {
  const response = await fetch(address + path, {
    method,
    headers: { 'Service-Version': FIXTURE_DATE, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const received: unknown = await response.json()
  expect(response.status, JSON.stringify(received)).toBeLessThan(500)
  return Array.isArray(received)
    ? received.filter(isObject).map(({ errorCode, path: location }) => `${String(errorCode).split('.')[0]} ${String(location)}`)
    : [String(received)]
}

const create = (body: unknown): Promise<string[]> => faults('POST', '/v1/notes', body)
const update = (body: unknown): Promise<string[]> => faults('PATCH', `/v1/notes/${noteId}`, body)

describe('the server form of a payload union', () => {
  test("accepts each variant with or without `type`, nested unions, and the base's keys with or without a variant", async () => {
    expect(await create({ text: 'Bring the ladder' })).toEqual([])
    expect(await create({ type: 'text', text: { content: 'Bring', language: null }, color: 'red', icon: null })).toEqual([])
    expect(await create({ list: [{ text: 'Rope' }, { type: 'list', list: [] }], ordered: true })).toEqual([])
    expect(await create({})).toEqual([])
    expect(await create({ color: 'blue' })).toEqual([])
  })

  test('reports one error for each mistake', async () => {
    expect(await create({ text: 'a', list: [] })).toEqual(['not /body'])
    expect(await create({ type: 'text' })).toEqual(['not /body'])
    expect(await create({ type: 'list', text: 'a' })).toEqual(['not /body'])
    expect(await create({ type: 'poem', text: 'a' })).toEqual(['enum /body/type'])
    expect(await create({ type: 'poem' })).toEqual(['enum /body/type'])
    expect(await create({ texts: 'a' })).toEqual(['additionalProperties /body/texts'])
    expect(await create({ text: 'a', ordered: true })).toEqual(['false schema /body/ordered'])
    expect(await create({ ordered: true })).toEqual(['not /body'])
    expect(await create({ text: 'a', color: 'mauve' })).toEqual(['enum /body/color'])
    expect(await create({ list: [{ text: 'a' }, { list: [{ text: 'a', color: 'mauve' }] }] })).toEqual([
      'enum /body/list/1/list/0/color',
    ])
    expect(await create({ text: { content: '' } })).toEqual(['minLength /body/text/content'])
    expect(await create({ text: 5 })).toEqual(['type /body/text'])
    expect(await create({ text: 'a', icon: { type: 'emoji' } })).toEqual(['required /body/icon/emoji'])
    expect(await create({ text: 'a', icon: { type: 'star' } })).toEqual(['discriminator /body/icon'])
    expect(await create({ text: 'a', icon: 5 })).toEqual(['type /body/icon'])
    expect(await create('text')).toHaveLength(1)
  })
})

describe('the server form of a tagged union', () => {
  test('accepts each variant', async () => {
    expect(await update({ type: 'text', text: 'a', icon: { type: 'emoji', emoji: '🪜' } })).toEqual([])
    expect(await update({ type: 'list', ordered: false })).toEqual([])
  })

  test('reports one error for each mistake', async () => {
    expect(await update({ type: 'text', ordered: true })).toEqual(['additionalProperties /body/ordered'])
    expect(await update({ type: 'poem' })).toEqual(['discriminator /body'])
    expect(await update({ ordered: true })).toEqual(['discriminator /body'])
    expect(await update({ type: 'text', icon: { type: 'emoji', emoji: 'ab' } })).toEqual(['format /body/icon/emoji'])
  })
})

test('the server form of parameters accepts undashed ids and numbers from text, and refuses unknown and invalid ones', async () => {
  expect(await faults('GET', `/v1/notes/${noteId.replaceAll('-', '').toUpperCase()}`)).toEqual([])
  expect(await faults('GET', '/v1/notes/17')).toEqual(['pattern /params/note_id'])
  expect(await faults('GET', '/v1/notes?page_size=50')).toEqual([])
  expect(await faults('GET', '/v1/notes?page_size=0')).toEqual(['minimum /query/page_size'])
})

test('the server form has no defaults in bodies, mappings or examples, and `not` only in payload rules', () => {
  walkObjects(form.components.schemas, (schema) => {
    expect(schema).not.toHaveProperty('mapping')
    expect(schema).not.toHaveProperty('default')
    if ('not' in schema && 'type' in schema) expect(schema).toHaveProperty('x-payload-keys')
  })
  expect(form).not.toHaveProperty('webhooks')
  expect(form.components).not.toHaveProperty('examples')
})
