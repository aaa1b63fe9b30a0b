import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { textAt } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown, wholeContent, type Outline } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'
import { block, markdownOf } from '../../markdown/support/dialect.ts'
import { pages, type Tree } from '../../markdown/support/trees.ts'

const server = await serverOfFile()

const RUNS = Number(process.env['RUNS'] ?? 10)

async function replace(id: string, markdown: string): Promise<TestResponse> {
  return server.owner.call('updatePageMarkdown', {
    path: { page_id: id },
    body: { type: 'replace_content', replace_content: { new_str: markdown, allow_deleting_content: true } },
  })
}

/** Parts of a page: list items with distinct names and any content. */
function partOf(trees: readonly Tree[], index: number): string {
  return markdownOf([block('bulleted_list_item', `part ${index}`, {}, trees)])
}

function partsOf(markdown: string): string[] {
  return markdown.split(/\n(?=- part \d)/)
}

function idsOf(outlines: readonly Outline[]): string[] {
  return outlines.flatMap(({ id, children }) => [id, ...idsOf(children)])
}

/** Ids of all blocks of each part, by its name. */
async function idsByPart(id: string): Promise<Map<string, string>> {
  return new Map((await outline(server.owner, id)).map((part) => [part.text, idsOf([part]).join(' ')]))
}

