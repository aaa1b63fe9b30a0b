import { expect } from 'vitest'
import type { OperationId } from '../../../server/contract/operation.ts'
import type { Answer } from '../../harness/answers.ts'
import type { Caller, CallParts } from '../../harness/caller.ts'
import { children, makePage, text } from '../../harness/content.ts'

/** Calls an operation with an idempotency key. */
export function callKeyed(caller: Caller, key: string, id: OperationId, parts: CallParts): Promise<Answer> {
  return caller.call(id, { ...parts, headers: { 'Idempotency-Key': key, ...parts.headers } })
}

/** The body of a `createPage`. */
export const pageBody = (parent: string, title = 'Sail plan'): object => ({
  parent: { page_id: parent },
  properties: { title: { title: [text(title)] } },
})

/** A fresh page, and the number of blocks below it. */
export async function freshPlace(caller: Caller): Promise<{ parent: string; count: () => Promise<number> }> {
  const parent = await makePage(caller)
  return { parent, count: async () => (await children(caller, parent)).length }
}

/** The stored answer, byte for byte, under the id of a request of its own. */
export function expectReplay(repeat: Answer, first: Answer): void {
  expect(repeat.headers['idempotency-replayed']).toBe('true')
  expect(repeat.status).toBe(first.status)
  expect(repeat.text).toBe(first.text)
  expect(repeat.headers['x-service-request-id']).not.toBe(first.headers['x-service-request-id'])
  expect(first.headers['idempotency-replayed']).toBeUndefined()
}
