/** Response headers that depend on conditions: the table applies them to the right responses. */

import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf, resolve, type Document, type ResponseObject } from '../../scripts/generate/document.ts'
import { readPublicDocument } from './support/public_document.ts'

let document: Document

beforeAll(async () => {
  document = await readPublicDocument()
})

// If you are here because an operation is missing or new: operations with 202 are listed here by hand, so that none gets one by accident.
describe('the header Retry-After', () => {
  test('is declared for every 202', () => {
    expect(responsesWith('202', 'Retry-After')).toEqual(['createAgentBatch', 'createPage', 'updatePageMarkdown'])
  })

  test('is declared for only one 200, that of a task', () => {
    expect(responsesWith('200', 'Retry-After')).toEqual(['retrieveAsyncTask'])
  })
})

test('every 202 declares the header of a replayed response', () => {
  expect(responsesWith('202', 'Idempotency-Replayed')).toEqual(responsesWith('202', 'Retry-After'))
})

function responsesWith(status: string, header: string): string[] {
  return operationsOf(document)
    .filter(({ operation }) => {
      const response = operation.responses[status]
      return response !== undefined && resolve<ResponseObject>(document, response).headers?.[header] !== undefined
    })
    .map(({ operation }) => operation.operationId)
    .toSorted()
}
