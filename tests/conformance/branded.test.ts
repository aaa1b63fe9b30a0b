import { describe, expect, it } from 'vitest'
import { operations, type OperationId } from '../../generated/operations.ts'
import { ConformClient } from '../../conformance/src/conform/conform_client.ts'
import { BrandForms } from '../../conformance/src/brand_forms.ts'
import { Run } from '../../conformance/src/run.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile({ HEADER_BRAND: 'Acme' })
const { url } = server

/**
 * Calls operations whose responses have branded headers and values.
 * @returns the findings
 */
async function findingsOf(forms: BrandForms | undefined): Promise<readonly string[]> {
  const run = new Run('conform', url, [], undefined, forms)
  const client = new ConformClient(run, new URL(url), TOKEN)
  const calls: readonly (readonly [OperationId, object])[] = [
    ['retrieveMe', {}],
    ['queryAgents', {}],
    ['search', { page_size: 100 }],
    ['querySessions', {}],
  ]
  for (const [id, body] of calls) {
    const operation = operations[id]
    const { status } = await client.call(operation, operation.method === 'get' ? {} : { body })
    expect([id, status]).toEqual([id, 200])
  }
  return run.result.findings.map(({ place: location, text }) => `${location} ${text}`)
}

describe('a branded server', () => {
  it('has no findings when conform is given the brand', async () => {
    expect(await findingsOf(BrandForms.of('Acme'))).toEqual([])
  })

  it('has findings when conform is not given the brand', async () => {
    expect(await findingsOf(undefined)).not.toEqual([])
  })

  it('has findings for values of neither the protocol nor the brand', () => {
    const response = {
      object: 'user',
      id: 'b61e6ba5-3682-4dd6-b804-69b84b2d451c',
      name: null,
      avatar_url: null,
      ...{ type: 'bot', bot: { owner: { type: 'other', workspace: true }, workspace_id: 'x', workspace_name: null } },
    }
    const run = new Run('proxy', url, [], undefined, BrandForms.of('Acme'))
    run.checkExchange({
      method: 'GET',
      target: '/v1/users/me',
      requestHeaders: { 'acme-version': '2026-03-11' },
      requestBody: Buffer.alloc(0),
      status: 200,
      responseHeaders: { 'content-type': 'application/json', 'acme-version': '2026-03-11' },
      responseBody: Buffer.from(JSON.stringify(response)),
    })
    expect(run.total).toBeGreaterThan(0)
  })
})
