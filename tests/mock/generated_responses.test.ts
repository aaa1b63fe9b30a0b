/** `Prefer: dynamic=true` of the mock: generated responses that satisfy the contract. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import type { TestResponse } from '../harness/responses.ts'
import { Caller } from '../harness/caller.ts'
import { allOperations, exampleCall, takesForm, versionOf, type KnownOperation } from '../harness/every_operation.ts'
import { startMock, type Mock } from '../harness/mock.ts'

let mock: Mock
beforeAll(async () => {
  mock = await startMock()
})
afterAll(() => mock.stop())

const called = allOperations.filter((operation) => operation.credentials === 'bearer' && !takesForm(operation))

/** Sends the example of an operation. The caller checks every response against the contract of its version. */
function send(operation: KnownOperation, prefer: string, version = versionOf(operation)): Promise<TestResponse> {
  const example = exampleCall(operation)
  const headers = { ...example.headers, Prefer: prefer }
  return new Caller(mock.url, 'any', version).call(operation.id, { ...example, headers })
}

describe('a generated response', () => {
  it.each(called)('fits the contract for $id, and is the same for the same seed', async (operation) => {
    for (const seed of [1, 2 ** 31 - 1]) {
      const { status, body, headers } = await send(operation, `dynamic=true, seed=${seed}`)
      expect([status, headers['preference-applied']]).toEqual([
        expect.toSatisfy((code: number) => code < 300),
        `dynamic=true, seed=${seed}`,
      ])
      const again = await send(operation, `dynamic=true; seed=${seed}`)
      expect({ ...again.body, request_id: null }).toEqual({ ...body, request_id: null })
    }
  })

  it('differs for each request without a seed, and shows its seed', async () => {
    const [operation] = called.filter(({ id }) => id === 'retrievePage')
    if (!operation) throw new Error('there is no such operation')
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(operation, 'dynamic=true')))
    const applied = responses.map(({ headers }) => String(headers['preference-applied']))
    expect(new Set(applied).size).toBe(5)
    // Two of them may be equal: a partial page has few members.
    const bodies = responses.map(({ body }) => ({ ...body, request_id: null }))
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBeGreaterThan(1)
    const again = await Promise.all(applied.map((preferences) => send(operation, preferences)))
    expect(again.map(({ body }) => ({ ...body, request_id: null }))).toEqual(bodies)
  })

  it.each(['2021-05-11', '2022-06-28', '2025-09-03'] as const)('has the shapes of version %s', async (version) => {
    for (const operation of called.filter(
      ({ available: { from = '', before = newestRelease } }) => from <= version && version < before,
    )) {
      const { status } = await send(operation, 'dynamic=true', version)
      expect([operation.id, status]).toEqual([operation.id, expect.toSatisfy((code: number) => code < 300 || code === 400)])
    }
  })

  it('is replaced by an example when the request asks for an error', async () => {
    const [operation] = called
    if (!operation) throw new Error('there is no operation')
    const { status, body, headers } = await send(operation, 'dynamic=true, code=404')
    expect([status, body['code'], headers['preference-applied']]).toEqual([404, 'object_not_found', undefined])
  })
})
