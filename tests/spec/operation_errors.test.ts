/** The error codes that each operation lists. */

import { describe, expect, test } from 'vitest'
import { operationsOf, type Document } from '../../scripts/generate/document.ts'
import { errorCodeTables } from '../../scripts/generate/error_codes.ts'
import { errorCodesOf } from '../../scripts/generate/operation_errors.ts'
import { operationPages } from '../../scripts/docs/pages/operations.ts'
import { publicContract } from '../harness/contract.ts'

const contract = publicContract() as unknown as Document
const placed = operationsOf(contract)

function codesOf(id: string): readonly string[] {
  const found = placed.find(({ operation }) => operation.operationId === id)
  return found?.operation['x-error-codes'] ?? []
}

/** The codes of an operation except those of every call. */
function ownCodes(id: string): string[] {
  const ofAll = new Set(codesOf('retrieveMe'))
  return codesOf(id).filter((code) => !ofAll.has(code))
}

test('operations without ids, body and writes list eleven codes', () => {
  expect(codesOf('retrieveMe')).toEqual([
    ...['invalid_beta', 'invalid_request', 'invalid_request_url', 'missing_version', 'validation_error', 'unauthorized'],
    ...['restricted_resource', 'rate_limited', 'internal_server_error', 'service_unavailable', 'service_overload'],
  ])
})

const ofWrites = ['conflict_error', 'idempotency_key_reused', 'gateway_timeout']

test.each([
  ['retrievePage', ['object_not_found']],
  ['listComments', ['object_not_found']],
  ['search', ['invalid_json', ...ofWrites]],
  ['deleteBlock', ['object_not_found', ...ofWrites]],
  ['createComment', ['invalid_json', 'object_not_found', ...ofWrites]],
  ['createPage', ['invalid_json', 'object_not_found', 'row_limit_exceeded', ...ofWrites]],
  ['sendFileUpload', ['object_not_found', 'row_limit_exceeded', ...ofWrites]],
  ['verifyWebhookSubscription', ['invalid_json', 'object_not_found', 'conflict_error', 'gateway_timeout']],
  ['deleteAgent', ['object_not_found', 'agent_deleted', ...ofWrites]],
])('%s lists in addition %j', (id, codes) => {
  expect(ownCodes(id)).toEqual(codes)
})

test('no operation lists a reserved code, and every other code is listed by one', () => {
  const { api, oauth } = errorCodeTables(contract)
  const listed = new Set(placed.flatMap(({ operation }) => operation['x-error-codes'] ?? []))
  const rows = [...api, ...oauth]
  const unlisted = rows.filter(({ code }) => !listed.has(code))
  expect(unlisted.map(({ code }) => code)).toEqual(
    rows.filter(({ description }) => /\bReserved\b/.test(description)).map(({ code }) => code),
  )
})

test('an operation declares error responses only for the statuses of its codes', () => {
  const tables = errorCodeTables(contract)
  for (const { operation } of placed.filter((one) => one.operation['x-credentials'] !== 'none')) {
    const table = operation['x-credentials'] === 'client' ? tables.oauth : tables.api
    const codes = operation['x-error-codes'] ?? []
    const statuses = table.filter(({ code }) => codes.includes(code)).flatMap((row) => row.statuses.map(String))
    const declared = Object.keys(operation.responses).filter((status) => status >= '400')
    expect([operation.operationId, declared]).toEqual([operation.operationId, [...new Set(statuses)].toSorted()])
  }
})

describe('error codes specific to an operation', () => {
  const [first] = placed.filter(({ operation }) => operation.operationId === 'retrievePage')
  const withOwn = (codes: string[]): unknown =>
    first &&
    errorCodesOf(contract, { ...first, operation: { ...first.operation, 'x-error-codes': codes } }, errorCodeTables(contract))

  test('are refused when unknown', () => {
    expect(() => withOwn(['agent_delete'])).toThrow('retrievePage: agent_delete is not an error code')
  })

  test("are refused when they follow from the operation's form", () => {
    expect(() => withOwn(['object_not_found'])).toThrow('retrievePage: object_not_found follows from the rest of the operation')
  })
})

test('the page of an operation has one table of its codes, with the mistakes of its description', () => {
  for (const { path, markdown } of operationPages(contract)) {
    const codes = codesOf(path.replace('operations/', ''))
    const [text = '', errors = ''] = markdown.split('\n## Errors\n')
    expect([path, [...errors.matchAll(/^\| [\d, ]+ \| \[`(\w+)`\]/gm)].map(([, code]) => code)]).toEqual([path, codes])
    expect(text).not.toContain('| Mistake |')
  }
  const page = operationPages(contract).find(({ path }) => path === 'operations/deleteBlock')
  expect(page?.markdown).toContain('| | | block already in the trash | the block |')
})
