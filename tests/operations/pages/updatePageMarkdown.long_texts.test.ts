import { describe, expect, it } from 'vitest'
import { children, makePage } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { outline } from '../../harness/markdown.ts'
import { until } from '../../harness/process.ts'
import { serverOfFile } from '../../harness/server.ts'

/** A text or caption of a block has at most 100 pieces, however it was written. */

const PIECES_MAX = 100

const title = { properties: { title: { title: [{ text: { content: 'Long' } }] } } }

const server = await serverOfFile()

/** Pieces that cannot be merged: bold words and formulas between plain ones. */
const long = (pieces: number): string =>
  Array.from({ length: pieces }, (_none, index) => (['plain ', '**bold**', ' and ', '$x$'] as const)[index % 4]).join('')

/** Every text, caption and cell of a block. */
function textsOf(block: JsonObject): unknown[][] {
  const { rich_text, text, caption, cells } = block[String(block['type'])] as Record<string, unknown>
  return [rich_text, text, caption, ...(Array.isArray(cells) ? cells : [])].filter((one) => Array.isArray(one))
}

const wordsIn = (blocks: readonly JsonObject[]): string =>
  blocks
    .flatMap(textsOf)
    .flat()
    .map((piece) => String((piece as JsonObject)['plain_text']))
    .join('')

describe('Markdown texts of more than 100 items', () => {
  it.each(['', '> ', '- ', '1. ', '- [ ] ', '## '])('200 with several blocks for: %j', async (mark) => {
    const written = await server.owner.call('createPage', {
      body: { parent: { page_id: await makePage(server.owner) }, markdown: `${mark}${long(250)}` },
    })
    expect(written.status, written.text).toBe(200)
    const page = idOf(written.body)
    const blocks = await children(server.owner, page)
    expect(blocks.flatMap(textsOf).map(({ length }) => length)).toStrictEqual([PIECES_MAX, PIECES_MAX, 50])
    expect(wordsIn(blocks)).toBe(long(250).replaceAll('**', '').replaceAll('$', ''))
    const old = await server.owner.call('listBlockChildren', {
      path: { block_id: page },
      headers: { 'Service-Version': '2021-08-16' },
    })
    expect((old.body['results'] as JsonObject[]).flatMap(textsOf).map(({ length }) => length)).toStrictEqual([100, 100, 50])
  })

  it('200 with several blocks even in later updates and in pages from a template', async () => {
    const template = await makePage(server.owner)
    const body = { type: 'replace_content', replace_content: { new_str: long(150) } }
    expect((await server.owner.call('updatePageMarkdown', { path: { page_id: template }, body })).status).toBe(200)
    const copy = await server.owner.call('createPage', {
      body: { parent: { page_id: await makePage(server.owner) }, template: { type: 'template_id', template_id: template } },
    })
    expect(copy.status, copy.text).toBe(200)
    for (const page of [template, idOf(copy.body)]) {
      const blocks = await until(async () => {
        const found = await children(server.owner, page)
        return found.length > 0 ? found : undefined
      })
      expect(blocks.flatMap(textsOf).map(({ length }) => length)).toStrictEqual([PIECES_MAX, 50])
    }
  })

  it('200 with children below the last block of the text', async () => {
    const markdown = `- ${long(150)}\n\tbelow`
    const made = idOf((await server.owner.call('createPage', { body: { ...title, markdown } })).body)
    const changed = await makePage(server.owner)
    const body = { type: 'replace_content', replace_content: { new_str: markdown } }
    expect((await server.owner.call('updatePageMarkdown', { path: { page_id: changed }, body })).status).toBe(200)
    for (const page of [made, changed]) {
      const parts = await outline(server.owner, page)
      expect(parts.map((part) => part.children.map(({ text }) => text))).toStrictEqual([[], ['below']])
    }
  })

  it('400 validation_error for a caption or a cell, which cannot be split', async () => {
    const page = await makePage(server.owner)
    for (const markdown of [`![${long(150)}](https://example.org/boat.png)`, `<table><tr><td>${long(150)}</td></tr></table>`]) {
      const body = { type: 'replace_content', replace_content: { new_str: markdown } }
      expectInvalid(
        await server.owner.call('updatePageMarkdown', { path: { page_id: page }, body }),
        'body.replace_content.new_str',
      )
    }
  })
})
