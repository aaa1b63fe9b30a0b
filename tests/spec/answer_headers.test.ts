/** Headers that only some answers of one status carry: the table's conditions reach the right ones. */

import { beforeAll, describe, expect, test } from 'vitest'
import { operationsOf, resolve, type Document, type ResponseObject } from '../../scripts/generate/document.ts'
import { readPublicDocument } from './support/public_document.ts'

let document: Document

beforeAll(async () => {
  document = await readPublicDocument()
})

// If you are here because an operation is missing or new: operations that answer 202 are named here by hand, so that nobody gets
// one by accident.
describe('Retry-After', () => {
  test('is on every 202', () => {
    expect(answersWith('202', 'Retry-After')).toEqual(['createAgentBatch', 'createPage', 'updatePageMarkdown'])
  })

  test('is on one 200 only, that of a task', () => {
    expect(answersWith('200', 'Retry-After')).toEqual(['retrieveAsyncTask'])
  })
})

test('every 202 may be a replay', () => {
  expect(answersWith('202', 'Idempotency-Replayed')).toEqual(answersWith('202', 'Retry-After'))
})

function answersWith(status: string, header: string): string[] {
  return operationsOf(document)
    .filter(({ operation }) => {
      const answer = operation.responses[status]
      return answer !== undefined && resolve<ResponseObject>(document, answer).headers?.[header] !== undefined
    })
    .map(({ operation }) => operation.operationId)
    .toSorted()
}
