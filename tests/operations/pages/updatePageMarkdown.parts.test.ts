import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { idsByText, makeMarkdownPage, outline, readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const update = (id: string, body: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePageMarkdown', { path: { page_id: id }, body })
const exchange = (id: string, ...updates: object[]): Promise<TestResponse> =>
  update(id, { type: 'update_content', update_content: { content_updates: updates } })
const insert = (id: string, content: string, more: object = {}): Promise<TestResponse> =>
  update(id, { type: 'insert_content', insert_content: { content, ...more } })
const ids = async (id: string): Promise<Map<string, string>> => idsByText(await outline(server.owner, id))

describe('updatePageMarkdown: parts', () => {
  describe('update_content', () => {
    it('200 for updates in order, each on the result of the previous one', async () => {
      const page = await makeMarkdownPage(server.owner, '- [ ] Check tides\nboat, boat and Boat')
      const { status, body } = await exchange(
        page,
        { old_str: '- [ ] Check tides', new_str: '- [x] Check tides' },
        { old_str: 'boat', new_str: 'ferry', replace_all_matches: true },
        { old_str: 'ferry and', new_str: '**ferry** $& and' },
      )
      expect([status, body['markdown']]).toStrictEqual([
        200,
        '- [x] Check tides\nferry, **ferry** $& and Boat'.replace('$', '\\$'),
      ])
    })

    it('200 for texts that span lines, remove lines or add lines', async () => {
      const page = await makeMarkdownPage(server.owner, 'a\n- b\n\tc\nd')
      const before = await ids(page)
      await exchange(page, { old_str: '- b\n\tc\n', new_str: '' }, { old_str: 'd', new_str: 'd\n# e' })
      expect(await readMarkdown(server.owner, page)).toBe('a\nd\n# e')
      expect((await ids(page)).get('d')).toBe(before.get('d'))
    })

    it('200 with a text found where two batches of a long page meet', async () => {
      const line = (start: string, end: string): string => `${start}${'x'.repeat(1_999 - start.length - end.length)}${end}`
      // The search proceeds in batches; line 25 begins the second one.
      const lines = Array.from({ length: 30 }, (_none, index) => line(`${index} `, ` end ${index}`))
      const page = await makeMarkdownPage(server.owner, lines.join('\n'))
      expect((await exchange(page, { old_str: 'end 24\n25 ', new_str: 'end 24\nnew ' })).status).toBe(200)
      expect((await readMarkdown(server.owner, page)).split('\n')[25]).toMatch(/^new x/)
    })

    it('400 for a text that occurs only in a transcript, which is not searched', async () => {
      const response = await exchange(exampleWorkspace.pages.launchPlan, { old_str: 'rollers greased', new_str: 'x' })
      expect(response.status).toBe(400)
    })
  })

  describe('insert_content', () => {
    it('200 at the start, at the end, or after a selection', async () => {
      const page = await makeMarkdownPage(server.owner, 'one\n- two\n\tthree\nfour')
      const before = await ids(page)
      await insert(page, 'start', { position: { type: 'start' } })
      await insert(page, 'end', { position: { type: 'end' } })
      await insert(page, 'very end')
      await insert(page, 'below two', { after: 'thr...ee' })
      await insert(page, 'behind two', { after: '- two' })
      await insert(page, '## behind four', { after: 'one...four' })
      expect(await readMarkdown(server.owner, page)).toBe(
        'start\none\n- two\n\tthree\n\tbelow two\nbehind two\nfour\n## behind four\nend\nvery end',
      )
      const after = await ids(page)
      for (const [text_, id] of before) expect(after.get(text_)).toBe(id)
    })

    it('200 with the content after a table, columns or callout if `after` ends in a cell, between two columns or in the text of the callout', async () => {
      const page = await makeMarkdownPage(
        server.owner,
        [
          '| a |\n|---|\n| b |',
          '<columns>\n<column>\nleft\n</column>\n<column>\nright\n</column>\n</columns>',
          '<callout>\n\tcall\n\tchild\n</callout>',
          '```js\ncode\n```',
        ].join('\n'),
      )
      for (const [after, content] of [
        ['<td>b</td>', 'T'],
        ['</column>...<column>', 'C'],
        ['right', 'R'],
        ['call\n', 'K'],
        ['</callout>', 'B'],
        ['code', 'D'],
      ] as const) {
        expect((await insert(page, content, { after })).status, after).toBe(200)
      }
      const marks = (await readMarkdown(server.owner, page))
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => /^[A-Z]$|^<\/|child|left|right/.test(line))
      expect(marks.join(' ')).toBe('</tr> </tr> </table> T left </column> right R </column> </columns> C child </callout> B K D')
    })

    it('200 after a selection that is a literal text, even with an ellipsis, or a range from start to end', async () => {
      const page = await makeMarkdownPage(server.owner, '- [ ] To Do\nwait... what\na b a c')
      await insert(page, 'A', { after: '- [ ] To Do\n' })
      await insert(page, 'B', { after: 'wait... what' })
      await insert(page, 'C', { after: 'a...c' })
      expect(await readMarkdown(server.owner, page)).toBe('- [ ] To Do\nA\nwait... what\nB\na b a c\nC')
    })

    it('200 without removing anything, even a page that the insertion names', async () => {
      const page = await makeMarkdownPage(server.owner, 'a')
      const sub = await makePage(server.owner, 'Sub', page)
      await insert(page, `<page url="${sub}"/>\n<unknown url="${page}"/>`, { position: { type: 'start' } })
      expect((await outline(server.owner, page)).map(({ type }) => type)).toStrictEqual([
        'link_to_page',
        'paragraph',
        'child_page',
      ])
      expect((await insert(page, '')).status).toBe(200)
    })
  })

  it('200 for replace_content_range, which replaces the selection including both ends', async () => {
    const page = await makeMarkdownPage(server.owner, '- [x] Order shrouds\n- [ ] Measure the forestay\nlast')
    const before = await ids(page)
    const range = (content: string, selected: string): Promise<TestResponse> =>
      update(page, { type: 'replace_content_range', replace_content_range: { content, content_range: selected } })
    expect((await range('- [x] Done', '- [x] Order...the forestay')).body['markdown']).toBe('- [x] Done\nlast')
    expect((await ids(page)).get('last')).toBe(before.get('last'))
    expect((await range('', '- [x] Done\n')).body['markdown']).toBe('last')
    await range('ab ab cd', 'last')
    expect((await range('x', 'ab a...b')).body['markdown']).toBe('x cd')
  })

  const many = Array.from({ length: 150 }, (_line, index) => `${index % 6 === 0 ? 'sixth' : 'line'} ${index}`).join('\n')
  const fold = '<details>\n<summary>Fold</summary>\n\tinside\n</details>'
  it.each<[what: string, before: string, after: string, text: string]>([
    ['more parts change than are rendered one by one', many, many.replaceAll('sixth', '**s**'), '**s** 6\nline 7'],
    ['a numbered list starts at another number', 'a\n1. one\n2. two\nz', 'a\n4. one\n5. two\nz', '4. one\n5. two'],
    ['blocks move into another one', `a\nb\n${fold}`, `${fold.replace('inside', 'inside\n\ta')}\nb`, '\tinside\n\ta'],
    ['a text is too long for one block', 'a', '**x** _y_ '.repeat(120), '**x** *y*'],
    [
      'code, equations, tables and columns are new',
      'a',
      '```js\n1\n```\n$$\nx\n$$\n<table>\n<tr>\n<td>c</td>\n</tr>\n</table>',
      '<td>c</td>',
    ],
    ['a synced block is new', 'a', '<synced_block>\n\tb\n</synced_block>', 'b'],
  ])('200 with the same Markdown as a later read when %s', async (_what, before, after, text) => {
    const page = await makeMarkdownPage(server.owner, before)
    const { body } = await update(page, { type: 'replace_content', replace_content: { new_str: after } })
    expect(body['markdown']).toContain(text)
    const { body: stored } = await server.owner.call('retrievePageMarkdown', { path: { page_id: page } })
    expect({ ...body, request_id: '' }).toStrictEqual({ ...stored, request_id: '' })
  })
})
