import { describe, expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { GHOST } from '../../harness/every_operation.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()

/** tests/contract/hostile_bodies.test.ts counts the validation steps of such bodies; here they are sent over HTTP, some of them large. */
describe('a body with tens of thousands of faults', () => {
  const strangers = Object.fromEntries(Array.from({ length: 30_000 }, (_none, index) => [`k${index}`, 1]))
  const wrong = {
    children: Array.from({ length: 100 }, () => ({
      paragraph: { rich_text: Array.from({ length: 90 }, () => ({ text: 1, mood: 2 })) },
    })),
  }

  it('400 naming the first of the unknown keys', async () => {
    const page = await makePage(server.owner)
    expectInvalid(await server.owner.call('updatePage', { path: { page_id: page }, body: strangers }), 'body.k0')
  })

  it('400 naming the first of many nested faults', async () => {
    const page = await makePage(server.owner)
    expectInvalid(
      await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: wrong }),
      'body.children[0].paragraph.rich_text[0].text',
    )
  })

  it('400 naming the limit of a list with more than a hundred thousand faults', async () => {
    const response = await server.owner.call('queryDataSource', {
      path: { data_source_id: GHOST },
      body: { sorts: Array.from({ length: 127_000 }, () => ({})) },
    })
    expectInvalid(response, 'body.sorts.length')
  })

  it('400 naming the first fault of the body, even if a key contains dots', async () => {
    const bad = { number: 'x' }
    expectInvalid(
      await server.owner.call('createPage', { body: { properties: { Late: bad, 'a.b': bad } } }),
      'body.properties.Late.number',
    )
    expectInvalid(
      await server.owner.call('createPage', { body: { properties: { 'a.b': bad, Late: bad } } }),
      'body.properties.a.b.number',
    )
  })

  it('200 at a version that ignores the unknown keys', async () => {
    const page = await makePage(server.owner)
    expect(
      (await server.caller(TOKEN, '2021-05-13').call('updatePage', { path: { page_id: page }, body: strangers })).status,
    ).toBe(200)
  })
})
