/**
 * The mock responds to requests that the service accepts with the same status, headers and, for records of the sample workspace, the same
 * record. Examples contain more than that workspace, so contents and times differ; `Caller` checks both responses against the operation's
 * schema.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestResponse } from '../harness/responses.ts'
import { Caller, type CallParts } from '../harness/caller.ts'
import { publicContract, resolve } from '../harness/contract.ts'
import { allOperations, exampleCall, type KnownOperation } from '../harness/every_operation.ts'
import { isObject } from '../../server/kernel/is_object.ts'
import { startMock, type Mock } from '../harness/mock.ts'
import { startTestServer, TOKEN, type TestServer } from '../harness/server.ts'

let server: TestServer
let mock: Mock
beforeAll(async () => {
  ;[server, mock] = await Promise.all([startTestServer(), startMock()])
})
afterAll(() => Promise.all([server.stop(), mock.stop()]))

/** Operations whose examples name records that only requests create, so that no sample workspace has them. */
const BEYOND_SAMPLE: Readonly<Record<string, string>> = {
  // A recording, as an uploaded file or an audio block.
  createMeetingNotes: '404 object_not_found',
  // A page and a property that belong to different pages in the examples.
  retrievePageProperty: '404 object_not_found',
  ...viaRequests('listViewQueryResults', 'deleteViewQuery'),
  ...viaRequests('retrieveFileUpload', 'completeFileUpload'),
  // Its body is a form.
  sendFileUpload: '400 validation_error',
  ...viaRequests('retrieveAsyncTask', 'createSession', 'retrieveSession', 'cancelSession', 'querySessionEvents'),
}

function viaRequests(...ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.map((id) => [id, '404 object_not_found']))
}

/** Operations with a token; the others return pages, or need a person's authorization. */
const withToken = allOperations.filter(({ credentials }) => credentials === 'bearer')
const onlyReads = ({ id }: KnownOperation): boolean => /^(?:retrieve|list|query|search)/.test(id)

/** The first request example that the service accepts, with the response; without one, the first example. */
async function accepted(owner: Caller, operation: KnownOperation): Promise<[CallParts, TestResponse]> {
  const { paths, components } = publicContract()
  const bodies = paths[operation.path]?.[operation.method]?.requestBody?.content?.['application/json']?.examples ?? {}
  const first = exampleCall(operation)
  const others = Object.values(bodies).map((one) => ({ ...first, body: resolve(one, components.examples).value }))
  const response = await owner.call(operation.id, first)
  if (response.status < 400) return [first, response]
  for (const call of others) {
    const another = await owner.call(operation.id, call)
    // Examples do not say whether the response is deferred.
    if (another.status < 400 && another.status !== 202) return [call, another]
  }
  return [first, response]
}

/** Values of headers differ, such as the id of the request; a rate limit has its own numbers. */
function comparable({ status, headers, body }: TestResponse): object {
  const names = Object.keys(headers).toSorted()
  return { status, names, type: headers['content-type'], cache: headers['cache-control'], ...kindOf(body) }
}

const kindOf = (body: Readonly<Record<string, unknown>>): object => ({
  object: body['object'],
  listed: Array.isArray(body['results']),
})

it("the mock returns the service's status, headers and kind of object for every operation that the example workspace can serve", async () => {
  const [ofServer, ofMock]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  const refused: Record<string, string> = {}
  for (const operation of withToken) {
    // A write gets a fresh sample workspace.
    const own = onlyReads(operation) ? undefined : await startTestServer()
    const [call, expected] = await accepted((own ?? server).owner, operation)
    await own?.stop()
    const response = await new Caller(mock.url, TOKEN).call(operation.id, call)
    if (expected.status >= 400) refused[operation.id] = `${expected.status} ${String(expected.body['code'])}`
    else [ofServer[operation.id], ofMock[operation.id]] = [comparable(expected), comparable(response)]
  }
  expect(ofMock).toEqual(ofServer)
  // If you are here because an operation is new: let a request example name records of the sample workspace, or add a row with the reason
  // why none does.
  expect(refused).toEqual(BEYOND_SAMPLE)
})

interface ExampleOfRecord {
  readonly operation: KnownOperation
  readonly example: string
  readonly id: string
}

/** Every example of a record that is requested by its id. */
const records = allOperations.flatMap((operation): ExampleOfRecord[] => {
  const { paths, components } = publicContract()
  if (operation.method !== 'get' || operation.pathParameters.length !== 1) return []
  const declared = paths[operation.path]?.['get']?.responses?.['200']
  const response = declared && resolve(declared, components.responses)
  return Object.entries(response?.content?.['application/json']?.examples ?? {}).flatMap(([example, one]) => {
    const { value } = resolve(one, components.examples)
    return isObject(value) && typeof value['id'] === 'string' ? [{ operation, example, id: value['id'] }] : []
  })
})

/** Members that identify a record. */
const identity = ({ object, id, type, parent }: Readonly<Record<string, unknown>>): object => ({ object, id, type, parent })

it("the mock's example of a record in the example workspace has the id of that record", async () => {
  const [ofServer, ofMock]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}]
  for (const { operation, example, id } of records) {
    const [name = ''] = operation.pathParameters
    const call = { ...exampleCall(operation), path: { [name]: id } }
    const expected = await server.owner.call(operation.id, call)
    if (expected.status !== 200) continue
    const headers = { ...call.headers, Prefer: `code=200, example=${example}` }
    const response = await new Caller(mock.url, TOKEN).call(operation.id, { ...call, headers })
    const label = `${operation.id} ${example}`
    ;[ofServer[label], ofMock[label]] = [identity(expected.body), identity(response.body)]
  }
  expect(Object.keys(ofServer).length).toBeGreaterThan(60)
  expect(ofMock).toEqual(ofServer)
})
