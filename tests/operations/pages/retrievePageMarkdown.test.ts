import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { insertToken, tokenDigest } from '../../../server/store/tokens.ts'
import { append, appendOne, block, column, makePage, paragraph, row, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, resultsOf } from '../../harness/json.ts'
import { makeMarkdownPage, outline, readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'
import type { TestResponse } from '../../harness/responses.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })

const retrieve = (id: string, query: Record<string, string> = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('retrievePageMarkdown', { path: { page_id: id }, query })
const bare = (id: string): string => id.replaceAll('-', '')
const update = (id: string, body: unknown): Promise<TestResponse> =>
  server.owner.call('updatePageMarkdown', { path: { page_id: id }, body })

describe('retrievePageMarkdown', () => {
  it('200 with the content of a page of blocks, one line each', async () => {
    const page = await makePage(server.owner, 'Not shown', undefined, [
      block('heading_2', 'Plan', { color: 'blue' }),
      block('to_do', 'Book boat', { checked: true, children: [block('to_do', 'Pay')] }),
      {
        callout: {
          rich_text: [text('Bring '), text('line', { annotations: { bold: true } })],
          icon: { emoji: '⚓' },
          color: 'gray_background',
          children: [paragraph('and oil')],
        },
      },
      { table: { table_width: 2, has_column_header: true, children: [row('Item', 'Price'), row('Ticket', '14')] } },
      { column_list: { children: [column(paragraph('left')), column(paragraph('right'))] } },
      { bookmark: { url: 'https://example.org' } },
      paragraph(''),
    ])
    const marked = (await outline(server.owner, page)).find(({ type }) => type === 'bookmark')
    const { status, body } = await retrieve(page)
    expect([status, { ...body, request_id: null }]).toStrictEqual([
      200,
      {
        object: 'page_markdown',
        id: page,
        truncated: false,
        unknown_block_ids: [],
        request_id: null,
        markdown: [
          '## Plan {color="blue"}',
          '- [x] Book boat',
          '\t- [ ] Pay',
          '<callout icon="⚓" color="gray_bg">',
          '\tBring **line**',
          '\tand oil',
          '</callout>',
          '<table header-row="true">',
          '\t<tr>',
          '\t\t<td>Item</td>',
          '\t\t<td>Price</td>',
          '\t</tr>',
          '\t<tr>',
          '\t\t<td>Ticket</td>',
          '\t\t<td>14</td>',
          '\t</tr>',
          '</table>',
          '<columns>',
          '\t<column>',
          '\t\tleft',
          '\t</column>',
          '\t<column>',
          '\t\tright',
          '\t</column>',
          '</columns>',
          `<unknown url="${server.url}/${bare(page)}#${bare(marked?.id ?? '')}" alt="bookmark"/>`,
          '<empty-block/>',
        ].join('\n'),
      },
    ])
    expect(await readMarkdown(server.owner, page), 'the same again').toBe(body['markdown'])
  })

  it('200 with an empty string for an empty page', async () => {
    expect((await retrieve(await makePage(server.owner))).body).toMatchObject({ markdown: '', truncated: false })
  })

  it('200 with a block and all below it', async () => {
    const page = await makePage(server.owner, 'x', undefined, [paragraph('other')])
    const toggle = await appendOne(
      server.owner,
      page,
      block('toggle', 'If the wind turns', { children: [paragraph('Call Tomas.')] }),
    )
    expect((await retrieve(bare(toggle).toUpperCase())).body).toMatchObject({
      id: toggle,
      markdown: '<details>\n<summary>If the wind turns</summary>\n\tCall Tomas.\n</details>',
    })
    const divider = await appendOne(server.owner, page, { divider: {} })
    expect((await retrieve(divider)).body).toMatchObject({ id: divider, markdown: '---' })
  })

  it('200 with sub-pages and databases named but not expanded, and every block type of the example workspace as Markdown', async () => {
    expect(await readMarkdown(server.owner, exampleWorkspace.pages.handbook)).toBe(
      [
        `<page url="${server.url}/${bare(exampleWorkspace.pages.checklist)}">Safety checklist</page>`,
        `<page url="${server.url}/${bare(exampleWorkspace.pages.launchPlan)}">Launch day plan</page>`,
        `<database url="${server.url}/${bare(exampleWorkspace.boatRegister)}" inline="false" icon=":rope_coil:">Boat register</database>`,
        `<database url="${server.url}/${bare(exampleWorkspace.repairLog)}" inline="false">Repair log</database>`,
      ].join('\n'),
    )
    const markdown = await readMarkdown(server.owner, exampleWorkspace.pages.launchPlan)
    for (const part of [
      '<meeting-notes>',
      '<tabs>',
      '<synced_block url=',
      '<synced_block_reference url=',
      '```python',
      '<mention-date start="2026-05-16"/>',
      ':rope_coil:',
    ]) {
      expect(markdown).toContain(part)
    }
  })

  it('200 with the icon of a database, and whether it is inline, even where it is only linked', async () => {
    const page = await makePage(server.owner, 'With a log')
    const { body } = await server.owner.call('createDatabase', {
      body: {
        parent: { type: 'page_id', page_id: page },
        title: [text('Fuel log')],
        icon: { type: 'emoji', emoji: '🛢️' },
        is_inline: true,
      },
    })
    const line = `<database url="${server.url}/${bare(idOf(body))}" inline="true" icon="🛢️">Fuel log</database>`
    expect(await readMarkdown(server.owner, page)).toBe(line)
    const other = await makePage(server.owner, 'Links to it', undefined, [{ link_to_page: { database_id: idOf(body) } }])
    expect(await readMarkdown(server.owner, other)).toBe(line)
    expect((await update(page, { type: 'insert_content', insert_content: { content: 'below' } })).body['markdown']).toBe(
      `${line}\nbelow`,
    )
  })

  it('200 with transcripts on request', async () => {
    const withReplacedWords = '\t<transcript>\n\t\tInes: are the rollers greased?\n\t</transcript>'
    expect((await retrieve(exampleWorkspace.pages.launchPlan, { include_transcript: 'true' })).body['markdown']).toContain(
      withReplacedWords,
    )
    for (const query of [{}, { include_transcript: 'false' }]) {
      const markdown = String((await retrieve(exampleWorkspace.pages.launchPlan, query)).body['markdown'])
      expect(markdown).toContain(
        `\t<transcript url="${server.url}/${bare(exampleWorkspace.pages.launchPlan)}#56e91ecc75ce403c91c5fb2ba5dab41e"/>`,
      )
      expect(markdown).not.toContain('rollers greased')
    }
  })

  it('200 for a page in the trash, without trashed blocks', async () => {
    const page = await makeMarkdownPage(server.owner, 'a\nb')
    const [first] = await outline(server.owner, page)
    await server.owner.call('deleteBlock', { path: { block_id: first?.id ?? '' } })
    expect(await readMarkdown(server.owner, page)).toBe('b')
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expect(await readMarkdown(server.owner, page)).toBe('b')
  })

  it("200 with the original's content in copies, and never a copy inside itself", async () => {
    const page = await makePage(server.owner)
    const original = await appendOne(server.owner, page, {
      synced_block: { synced_from: null, children: [paragraph('Channel 12')] },
    })
    await append(server.owner, page, [{ synced_block: { synced_from: { block_id: original } } }])
    await append(server.owner, original, [{ synced_block: { synced_from: { block_id: original } } }])
    const url = `${server.url}/${bare(page)}#${bare(original)}`
    const inside = [`\t<synced_block_reference url="${url}">`, '\t</synced_block_reference>']
    expect(await readMarkdown(server.owner, page)).toBe(
      [
        `<synced_block url="${url}">`,
        '\tChannel 12',
        ...inside,
        '</synced_block>',
        `<synced_block_reference url="${url}">`,
        '\tChannel 12',
        ...inside,
        '</synced_block_reference>',
      ].join('\n'),
    )
    await server.owner.call('deleteBlock', { path: { block_id: original } })
    expect(await readMarkdown(server.owner, page)).toMatch(/^<synced_block_reference url=".*">\n<\/synced_block_reference>$/)
  })

  it('200 without names that the caller may not know', async () => {
    const secret = await makePage(server.owner, 'Secret')
    const page = await makePage(server.owner, 'x', undefined, [
      {
        paragraph: {
          rich_text: [
            { mention: { page: { id: secret } } },
            text(' '),
            { mention: { user: { id: exampleWorkspace.people[0].id } } },
          ],
        },
      },
      { link_to_page: { page_id: secret } },
    ])
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
    const url = `${server.url}/${bare(secret)}`
    expect(await readMarkdown(caller, page)).toBe(
      `<mention-page url="${url}">Untitled</mention-page> <mention-user url="user://${exampleWorkspace.people[0].id}">Anonymous</mention-user>\n<page url="${url}">Untitled</page>`,
    )
  })

  it('200 with blocks beyond the maximum replaced by the ids of the topmost ones, which can be requested', async () => {
    const lines = Array.from({ length: 19_990 }, (_line, index) => `line ${index}`)
    const page = await makeMarkdownPage(server.owner, lines.join('\n'))
    const [large] = await append(server.owner, page, [
      block('toggle', 'large', { children: Array.from({ length: 20 }, (_child, index) => paragraph(`inside ${index}`)) }),
    ])
    const toggle = idOf(large)
    const { body } = await retrieve(page)
    expect(body).toMatchObject({ truncated: true, unknown_block_ids: [toggle] })
    expect(String(body['markdown']).split('\n')).toHaveLength(19_991)
    expect(String(body['markdown']).endsWith(`<unknown url="${server.url}/${bare(page)}#${bare(toggle)}" alt="toggle"/>`)).toBe(
      true,
    )
    expect((await retrieve(toggle)).body).toMatchObject({
      truncated: false,
      markdown: expect.stringContaining('\tinside 19\n') as string,
    })

    for (let times = 0; times < 3; times += 1)
      await append(
        server.owner,
        page,
        Array.from({ length: 100 }, (_child, index) => paragraph(`more ${index}`)),
      )
    const more = await retrieve(page)
    expect(more.body['truncated']).toBe(true)
    expect(more.body['unknown_block_ids']).toHaveLength(100)
    expect(String(more.body['markdown']).split('\n')).toHaveLength(20_100)
  })

  it('200 with content cut off below the maximum depth', async () => {
    const page = await makePage(server.owner)
    let parent = page
    for (let depth = 0; depth < 35; depth += 1) {
      await append(server.owner, parent, [
        block('toggle', `a${depth}`, { children: [block('toggle', `b${depth}`, { children: [block('toggle', `c${depth}`)] })] }),
      ])
      parent = await deepest(parent)
    }
    const { body } = await retrieve(page)
    const depths = String(body['markdown'])
      .split('\n')
      .map((line) => line.length - line.trimStart().length)
    expect(body['unknown_block_ids']).toHaveLength(1)
    expect(Math.max(...depths)).toBe(99)
    const [missing = ''] = body['unknown_block_ids'] as string[]
    expect((await retrieve(missing)).body).toMatchObject({ truncated: false, markdown: expect.stringContaining('c34') as string })
  })

  it('200 with an unknown block for a sub-page hidden from a member, and 404 for that page', async () => {
    const page = await makePage(server.owner, 'Open', undefined, [paragraph('a')])
    const hidden = await makePage(server.owner, 'Hidden', page)
    const member = exampleWorkspace.people[1].id
    const token = `pat_${bare(randomUUID())}`
    await server.service.database.write(async (db) => {
      await insertToken(
        db,
        {
          digest: tokenDigest(token),
          workspaceId: exampleWorkspace.workspace.id,
          kind: 'personal',
          userId: member,
          connectionId: null,
        },
        server.clock.now(),
      )
      await setMemberAccess(db, exampleWorkspace.workspace.id, hidden, member, 'none', server.clock.now())
    })
    const caller = server.caller(token)
    expect((await retrieve(page, {}, caller)).body).toMatchObject({
      markdown: `a\n<unknown url="${server.url}/${bare(page)}#${bare(hidden)}" alt="child_page"/>`,
      truncated: true,
      unknown_block_ids: [hidden],
    })
    expectNotFound(await retrieve(hidden, {}, caller), hidden)
  })

  it('200 with the current content when a page is read again after a change', async () => {
    const page = await makeMarkdownPage(server.owner, 'a')
    await update(page, { type: 'replace_content', replace_content: { new_str: 'b' } })
    expect(await readMarkdown(server.owner, page)).toBe('b')
  })

  describe('an invalid request', () => {
    it('400 for a database, a malformed id, and an unknown flag', async () => {
      expectInvalid(await retrieve(exampleWorkspace.repairLog), 'path.page_id')
      expectInvalid(await retrieve('x'), 'path.page_id')
      expectInvalid(await retrieve(exampleWorkspace.pages.handbook, { include_transcript: 'maybe' }), 'query.include_transcript')
      expectInvalid(await retrieve(exampleWorkspace.pages.handbook, { include_transcripts: 'true' }), 'query.include_transcripts')
    })

    it('404 when the page is missing or not shared, and 403 without the capability to read content', async () => {
      const ghost = randomUUID()
      expectNotFound(await retrieve(ghost), ghost)
      const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
      expectNotFound(await retrieve(exampleWorkspace.pages.handbook, {}, caller), exampleWorkspace.pages.handbook)
      const writer = await makeConnection(server, { capabilities: ['update_content'], grants: [exampleWorkspace.workspace.id] })
      expectError(await retrieve(exampleWorkspace.pages.handbook, {}, writer.caller), 403, 'restricted_resource')
      expectError(await retrieve(ghost, {}, server.caller(undefined)), 401, 'unauthorized')
    })
  })
})

/** The deepest first child below a block. */
async function deepest(id: string): Promise<string> {
  const { body } = await server.owner.call('listBlockChildren', { path: { block_id: id }, query: { page_size: 1 } })
  const [first] = resultsOf(body)
  return first ? deepest(idOf(first)) : id
}
