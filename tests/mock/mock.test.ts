/** The mock as `npm run mock` starts it returns every operation, every response and every error code. */

import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { versionOf } from '../harness/every_operation.ts'
import {
  operationsOf,
  parametersOf,
  requestBodyOf,
  resolve,
  type Document,
  type Example,
  type OperationObject,
  type PlacedOperation,
  type ResponseObject as DeclaredResponse,
} from '../../scripts/generate/document.ts'
import { startMock, type Mock } from '../harness/mock.ts'
import { projectRoot } from '../spec/support/files.ts'

const someId = '479dd02e-5974-4f6b-8eeb-4467a5c46004'
let mock: Mock
let address = ''
let document: Document

beforeAll(async () => {
  document = JSON.parse(await readFile(join(projectRoot, 'generated/openapi.json'), 'utf8')) as Document
  mock = await startMock()
  address = mock.url
})

afterAll(() => mock.stop())

/** Calls an operation with the first example of its request, and requests one of its responses. */
async function call(placed: PlacedOperation, { status, type: accepted = '*/*', example }: Choice): Promise<Response> {
  const { path, method, operation } = placed
  const parameters = parametersOf(document, placed)
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true)
  const search = query
    .map(({ name, example: value }) => `${name}=${encodeURIComponent(String(value ?? (name.endsWith('_id') ? someId : 'code')))}`)
    .join('&')
  const url = `${address}${path.replaceAll(/\{\w+\}/g, someId)}?${search}`
  const { type, body } = requestOf(operation)
  const headers = {
    Authorization: operation['x-credentials'] === 'client' ? `Basic ${btoa('id:secret')}` : 'Bearer itk_mock',
    'Service-Version': versionOf(operations[operation.operationId as keyof typeof operations]),
    Accept: accepted,
    Prefer: [`code=${status}`, ...(example === undefined ? [] : [`example=${example}`])].join(', '),
    ...(type === undefined ? {} : { 'Content-Type': type }),
  }
  return fetch(url, { method: method.toUpperCase(), headers, redirect: 'manual', ...(body === undefined ? {} : { body }) })
}

/** Body and media type of an operation's first request example; fetch adds the boundary of a form. */
function requestOf(operation: OperationObject): { type?: string; body?: string | FormData } {
  const [first] = Object.entries(requestBodyOf(document, operation)?.content ?? {})
  if (first === undefined) return {}
  const [type, media] = first
  const [example] = Object.values(media.examples ?? {})
  if (type.startsWith('multipart/')) {
    const body = new FormData()
    body.append('file', new Blob(['dock plan']), 'dock-plan.png')
    return { body }
  }
  const value = example === undefined ? {} : resolve<Example>(document, example).value
  return {
    type,
    body: type.includes('json')
      ? JSON.stringify(value)
      : new URLSearchParams(Object.entries(value ?? {}).map(([key, field]) => [key, String(field)])).toString(),
  }
}

interface Choice {
  status: string
  type?: string
  example?: string
}

/** Every status of an operation with each of its examples. */
function choices({ operation }: PlacedOperation): Choice[] {
  return Object.entries(operation.responses).flatMap(([status, reference]): Choice[] => {
    const content = Object.entries(resolve<DeclaredResponse>(document, reference).content ?? {})
    const choices = content.flatMap(([type, media]) =>
      Object.keys(media.examples ?? {}).map((example) => ({ status, type, example })),
    )
    return choices.length === 0 ? [{ status }] : choices
  })
}

// If you are here because a response is listed: the mock finds no example for it, or not the status that `Prefer` requests.
test('every operation of the mock returns each declared response and error code when Prefer requests it', async () => {
  const faults: string[] = []
  for (const placed of operationsOf(document)) {
    for (const choice of choices(placed)) {
      const { status, example } = choice
      const response = await call(placed, choice)
      const body = await response.text()
      if (response.status !== Number(status))
        faults.push(`${placed.operation.operationId} ${status} ${example ?? ''}: ${response.status} ${body.slice(0, 200)}`)
    }
  }
  expect(faults).toEqual([])
})
