import { describe, expect, it } from 'vitest'
import {
  createWorkspaceClient,
  InvalidCallError,
  isBlock,
  isFullPage,
  isTask,
  plainText,
  text,
  walkBlocks,
} from '../../client/src/index.ts'
import { clientOperations } from '../../generated/client_operations.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { standInOfFile } from './stand_in.ts'

const server = await serverOfFile()
const standIn = await standInOfFile()
const service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })
const HANDBOOK = '5df6f817-b099-4bcf-a0ec-6db25097c040'

/** A page with these lines, each a list of items, indented by tabs. */
async function pageOf(markdown: string): Promise<string> {
  return (await service.pages.create({ parent: { page_id: HANDBOOK }, markdown })).id
}

describe('the methods of resources', () => {
  it('exist for every operation of the contract', () => {
    for (const { id, name } of Object.values(clientOperations)) {
      const method = name.split('.').reduce<unknown>((resource, key) => Reflect.get(Object(resource) as object, key), service)
      expect(method, id).toBeTypeOf('function')
    }
  })

  it('send parameters in the path, the query and the body', async () => {
    standIn.play()
    const { pages } = standIn.client()
    await pages.update({ page_id: HANDBOOK, filter_properties: ['a', 'b'], in_trash: true }, { idempotencyKey: 'crate-17' })
    expect(standIn.requests).toMatchObject([
      {
        method: 'PATCH',
        url: `/v1/pages/${HANDBOOK}?filter_properties=a&filter_properties=b`,
        body: '{"in_trash":true}',
        headers: { 'idempotency-key': 'crate-17' },
      },
    ])
  })

  it('refuse parameters that the operation does not have', async () => {
    standIn.play()
    // @ts-expect-error there is no such parameter
    const call = standIn.client().users.me.retrieve({ user: 'x' })
    await expect(call).rejects.toThrow('retrieveMe takes no body, and has no parameter user.')
    await expect(call).rejects.toBeInstanceOf(InvalidCallError)
    expect(standIn.requests).toHaveLength(0)
  })

  it('can also be called by the operation id', async () => {
    const byId = await service.call('retrievePage', { path: { page_id: HANDBOOK } })
    expect(await service.pages.retrieve({ page_id: HANDBOOK })).toEqual({ ...byId, request_id: expect.any(String) as string })
  })

  it('reject only once, even if the caller awaits only the response', async () => {
    const missing = { page_id: '00000000-0000-4000-8000-000000000000' }
    await expect(service.pages.retrieve(missing).withResponse()).rejects.toMatchObject({ code: 'object_not_found' })
    await expect(service.blocks.children.list({ block_id: missing.page_id }).all()).rejects.toMatchObject({ status: 404 })
  })
})

describe('a list', () => {
  it('is read as items, as pages, as an array, or as an array of limited length', async () => {
    const block_id = await pageOf(Array.from({ length: 7 }, (_, index) => `line ${index}`).join('\n'))
    const list = { block_id, page_size: 3 }
    const ids = await service.blocks.children.list(list).all()
    expect(ids).toHaveLength(7)
    expect(await Array.fromAsync(service.blocks.children.list(list))).toEqual(ids)
    const pages = await Array.fromAsync(service.blocks.children.list(list).pages(), ({ results }) => results.length)
    expect(pages).toEqual([3, 3, 1])
    expect(await service.blocks.children.list(list)).toMatchObject({ results: ids.slice(0, 3), has_more: true })
    for (const limit of [0, 2, 3, 4, 100])
      expect(await service.blocks.children.list(list).all({ limit })).toEqual(ids.slice(0, limit))
  })

  it('fetches no more pages than an array of limited length needs', async () => {
    standIn.play((response) =>
      response.end(JSON.stringify({ object: 'list', results: [1, 2], has_more: true, next_cursor: 'next' })),
    )
    expect(await standIn.client().users.list().all({ limit: 2 })).toEqual([1, 2])
    expect(standIn.requests).toHaveLength(1)
  })
})

describe('the walk through the blocks of a page', () => {
  const markdown = '- a\n\t- b\n\t\t- c\n\t- d\n- e\n\t- f\n- g'

  it.each([1, 2, 10])('follows the order of the document, with %i requests at once', async (concurrency) => {
    const page = await pageOf(markdown)
    let [now, most] = [0, 0]
    const counting = createWorkspaceClient({
      baseUrl: server.url,
      token: TOKEN,
      fetch: async (request) => {
        most = Math.max(most, (now += 1))
        return fetch(request).finally(() => (now -= 1))
      },
    })
    const seen: string[] = []
    for await (const { block, depth } of walkBlocks(counting, page, { concurrency }))
      if (isBlock('bulleted_list_item', block)) seen.push(`${plainText(block.bulleted_list_item.rich_text)}${depth}`)
    expect(seen).toEqual(['a0', 'b1', 'c2', 'd1', 'e0', 'f1', 'g0'])
    expect(most).toBeLessThanOrEqual(concurrency)
  })

  it('omits the blocks of its child pages', async () => {
    const page = await pageOf('- a')
    const inner = await service.pages.create({ parent: { page_id: page }, markdown: '- b' })
    const walked = await Array.fromAsync(walkBlocks(service, page), ({ block }) => block.id)
    expect(walked).toHaveLength(2)
    expect(walked).toContain(inner.id)
  })
})

describe("the client's builders and guards", () => {
  it('send a text with its formatting and link', async () => {
    const block_id = await pageOf('- a')
    const rich_text = [
      text('Low water at '),
      text('nine').bold().italic().color('red'),
      text('more').link('https://tides.example/'),
    ]
    await service.blocks.children.append({ block_id, children: [{ paragraph: { rich_text } }] })
    const last = (await service.blocks.children.list({ block_id }).all()).at(-1)
    if (!last || !isBlock('paragraph', last)) throw new Error('another block')
    expect(plainText(last.paragraph.rich_text)).toBe('Low water at ninemore')
    expect(last.paragraph.rich_text).toMatchObject([
      { annotations: { bold: false } },
      { annotations: { bold: true, italic: true, color: 'red' } },
      { href: 'https://tides.example/' },
    ])
  })

  it('distinguish full objects from partial ones, and pages from tasks', async () => {
    const made = await service.pages.create({ markdown: '- a' })
    expect([isFullPage(made), isTask(made)]).toEqual([true, false])
    expect(isFullPage({ object: 'page' })).toBe(false)
    const [block] = await service.blocks.children.list({ block_id: made.id }).all()
    expect(block && [isBlock('bulleted_list_item', block), isBlock('to_do', block), isFullPage(block)]).toEqual([
      true,
      false,
      false,
    ])
  })
})
