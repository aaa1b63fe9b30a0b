import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { children, makePage, plainTexts, readText, snapshot } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { outline, readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })
const parent = await makePage(server.owner, 'Parent')

const create = (markdown: string, more: object = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('createPage', { body: { parent: { page_id: parent }, markdown, ...more } })
const titled = (content: string): object => ({ properties: { title: { title: [{ text: { content } }] } } })

describe('createPage with Markdown', () => {
  it('200 with the content as nested blocks, in order', async () => {
    const { status, body } = await create(
      '- [ ] Weigh the boat\n\t- twice\n<callout icon="⚓">\n\tcall\n</callout>\n```js\nx\n```',
      titled('New arrival'),
    )
    expect([status, body]).toMatchObject([
      200,
      { object: 'page', parent: { page_id: parent }, properties: { title: { title: [readText('New arrival')] } } },
    ])
    const shape = (await outline(server.owner, idOf(body))).map(({ type, text, children: below }) => [
      type,
      text,
      below.map((child) => child.text),
    ])
    expect(shape).toStrictEqual([
      ['to_do', 'Weigh the boat', ['twice']],
      ['callout', 'call', []],
      ['code', 'x', []],
    ])
    const [first] = await children(server.owner, idOf(body))
    expect(first).toMatchObject({
      parent: { type: 'page_id', page_id: idOf(body) },
      created_time: body['created_time'],
      last_edited_time: body['created_time'],
    })
  })

  it('200 with the first # heading as the title instead of content, unless a title is sent', async () => {
    const markdown = 'intro\n# The *plan*, <mention-date start="2026-05-04"/>\nmore\n# Second'
    const { body } = await create(markdown)
    expect(at(body, 'properties', 'title', 'title')).toMatchObject([
      { plain_text: 'The ' },
      { plain_text: 'plan', annotations: { italic: true } },
      { plain_text: ', ' },
      { type: 'mention', plain_text: '2026-05-04' },
    ])
    expect(body['url']).toMatch(/\/The-plan-2026-05-04-/)
    expect(await readMarkdown(server.owner, idOf(body))).toBe('intro\nmore\n# Second')
    for (const more of [titled('Sent'), { properties: { title: [] } }]) {
      expect(await readMarkdown(server.owner, idOf((await create(markdown, more)).body))).toBe(markdown)
    }
    const toggled = await create('# Title {toggle="true"}\n\tinside\nbehind')
    expect(at(toggled.body, 'properties', 'title', 'title', 0, 'plain_text')).toBe('Title')
    expect(await readMarkdown(server.owner, idOf(toggled.body))).toBe('inside\nbehind')
    const without = await create('## no title\ntext')
    expect(at(without.body, 'properties', 'title', 'title')).toStrictEqual([])
  })

  it('200 with an empty page for an empty text, and with a titled page at the top of the workspace', async () => {
    expect(await readMarkdown(server.owner, idOf((await create('')).body))).toBe('')
    const top = await server.owner.call('createPage', { body: { markdown: '# Top' } })
    expect(top.body).toMatchObject({ parent: { type: 'workspace' }, properties: { title: { title: [readText('Top')] } } })
  })

  it('200 with an equal page when the Markdown of another page is sent', async () => {
    const markdown = await readMarkdown(server.owner, exampleWorkspace.pages.launchPlan)
    const copy = idOf((await create(markdown, titled('Copy'))).body)
    const kept = markdown
      .replace(/<meeting-notes>[^]*<\/meeting-notes>/, '')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('<unknown'))
    const address = /#[0-9a-f]{32}|[0-9a-f]{32}#/g
    expect(
      (await readMarkdown(server.owner, copy))
        .split('\n')
        .map((line) => (line.startsWith('<synced_block ') ? '<synced_block>' : line.replace(address, ''))),
    ).toStrictEqual(kept.map((line) => (line.startsWith('<synced_block ') ? '<synced_block>' : line.replace(address, ''))))
  })

  it('200 with the sent parent, position, icon and cover', async () => {
    const page = await makePage(server.owner, 'Place', undefined, [{ paragraph: { rich_text: [{ text: { content: 'a' } }] } }])
    const { body } = await create('x', {
      parent: { page_id: page },
      position: { type: 'page_start' },
      icon: { emoji: '⛵' },
      cover: { external: { url: 'https://example.org/c.png' } },
    })
    expect(body).toMatchObject({ icon: { emoji: '⛵' }, cover: { external: { url: 'https://example.org/c.png' } } })
    expect(plainTexts(await children(server.owner, page))).toStrictEqual(['child_page', 'a'])
  })

  it('200 with text for mentions, emojis and links that the caller cannot see', async () => {
    const hidden = await makePage(server.owner, 'Hidden')
    const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_content'], grants: [parent] })
    const markdown = `<mention-page url="${hidden}">Label</mention-page> :rope_coil: :nothing:\n<page url="${hidden}">Log</page>`
    expect(await readMarkdown(server.owner, idOf((await create(markdown, titled('x'), caller)).body))).toBe(
      'Label :rope_coil: \\:nothing:\nLog',
    )
    expect(await readMarkdown(server.owner, idOf((await create(markdown, titled('x'))).body))).toContain('>Hidden</mention-page>')
  })

  it('200 with a mention in a table kept', async () => {
    const other = await makePage(server.owner, 'Other')
    const markdown = `| a |\n|---|\n| <mention-page url="${other}">Label</mention-page> |`
    expect(await readMarkdown(server.owner, idOf((await create(markdown, titled('x'))).body))).toContain('>Other</mention-page>')
  })

  it('200 with a mention of the database for a mention of its data source', async () => {
    const { body } = await server.owner.call('retrieveDatabase', { path: { database_id: exampleWorkspace.repairLog } })
    const source = String(at(body, 'data_sources', 0, 'id'))
    const page = idOf((await create(`<mention-data-source url="${source}">Log</mention-data-source>`, titled('x'))).body)
    const [line] = await children(server.owner, page)
    expect(at(line, 'paragraph', 'rich_text', 0)).toMatchObject({
      type: 'mention',
      mention: { type: 'database', database: { id: exampleWorkspace.repairLog } },
    })
  })

  it('200 with a partial page when the caller may not read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    const { status, body } = await create('# x', {}, caller)
    expect([status, Object.keys(body).sort()]).toStrictEqual([200, ['id', 'object', 'request_id']])
  })

  it('400 for too much Markdown or Markdown beside children, 404 for an unknown upload; no page is created', async () => {
    const before = await snapshot(server.owner, parent)
    const cell = Array.from({ length: 101 }, (_piece, index) => (index % 2 === 0 ? `**${index}**` : ' and ')).join('')
    expectInvalid(await create('a\n'.repeat(20_001)), 'body.markdown')
    expectInvalid(await create(`| ${cell} |\n|---|`), 'body.markdown')
    expectInvalid(await create(`# ${cell}`), 'body.markdown')
    expectInvalid(await create('x', { children: [] }), 'body.markdown')
    expectInvalid(await server.owner.call('createPage', { body: { parent: { page_id: parent }, markdown: 1 } }), 'body.markdown')
    const upload = randomUUID()
    expectNotFound(await create(`![x](file-upload://${upload})`), upload)
    expect(await snapshot(server.owner, parent)).toBe(before)
  })
})
