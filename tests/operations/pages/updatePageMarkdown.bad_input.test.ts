import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { makeMarkdownPage, outline, readMarkdown } from '../../harness/markdown.ts'
import { serverOfFile } from '../../harness/server.ts'

const TEXT = 'one\ntwo two\n- three'
const server = await serverOfFile({ BOOTSTRAP_SAMPLE: 'true' })
const page = await makeMarkdownPage(server.owner, TEXT)

const update = (id: string, body: unknown, caller = server.owner): Promise<TestResponse> =>
  caller.call('updatePageMarkdown', { path: { page_id: id }, body })
const updates = (...content_updates: object[]): object => ({ type: 'update_content', update_content: { content_updates } })
const change = { old_str: 'one', new_str: '1' }
const clear = { type: 'replace_content', replace_content: { new_str: '' } }

describe('updatePageMarkdown', () => {
  const list = 'body.update_content.content_updates'
  it.each<[string, unknown, string]>([
    ['no type', { replace_content: { new_str: '' } }, 'body.type'],
    ['an unknown type', { type: 'append_content' }, 'body.type'],
    ['no command', { type: 'update_content' }, 'body.update_content'],
    ['two commands', { ...updates(change), replace_content: { new_str: '' } }, 'body.replace_content'],
    [
      'a command that differs from the type',
      { type: 'replace_content', ...{ insert_content: { content: 'x' } } },
      'body.replace_content',
    ],
    ['no updates', updates(), `${list}.length`],
    ['101 updates', updates(...Array.from({ length: 101 }, () => change)), `${list}.length`],
    ['an update without new_str', updates({ old_str: 'one' }), `${list}[0].new_str`],
    ['an empty old_str', updates({ old_str: '', new_str: 'x' }), `${list}[0].old_str.length`],
    ['an unknown key', updates({ ...change, all: true }), `${list}[0].all`],
    ['an old_str that does not occur', updates(change, { old_str: 'One', new_str: 'x' }), `${list}[1].old_str`],
    ['an old_str that an earlier update removed', updates(change, change), `${list}[1].old_str`],
    ['an old_str that occurs twice', updates({ old_str: 'two', new_str: 'x' }), `${list}[0].old_str`],
    [
      'after beside position',
      { type: 'insert_content', insert_content: { content: 'x', after: 'one', position: { type: 'end' } } },
      'body.insert_content',
    ],
    [
      'a selection that does not occur',
      { type: 'insert_content', insert_content: { content: 'x', after: 'One' } },
      'body.insert_content.after',
    ],
    [
      'a selection whose end precedes its start',
      { type: 'insert_content', insert_content: { content: 'x', after: 'two...one' } },
      'body.insert_content.after',
    ],
    [
      'an unknown position',
      { type: 'insert_content', insert_content: { content: 'x', position: { type: 'page_end' } } },
      'body.insert_content.position.type',
    ],
    [
      'a range that does not occur',
      { type: 'replace_content_range', replace_content_range: { content: 'x', content_range: 'one...four' } },
      'body.replace_content_range.content_range',
    ],
    [
      'a range that is empty',
      { type: 'replace_content_range', replace_content_range: { content: 'x', content_range: '' } },
      'body.replace_content_range.content_range.length',
    ],
    ['content that is not text', { type: 'replace_content', replace_content: { new_str: 1 } }, 'body.replace_content.new_str'],
    ['allow_async that is not a boolean', { ...clear, allow_async: 'yes' }, 'body.allow_async'],
    [
      'too many blocks',
      { type: 'replace_content', replace_content: { new_str: 'x\n'.repeat(20_100) } },
      'body.replace_content.new_str',
    ],
    [
      'too many blocks to insert',
      { type: 'insert_content', insert_content: { content: 'x\n'.repeat(20_001) } },
      'body.insert_content.content',
    ],
  ])('400 for %s', async (_what, body, location) => {
    expectInvalid(await update(page, body), location)
    expect(await readMarkdown(server.owner, page)).toBe(TEXT)
  })

  it('400 with the number of matches when old_str occurs more than once', async () => {
    expect((await update(page, updates({ old_str: 'two', new_str: 'x' }))).body['message']).toMatch(/found 2 times/)
  })

  it('400 when all replacements together write more than a request may send', async () => {
    const many = await makeMarkdownPage(server.owner, 'aaaaaaaaaa')
    const twice = Array.from({ length: 100 }, () => ({ old_str: 'a', new_str: 'aa', replace_all_matches: true }))
    expectInvalid(await update(many, updates(...twice)), `${list}[14].new_str`)
    const lines = `e\n`.repeat(1_000)
    await update(many, { type: 'replace_content', replace_content: { new_str: lines } })
    const all = (old_str: string, length: number): object => ({
      old_str,
      new_str: 'x'.repeat(length),
      replace_all_matches: true,
    })
    expectInvalid(await update(many, updates(all('e', 513))), `${list}[0].new_str`)
    expectInvalid(await update(many, updates(all('e', 512), { old_str: lines, new_str: 'y' })), `${list}[1].old_str`)
    expectInvalid(await update(many, updates(all('e', 256), { ...all('x', 2) })), `${list}[1].new_str`)
    expect((await readMarkdown(server.owner, many)).replaceAll('\n', '')).toBe('e'.repeat(1_000))
    expect((await update(many, updates(all('e', 512)))).status).toBe(200)
  })

  it('400 for the id of another object, and for a page in the trash or below a page in the trash', async () => {
    const [first] = await outline(server.owner, page)
    expectInvalid(await update(exampleWorkspace.repairLog, clear), 'path.page_id')
    expectInvalid(await update(first?.id ?? '', clear), 'path.page_id')
    expectInvalid(await update('x', clear), 'path.page_id')
    const parent = await makePage(server.owner, 'x', undefined, [paragraph('a')])
    const below = await makePage(server.owner, 'x', parent, [paragraph('a')])
    await server.owner.call('updatePage', { path: { page_id: parent }, body: { in_trash: true } })
    for (const id of [parent, below]) {
      expectInvalid(await update(id, clear), 'path.page_id')
      expectInvalid(await update(id, { ...clear, allow_async: true }), 'path.page_id')
      expect(await readMarkdown(server.owner, id)).toContain('a')
    }
  })

  it('404 when the page is missing or not shared, 403 without the capability to update content, 400 for broken JSON', async () => {
    const ghost = randomUUID()
    expectNotFound(await update(ghost, clear), ghost)
    expectNotFound(await update(ghost, { ...clear, allow_async: true }), ghost)
    const other = await makeConnection(server, { capabilities: ['update_content'] })
    expectNotFound(await update(page, clear, other.caller), page)
    const reader = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [page] })
    expectError(await update(page, clear, reader.caller), 403, 'restricted_resource')
    expectError(
      await server.owner.send('PATCH', `/v1/pages/${page}/markdown`, {
        headers: { 'Content-Type': 'application/json' },
        body: '{',
      }),
      400,
      'invalid_json',
    )
  })
})
