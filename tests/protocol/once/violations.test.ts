import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

/** Which of several faults a response names, and how. */

const STRICT = 'strict-ids-2026-06-15'
const POSITION = 'explicit-position-2026-05-20'

const server = await serverOfFile()
const page = await makePage(server.owner)

const append = (children: unknown): Promise<TestResponse> =>
  server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children } })

describe('the reported location of a fault', () => {
  it('is in the path rather than the query, and in the query rather than the body', async () => {
    const path = await server.owner.call('listBlockChildren', { path: { block_id: 'nothing' }, query: { page_size: 0 } })
    expectInvalid(path, 'path.block_id')
    const query = await server.owner.call('updatePage', {
      path: { page_id: page },
      query: { filter_properties: '' },
      body: { in_trash: 'yes' },
    })
    expect(query.body['message']).toMatch(/^query failed validation/)
  })

  it('is inside a nullable object, not the object itself: synced_from', async () => {
    const response = await append([{ synced_block: { synced_from: { block_id: 5 } } }])
    expect(response.body['message']).toMatch(/body\.children\[0\]\.synced_block\.synced_from\.block_id should be/)
    expect(response.body['message']).not.toContain('null')
    expect(response.body['additional_data']).toBeUndefined()
  })

  it('is inside a nullable object, not the object itself: select', async () => {
    const body = { properties: { Wood: { select: { name: 5 } } } }
    const response = await server.owner.call('updatePage', { path: { page_id: page }, body })
    expectInvalid(response, 'body.properties.Wood.select.name')
    expect(response.body['additional_data']).toBeUndefined()
  })

  it('is the second of two keys if only one is allowed', async () => {
    const response = await server.owner.call('queryDataSource', {
      path: { data_source_id: page },
      body: { filter: { property: 'Crew', relation: { is_empty: true, is_not_empty: true } } },
    })
    expectInvalid(response, 'body.filter.relation.is_not_empty')
  })

  it('is listed once, even if several rules are violated', async () => {
    const { body } = await server.owner.call('search', { body: { page_size: 0.5, query: 5, filter: 7 } })
    const paths = body['additional_data'] as { failed_paths: string[] }
    expect(paths.failed_paths.toSorted()).toEqual(['body.filter', 'body.page_size', 'body.query'])
  })
})

describe('numbers in a query', () => {
  it.each(['0x10', '1e1', ' 5', '5 ', '', '+5', '05', '5.0'])('refuse %j, which is not an integer', async (pageSize) => {
    expectInvalid(
      await server.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: pageSize } }),
      'query.page_size',
    )
  })
})

describe('two betas in one request', () => {
  it.each([
    [STRICT, POSITION],
    [POSITION, STRICT],
  ])('%s, %s: the request follows both contracts', async (...flags) => {
    const call = (id: string, body: object): Promise<TestResponse> =>
      server.owner.call('appendBlockChildren', { path: { block_id: id }, body, headers: { 'Service-Beta': flags.join(', ') } })
    const position = { type: 'end' }
    expectInvalid(await call(page, { children: [paragraph('one')] }), 'body.position')
    expectInvalid(await call(page.replaceAll('-', ''), { children: [paragraph('two')], position }), 'path.block_id')
    expect((await call(page, { children: [paragraph('three')], position })).status).toBe(200)
  })
})

describe('the limit of blocks in a request', () => {
  it('counts blocks at every level', async () => {
    const toggles = (count: number, children: unknown[]): unknown[] =>
      Array.from({ length: count }, () => ({ toggle: { rich_text: [], children } }))
    const children = toggles(
      10,
      toggles(
        10,
        Array.from({ length: 10 }, () => paragraph('low')),
      ),
    )
    const response = await append(children)
    expectError(
      response,
      400,
      'validation_error',
      'body.children should be ≤ `1000` blocks, nested ones included, instead was `1110`.',
    )
  })
})
