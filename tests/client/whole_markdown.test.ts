import { describe, expect, it } from 'vitest'
import { createWorkspaceClient, LimitExceededError, readWholeMarkdown } from '../../client/src/index.ts'
import { append, block, makePage, paragraph } from '../harness/content.ts'
import { makeConnection } from '../harness/connections.ts'
import { makeMarkdownPage } from '../harness/markdown.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { standInOfFile, type Play } from './stand_in.ts'

const server = await serverOfFile()
const service = createWorkspaceClient({ baseUrl: server.url, token: TOKEN })
const standIn = await standInOfFile()
const playing =
  (body: object): Play =>
  (response) =>
    void response.writeHead(200).end(JSON.stringify(body))

describe('readWholeMarkdown', () => {
  it('reads a short page by one request', async () => {
    const page = await makeMarkdownPage(server.owner, '- Rope\n\t- Coil')
    expect(await readWholeMarkdown(service, page)).toEqual({ markdown: '- Rope\n\t- Coil', missingIds: [] })
  })

  it('reads all blocks of a page that exceeds the limit of a response, in order, even those that the response does not list', async () => {
    const lines = Array.from({ length: 19_990 }, (_line, index) => `line ${index}`)
    const page = await makeMarkdownPage(server.owner, lines.join('\n'))
    const inside = Array.from({ length: 20 }, (_child, index) => `inside ${index}`)
    await append(server.owner, page, [block('toggle', 'large', { children: inside.map((text) => paragraph(text)) })])
    const more = Array.from({ length: 120 }, (_child, index) => `more ${index}`)
    for (const part of [more.slice(0, 60), more.slice(60)])
      await append(
        server.owner,
        page,
        part.map((text) => paragraph(text)),
      )
    const { markdown, missingIds } = await readWholeMarkdown(service, page)
    const toggle = ['<details>', '<summary>large</summary>', ...inside.map((text) => `\t${text}`), '</details>']
    expect(markdown.split('\n')).toEqual([...lines, ...toggle, ...more])
    expect(missingIds).toEqual([])

    const limits = [{ requestsMax: 20 }, { charactersMax: 1_000 }]
    for (const limit of limits) await expect(readWholeMarkdown(service, page, limit)).rejects.toBeInstanceOf(LimitExceededError)
  })

  it('keeps the indentation of blocks that it inserts', async () => {
    const [id, part] = ['5df6f817-b099-4bcf-a0ec-6db25097c040', '45b58f3a-807d-4f89-bece-2523375277c6']
    const unknown = `<unknown url="https://x.example/a#${part.replaceAll('-', '')}" alt="code"/>`
    const text = { object: 'page_markdown', id, markdown: `- a\n\t${unknown}`, truncated: true, unknown_block_ids: [part] }
    const code = { ...text, id: part, markdown: '```go\nx\n\ny\n```', truncated: false, unknown_block_ids: [] }
    standIn.play(...[text, code].map(playing))
    const { markdown } = await readWholeMarkdown(standIn.client(), id)
    expect(markdown).toBe('- a\n\t```go\n\tx\n\n\ty\n\t```')
  })

  it('ends when a server names the same block repeatedly', async () => {
    const id = '5df6f817-b099-4bcf-a0ec-6db25097c040'
    const markdown = `<unknown url="https://x.example/a#${id.replaceAll('-', '')}" alt="toggle"/>`
    const body = { object: 'page_markdown', id, markdown, truncated: true, unknown_block_ids: [id] }
    standIn.play(...Array.from({ length: 30 }, () => playing(body)))
    await expect(readWholeMarkdown(standIn.client(), id, { requestsMax: 20 })).rejects.toBeInstanceOf(LimitExceededError)
    expect(standIn.requests).toHaveLength(20)
  })

  it('names the blocks that the token cannot read', async () => {
    const hidden = '45b58f3a-807d-4f89-bece-2523375277c6'
    const line = `<unknown url="https://x.example/a#${hidden.replaceAll('-', '')}" alt="toggle"/>`
    const page = await makePage(server.owner, 'Open')
    const { token } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const body = { object: 'page_markdown', id: page, markdown: line, truncated: true, unknown_block_ids: [hidden] }
    const client = createWorkspaceClient({
      baseUrl: server.url,
      token,
      fetch: (request) => (request.url.includes(page) ? Promise.resolve(Response.json(body)) : fetch(request)),
    })
    expect(await readWholeMarkdown(client, page)).toEqual({ markdown: line, missingIds: [hidden] })
  })
})
