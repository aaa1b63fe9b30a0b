import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { append, block, makePage, paragraph, children, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { at } from '../../harness/json.ts'
import { idsByText, makeMarkdownPage, outline, readMarkdown, wholeContent, type Outline } from '../../harness/markdown.ts'
import { plantHalvings } from '../../harness/ranks.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const update = (id: string, body: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePageMarkdown', { path: { page_id: id }, body })
const replace = (id: string, markdown: string, more: object = {}): Promise<TestResponse> =>
  update(id, { type: 'replace_content', replace_content: { new_str: markdown, ...more } })
const exchange = (id: string, ...updates: object[]): Promise<TestResponse> =>
  update(id, { type: 'update_content', update_content: { content_updates: updates } })
const insert = (id: string, content: string, more: object = {}): Promise<TestResponse> =>
  update(id, { type: 'insert_content', insert_content: { content, ...more } })
const ids = async (id: string): Promise<Map<string, string>> => idsByText(await outline(server.owner, id))

const everything = (id: string): Promise<string> => wholeContent(server.owner, id)

describe('updatePageMarkdown', () => {
  describe('replace_content and update_content', () => {
    it('200 without change of ids, times or hidden content for the Markdown of the page itself', async () => {
      const page = await makePage(server.owner, 'x', undefined, [
        { code: { rich_text: [text('a')], language: 'sql', caption: [text('hidden')] } },
        { file: { external: { url: 'https://example.org/a.csv' }, name: 'hidden.csv' } },
        { bookmark: { url: 'https://example.org', caption: [text('hidden')] } },
        block('toggle', 'a', { children: [paragraph('b'), paragraph('')] }),
        paragraph(' edges '),
        { breadcrumb: {} },
      ])
      for (const id of [page, exampleWorkspace.pages.launchPlan, exampleWorkspace.pages.handbook]) {
        const before = await everything(id)
        server.clock.advance(1000)
        const markdown = await readMarkdown(server.owner, id)
        const { status, body } = await replace(id, markdown)
        expect([status, body]).toMatchObject([200, { object: 'page_markdown', id, markdown, truncated: false }])
        expect(await everything(id)).toBe(before)
        const transcripts = await server.owner.call('retrievePageMarkdown', {
          path: { page_id: id },
          query: { include_transcript: 'true' },
        })
        await replace(id, String(transcripts.body['markdown']))
        await replace(id, `${markdown}\n\n`.replaceAll('\n', '\r\n'))
        expect(await everything(id)).toBe(before)
      }
    })

    it('200 with ids and times kept for blocks with unchanged Markdown, and new ones for others', async () => {
      const page = await makeMarkdownPage(server.owner, 'a\n- b\n\t- c\n\t- d\ne\nf')
      const before = await ids(page)
      const edited = at(
        (await server.owner.call('retrieveBlock', { path: { block_id: before.get('c') ?? '' } })).body,
        'last_edited_time',
      )
      server.clock.advance(1000)
      expect((await replace(page, 'a\n- b\n\t- c\n\t- new\n\t- d\ne!\nf')).body['markdown']).toBe(
        'a\n- b\n\t- c\n\t- new\n\t- d\ne!\nf',
      )
      const after = await ids(page)
      for (const kept of ['a', 'b', 'c', 'd', 'f']) expect(after.get(kept), kept).toBe(before.get(kept))
      expect(after.get('e!')).not.toBe(before.get('e'))
      expect(
        at((await server.owner.call('retrieveBlock', { path: { block_id: after.get('c') ?? '' } })).body, 'last_edited_time'),
      ).toBe(edited)
      expect(at((await server.owner.call('retrieveBlock', { path: { block_id: before.get('e') ?? '' } })).body, 'in_trash')).toBe(
        true,
      )
    })

    it('200 with ids kept in moved subtrees, even below a new parent', async () => {
      const page = await makeMarkdownPage(
        server.owner,
        '<details>\n<summary>t</summary>\n\tinside\n\t- list\n</details>\na\nb\nc',
      )
      const before = await ids(page)
      await replace(page, 'c\nb\n- new\n\ta\n<details>\n<summary>t</summary>\n\tinside\n\t- list\n</details>')
      expect(await readMarkdown(server.owner, page)).toBe(
        'c\nb\n- new\n\ta\n<details>\n<summary>t</summary>\n\tinside\n\t- list\n</details>',
      )
      const after = await ids(page)
      for (const kept of ['t', 'inside', 'list', 'a', 'b', 'c']) expect(after.get(kept), kept).toBe(before.get(kept))
      await replace(page, '## t\nfirst\n- list\ninside\na')
      const last = await ids(page)
      for (const kept of ['inside', 'list', 'a']) expect(last.get(kept), kept).toBe(before.get(kept))
      expect(await readMarkdown(server.owner, page)).toBe('## t\nfirst\n- list\ninside\na')
    })

    describe('200 with ids kept in moved parts, even if blocks look alike:', () => {
      const page = '<page url="LINK">Launch day plan</page>'
      it.each([
        ['an equal leaf at the start of each part', `- one\n\t${page}\n\ta\n- two\n\t${page}\n\tb\n- three\n\t${page}\n\tc`],
        ['an equal leaf at the end of each part', `- one\n\ta\n\t${page}\n- two\n\tb\n\t${page}\n- three\n\tc\n\t${page}`],
        ['blank lines', '- one\n\t---\n\t<empty-block/>\n- two\n\t---\n\t---\n- three\n\t---\n\t<empty-block/>'],
        ['trees of several lines', '- one\n\t- x\n\t\t- y\n- two\n\t- x\n\t\t- y\n- three\n\t- x\n\t\t- y'],
        ['a leaf of one part inside a tree of another', '- one\n\ty\n- two\n\t- x\n\t\ty\n- three\n\ty'],
      ])('%s', async (_name, markdown) => {
        const order = [2, 1, 0]
        const id = await makeMarkdownPage(server.owner, markdown.replaceAll('LINK', exampleWorkspace.pages.launchPlan))
        const flat = (all: readonly Outline[]): string[] => all.flatMap((entry) => [entry.id, ...flat(entry.children)])
        const before = await outline(server.owner, id)
        const parts = (await readMarkdown(server.owner, id)).split(/\n(?=-)/)
        for (const more of ['', '\n\tnew']) {
          await replace(id, order.map((index) => `${parts[index]}${more}`).join('\n'))
          const after = await outline(server.owner, id)
          for (const [location, index] of order.entries())
            expect(flat(after.slice(location, location + 1)).slice(0, flat(before.slice(index, index + 1)).length)).toStrictEqual(
              flat(before.slice(index, index + 1)),
            )
          await replace(id, parts.join('\n'))
        }
      })
    })

    it('200 with equal lines kept in place', async () => {
      const page = await makeMarkdownPage(server.owner, 'x\nx\n---\nx\n---\ny\nx')
      const before = (await outline(server.owner, page)).map(({ id }) => id)
      await replace(page, 'x\nx\n---\nz\nx\n---\ny\nx')
      const after = (await outline(server.owner, page)).map(({ id }) => id)
      expect(after.filter((id) => before.includes(id))).toStrictEqual(before)
    })

    it('200 for the empty string, which clears the page, and changes nothing in an empty page', async () => {
      const page = await makeMarkdownPage(server.owner, 'a\n\tb\n# c')
      expect((await replace(page, '')).body).toMatchObject({ markdown: '', truncated: false })
      expect(await children(server.owner, page)).toStrictEqual([])
      const before = (await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']
      server.clock.advance(1000)
      await replace(page, '')
      expect((await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']).toBe(before)
    })

    it('200 with time and editor of the change on the page', async () => {
      const page = await makeMarkdownPage(server.owner, 'a')
      const { caller, botId } = await makeConnection(server, { capabilities: ['update_content', 'read_content'], grants: [page] })
      server.clock.advance(1000)
      await update(page, { type: 'replace_content', replace_content: { new_str: 'a\nb' } }, caller)
      const { body } = await server.owner.call('retrievePage', { path: { page_id: page } })
      expect(body).toMatchObject({ last_edited_time: new Date(server.clock.now()).toISOString(), last_edited_by: { id: botId } })
      expect(at((await children(server.owner, page))[1], 'created_by', 'id')).toBe(botId)
    })

    it('200 with the start number of a list on its first item', async () => {
      const page = await makeMarkdownPage(server.owner, '1. a\n2. b\n3. c')
      const before = await ids(page)
      await exchange(page, { old_str: '1. a\n', new_str: '' })
      expect(await readMarkdown(server.owner, page)).toBe('2. b\n3. c')
      expect(await ids(page)).toStrictEqual(
        new Map([
          ['b', before.get('b')],
          ['c', before.get('c')],
        ]),
      )
      await exchange(page, { old_str: '2. b', new_str: '1. b' })
      expect(await readMarkdown(server.owner, page)).toBe('1. b\n2. c')
    })

    it('200 with a numbered list renumbered after a change anywhere in it', async () => {
      const items = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
      const run = (first: number, ...all: string[]): string => all.map((item, index) => `${first + index}. ${item}`).join('\n')
      const page = await makeMarkdownPage(server.owner, `a\nb\nc\n${run(1, ...items)}\nd\ne\nf`)
      const before = await ids(page)
      for (const [old_str, new_str, shown] of [
        ['2. two', 'between\n2. two', `${run(1, 'one')}\nbetween\n${run(2, ...items.slice(1))}`],
        ['1. one\nbetween\n2. two', '1. one\n2. two', run(1, ...items)],
        ['1. one\n', '', run(2, ...items.slice(1))],
        ['2. two', '1. new\n2. two', run(1, 'new', ...items.slice(1))],
        ['1. new', '5. new', run(5, 'new', ...items.slice(1))],
        ['7. three', 'three', `${run(5, 'new', 'two')}\nthree\n${run(8, ...items.slice(3))}`],
      ] as const) {
        const { body } = await exchange(page, { old_str, new_str })
        expect(body['markdown']).toBe(`a\nb\nc\n${shown}\nd\ne\nf`)
        expect(await readMarkdown(server.owner, page)).toBe(body['markdown'])
      }
      const inserted = await insert(page, 'middle', { after: 'four' })
      expect(inserted.body['markdown']).toContain('8. four\nmiddle\n1. five\n2. six\n3. seven\nd')
      expect(await readMarkdown(server.owner, page)).toBe(inserted.body['markdown'])
      const after = await ids(page)
      for (const kept of ['a', 'two', 'four', 'five', 'seven', 'f']) expect(after.get(kept), kept).toBe(before.get(kept))
    })

    it('200 with rows of a table kept, or another table if the number of columns changes', async () => {
      const rows = (...all: string[][]): string =>
        [
          '<table>',
          ...all.flatMap((cells) => ['\t<tr>', ...cells.map((cell) => `\t\t<td>${cell}</td>`), '\t</tr>']),
          '</table>',
        ].join('\n')
      const page = await makeMarkdownPage(server.owner, rows(['a', 'b'], ['c', 'd']))
      const [before] = await outline(server.owner, page)
      await replace(page, rows(['a', 'b'], ['new', ''], ['c', 'd']))
      const [after] = await outline(server.owner, page)
      expect(after?.id).toBe(before?.id)
      expect(after?.children.filter(({ id }) => before?.children.some((row) => row.id === id))).toHaveLength(2)
      await replace(page, rows(['a'], ['c']))
      const [other] = await outline(server.owner, page)
      expect(other?.id).not.toBe(before?.id)
      expect(other?.block).toMatchObject({ table: { table_width: 1 } })
      expect(await readMarkdown(server.owner, page)).toBe(rows(['a'], ['c']))
    })

    it('200 with positions of siblings in the trash kept', async () => {
      const page = await makeMarkdownPage(server.owner, 'a\ntrashed\nb')
      const before = await ids(page)
      await server.owner.call('deleteBlock', { path: { block_id: before.get('trashed') ?? '' } })
      for (let times = 0; times < 5; times += 1) await replace(page, `a\nnew ${times}\nb`)
      await server.owner.call('updateBlock', { path: { block_id: before.get('trashed') ?? '' }, body: { in_trash: false } })
      expect(await readMarkdown(server.owner, page)).toBe('a\nnew 4\ntrashed\nb')
    })

    it('200 for an insertion between siblings that have long ranks after 300 insertions there', async () => {
      const page = await makeMarkdownPage(server.owner, 'first\nlast')
      const { texts } = await plantHalvings(server, page, 54)
      expect(texts.length).toBeGreaterThan(300)
      await exchange(page, { old_str: 'first\n', new_str: 'first\nsecond\n' })
      expect((await readMarkdown(server.owner, page)).split('\n')).toStrictEqual([
        'first',
        'second',
        ...texts.toReversed(),
        'last',
      ])
    })
  })

  it('200 with a hosted file kept when its block changes, and stored as external when its address is sent in a new block', async () => {
    const url = `${server.url}/files/plan.png`
    const page = await makePage(server.owner, 'x', undefined, [
      { image: { external: { url: `${url}?sig=1` }, caption: [text('before')] } },
      { callout: { rich_text: [text('before')], icon: { external: { url: `${url}?sig=2` } } } },
    ])
    // Only its signature distinguishes a hosted file from its address, and the sent text did not contain it.
    await exchange(page, { old_str: 'before', new_str: 'behind', replace_all_matches: true })
    expect(await readMarkdown(server.owner, page)).toBe(
      `![behind](${url}?sig=1)\n<callout icon="${url}?sig=2">\n\tbehind\n</callout>`,
    )
    await exchange(page, { old_str: `![behind](${url}?sig=3)`, new_str: '---' })
    expect(await readMarkdown(server.owner, page)).toMatch(/^---\n<callout/)
    await insert(page, `![x](${url}?sig=1)`)
    expect(await readMarkdown(server.owner, page)).toContain(`![x](${url})`)
  })

  it('200 without any content for a caller who may update but not read', async () => {
    const page = await makeMarkdownPage(server.owner, 'secret')
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [page] })
    const { status, body } = await update(page, { type: 'insert_content', insert_content: { content: 'new' } }, caller)
    expect([status, body]).toMatchObject([
      200,
      { object: 'page_markdown', id: page, markdown: '', truncated: true, unknown_block_ids: [] },
    ])
    expect(await readMarkdown(server.owner, page)).toBe('secret\nnew')
  })

  it('200 with the hidden rest of a long page kept, or removed when the page is cleared', async () => {
    const page = await makeMarkdownPage(
      server.owner,
      Array.from({ length: 19_999 }, (_line, index) => `line ${index}`).join('\n'),
    )
    for (let times = 0; times < 3; times += 1)
      await append(
        server.owner,
        page,
        Array.from({ length: 100 }, (_child, index) => paragraph(`rest ${times * 100 + index}`)),
      )
    expect((await exchange(page, { old_str: 'line 19998\n', new_str: 'line 19998\nnew\n' })).status).toBe(200)
    const present = await readMarkdown(server.owner, page)
    const inserted = await insert(page, 'the end\r\n3. third')
    expect(inserted.body).toMatchObject({ truncated: true, markdown: present })
    expect(await lastTexts()).toEqual(['rest 299', 'the end', 'third'])
    expect((await insert(page, ' ')).body).toMatchObject({ truncated: true, markdown: present })
    expect((await insert(page, 'x\n'.repeat(20_001))).body).toMatchObject({
      message: 'body failed validation: body.insert_content.content should produce at most 20000 blocks.',
    })
    const { body } = await server.owner.call('listBlockChildren', { path: { block_id: page }, query: { page_size: 1 } })
    expect(body['has_more']).toBe(true)
    async function lastTexts(): Promise<unknown[]> {
      const rows = await server.service.database.read((db) =>
        db.all({ content: 'text' }, 'select content from blocks where parent_id = ? order by rank desc limit 3', page),
      )
      return rows.map(({ content }) => at(JSON.parse(content), 'rich_text', 0, 'text', 'content')).toReversed()
    }
    const count = async (): Promise<number> =>
      (
        await server.service.database.read((db) =>
          db.get({ count: 'integer' }, 'select count(*) as count from blocks where parent_id = ? and in_trash = 0', page),
        )
      )?.count ?? -1
    expect(Number(await count())).toBe(20_302)
    expect((await replace(page, '')).body).toMatchObject({ markdown: '', truncated: false })
    expect(Number(await count())).toBe(0)
  })
})
