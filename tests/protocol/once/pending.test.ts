import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../../generated/operations.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import { pending } from '../../../server/handlers/pending.ts'
import { expectError } from '../../harness/expectations.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/** Operations of the contract that are still to come say so, and do nothing. */

const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

// If you are here because an operation is no longer pending: take it out of server/handlers/pending.ts, and this file no longer
// asks for it.
const list: readonly OperationId[] = pending

describe('pending', () => {
  it.each(list.map((id) => [id]))('503 service_unavailable: %s', async (id) => {
    const operation: Operation = operations[id]
    if (operation.credentials === 'none' || operation.credentials === 'client') {
      // OAuth has an error form of its own, which comes with its operations.
      expect((await server.owner.page(operation.path, operation.method.toUpperCase())).status).toBe(503)
      return
    }
    const path = Object.fromEntries(operation.pathParameters.map((name) => [name, GHOST]))
    const answer = await server.owner.call(id, { path })
    const { from, before } = operation.available
    if (before !== undefined && from === undefined) return expectError(answer, 400, 'invalid_request_url')
    expectError(answer, 503, 'service_unavailable')
    expect(answer.body['message']).toContain(id)
  })
})