describe('updatePageMarkdown: round trips', () => {
  it('200 without change for the Markdown of the page itself', async () => {
    await fc.assert(
      fc.asyncProperty(pages, async (trees) => {
        const id = await makeMarkdownPage(server.owner, markdownOf(trees))
        const before = await wholeContent(server.owner, id)
        const markdown = await readMarkdown(server.owner, id)
        server.clock.advance(1000)
        const { status, body } = await replace(id, markdown)
        expect([status, body['markdown']]).toStrictEqual([200, markdown])
        expect(await wholeContent(server.owner, id), markdown).toBe(before)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('200 with the ids of all remaining blocks kept when parts are moved, removed or extended', async () => {
    const groups = fc.array(fc.record({ trees: pages, index: fc.nat(), fate: fc.constantFrom('kept', 'removed', 'longer') }), {
      minLength: 1,
      maxLength: 5,
    })
    await fc.assert(
      fc.asyncProperty(groups, async (all) => {
        const id = await makeMarkdownPage(server.owner, all.map(({ trees }, index) => partOf(trees, index)).join('\n'))
        const before = await idsByPart(id)
        const parts = partsOf(await readMarkdown(server.owner, id))
        const changed = all
          .map(({ index: groupIndex, fate }, index) => ({ order: groupIndex, fate, part: parts[index] ?? '' }))
          .filter(({ fate }) => fate !== 'removed')
          .toSorted((one, other) => one.order - other.order)
          .map(({ part, fate }, index) => (fate === 'longer' ? `${part}\n\tnew ${index}` : part))
        const { status, body } = await replace(id, changed.join('\n'))
        expect([status, body['markdown']]).toStrictEqual([200, changed.join('\n')])
        const after = await idsByPart(id)
        expect([...after.keys()]).toStrictEqual(changed.map((part) => /part \d+/.exec(part)?.[0]))
        for (const [name, ids] of after) expect(ids.startsWith(before.get(name) ?? '-'), changed.join('\n')).toBe(true)
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('200 with the same result from the changed lines alone as from the whole text', async () => {
    const line = fc.constantFrom(
      ...['new', '', '# New', '\tdeeper', '\t\tdeepest', '- item', '1. one', '7. seven', '```', '$$', '---', '| a |', '|---|'],
      ...['<callout>', '</callout>', '<details>', '</details>', '<columns>', '</column>', '<table>', '</table>', ':::', '<tabs>'],
    )
    const edits = fc.array(
      fc.record({
        index: fc.nat(),
        span: fc.nat(3),
        kind: fc.constantFrom('add', 'remove', 'change'),
        line,
        isFar: fc.boolean(),
      }),
      {
        minLength: 1,
        maxLength: 4,
      },
    )
    const someBlocks = fc.array(pages, { minLength: 1, maxLength: 6 }).map((parts) => parts.flat())
    const masked = (text: string): string => text.replaceAll(/[0-9a-f]{32}/g, 'id')
    const shared = await makeMarkdownPage(server.owner, '<synced_block>\n\tshared\n</synced_block>')
    const copy = (await readMarkdown(server.owner, shared)).replaceAll('synced_block', 'synced_block_reference')
    const copyLines = copy.split('\n').length
    await fc.assert(
      fc.asyncProperty(someBlocks, edits, async (trees, changes) => {
        const markdown = markdownOf(trees)
        const id = await makeMarkdownPage(server.owner, markdown)
        // If a page has a copy of a synced block, all of the page is rewritten; results that depend on that are not compared.
        const other = await makeMarkdownPage(server.owner, `${copy}\n${markdown}`)
        const head = `${(await readMarkdown(server.owner, other)).split('\n').slice(0, copyLines).join('\n')}\n`
        const before = (await outline(server.owner, id)).map((one) => one.id)
        const start = changes[0]?.index ?? 0
        // Edits near one of two positions leave most of a page unchanged.
        const changed = (whole: string): string => {
          const lines = whole.split('\n')
          const [index, half] = [start % (lines.length + 1), lines.length >> 1]
          for (const { index: near, span, kind, line: added, isFar } of changes)
            lines.splice(
              ((isFar ? index + half : index) % (lines.length + 1)) + (near % 3),
              kind === 'add' ? 0 : span,
              ...(kind === 'remove' ? [] : [added]),
            )
          return lines.join('\n')
        }
        const text = changed(await readMarkdown(server.owner, id))
        const { status, body } = await replace(id, text)
        expect(status, text).toBe(200)
        expect(body['markdown'], text).toBe(await readMarkdown(server.owner, id))
        const whole = await readMarkdown(server.owner, other)
        expect((await replace(other, head + changed(whole.slice(head.length)))).status).toBe(200)
        const wanted = (await readMarkdown(server.owner, other)).slice(head.length)
        expect(masked(String(body['markdown'])), text).toBe(masked(wanted))
        const after = (await outline(server.owner, id)).map((one) => one.id)
        const kept = before.filter((one) => after.includes(one))
        // Blocks removed in one position and added in the other have moved.
        const isNear = changes.every(({ isFar }) => isFar === changes[0]?.isFar)
        expect(
          after.filter((one) => kept.includes(one)),
          text,
        ).toStrictEqual(isNear ? kept : expect.arrayContaining(kept))
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
  })

  it('200 without change for the Markdown of a page made from any text', async () => {
    const word = fc.constantFrom(
      'a',
      ' ',
      '\t',
      '*',
      '**',
      '`',
      '```',
      '$$',
      '$',
      '[',
      '](/x)',
      '<',
      '>',
      '\\',
      '|',
      '# ',
      '- ',
      '1. ',
    )
    const tag = fc.constantFrom(
      '<details>',
      '<summary>',
      '</summary>',
      '</details>',
      '<columns>',
      '<column>',
      '</column>',
      '</columns>',
    )
    const other = fc.constantFrom(
      '<table>',
      '<tr><td>',
      '</td></tr>',
      '</table>',
      '<callout>',
      '</callout>',
      ':::',
      '{color="red"}',
      '\n',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(word, tag, other, fc.string({ unit: 'grapheme' })), { maxLength: 60 }),
        async (words) => {
          const text = words.join('')
          const { status, body } = await server.owner.call('createPage', { body: { properties: { title: [] }, markdown: text } })
          expect(status, text).toBe(200)
          const id = textAt(body, 'id')
          const before = await wholeContent(server.owner, id)
          const markdown = await readMarkdown(server.owner, id)
          expect((await replace(id, markdown)).body['markdown'], text).toBe(markdown)
          expect(await wholeContent(server.owner, id), text).toBe(before)
        },
      ),
      { numRuns: RUNS, endOnFailure: true },
    )
  })
})
