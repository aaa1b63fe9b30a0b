import { expect } from 'vitest'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller, CallParts } from '../../harness/caller.ts'
import { children, makePage, text } from '../../harness/content.ts'

export function callKeyed(caller: Caller, key: string, id: OperationId, parts: CallParts): Promise<TestResponse> {
  return caller.call(id, { ...parts, headers: { 'Idempotency-Key': key, ...parts.headers } })
}

/** The body of a `createPage`. */
export const pageBody = (parent: string, title = 'Sail plan'): object => ({
  parent: { page_id: parent },
  properties: { title: { title: [text(title)] } },
})

/** A fresh page, and a function that counts the blocks below it. */
export async function freshPage(caller: Caller): Promise<{ parent: string; count: () => Promise<number> }> {
  const parent = await makePage(caller)
  return { parent, count: async () => (await children(caller, parent)).length }
}

/** Expects the stored response, byte for byte, except for a new request id. */
export function expectReplay(repeat: TestResponse, first: TestResponse): void {
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(repeat.status).toBe(first.status)
  expect(repeat.text).toBe(first.text)
  expect(repeat.headers['x-service-request-id']).not.toBe(first.headers['x-service-request-id'])
  expect(first.headers['idempotency-replayed']).toBeUndefined()
}
