import { describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../generated/operations.ts'
import { loadContractDocument, type ContractDocument, type JsonSchema } from '../../server/contract/contract_document.ts'

/** Accepted ids: any UUID except those of version 1, with or without dashes, wherever the contract requires one. */

const document = loadContractDocument()
const UUID = /\[0-9a-fA-F\]\{12\}/
const withVersion = (digit: string): string => `2C5EA4C0-4067-${digit}1e9-8bad-9b1deb4d3b7d`

/** Every schema that validates requests, without responses. */
function requestSchemas({ paths, components }: ContractDocument): JsonSchema[] {
  const found = new Set<JsonSchema>()
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null || found.has(node as JsonSchema)) return
    found.add(node as JsonSchema)
    const { $ref } = node as { $ref?: unknown }
    if (typeof $ref === 'string') visit(components.schemas[$ref.split('/').at(-1) ?? ''])
    for (const child of Object.values(node)) visit(child)
  }
  for (const { path, method } of Object.values<Operation>(operations)) {
    const operation = paths[path]?.[method]
    visit(operation?.parameters)
    visit(operation?.requestBody)
  }
  return [...found]
}

describe('ids in requests', () => {
  const patterns = requestSchemas(document)
    .map(({ pattern }) => pattern)
    .filter((pattern) => typeof pattern === 'string')
    .filter((pattern) => UUID.test(pattern))

  it('are described by at least three different patterns', () => {
    expect(new Set(patterns).size).toBeGreaterThanOrEqual(3)
  })

  it.each([...new Set(patterns)])('are UUIDs of any version but 1, with or without hyphens: %s', (pattern) => {
    const takes = (id: string): boolean => new RegExp(pattern, 'u').test(id)
    for (const digit of '0123456789abcdefABCDEF')
      for (const id of [withVersion(digit), withVersion(digit).replaceAll('-', '')])
        expect([id, takes(id)]).toEqual([id, digit !== '1'])
    for (const id of ['AAA', withVersion('4').slice(1), `${withVersion('4')}0`, withVersion('4').replace('-', '')])
      expect(takes(id)).toBe(false)
  })

  it('have no `format: uuid`, which would reject spellings that the service accepts', () => {
    expect(requestSchemas(document).filter(({ format }) => format === 'uuid')).toEqual([])
  })
})
