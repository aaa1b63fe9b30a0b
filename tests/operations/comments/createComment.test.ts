import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertDiscussion, setResolved } from '../../../server/store/comments.ts'
import type { TestResponse } from '../../harness/responses.ts'
import type { Caller } from '../../harness/caller.ts'
import { commentOn, commentText, commentTexts, makeComment } from '../../harness/comments.ts'
import { makeConnection, makeMember } from '../../harness/connections.ts'
import { appendOne, children, makePage, paragraph, readText, text } from '../../harness/content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf, textAt, type JsonObject } from '../../harness/json.ts'
import { authorize, makeClient } from '../../harness/oauth.ts'
import { serverOfFile } from '../../harness/server.ts'

const [ines, tomas] = exampleWorkspace.people
const server = await serverOfFile()
const page = await makePage(server.owner, 'Mooring plan')
const block = await appendOne(server.owner, page, paragraph('Depth at the slip'))

const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
const rich = [text('Hello')]
const create = (body: object, caller: Caller = server.owner): Promise<TestResponse> => caller.call('createComment', { body })
const onPage = (more: object): object => ({ parent: { page_id: page }, ...more })
const richTextOf = (comment: JsonObject): unknown => comment['rich_text']
const plain = { bold: false, italic: false, strikethrough: false, underline: false, code: false, color: 'default' }

describe('createComment', () => {
  it('200 with a comment on a page, equal to its later reads', async () => {
    server.clock.advance(1000)
    const time = new Date(server.clock.now()).toISOString()
    const { body } = await create(onPage({ rich_text: rich }))
    expect(body).toStrictEqual({
      object: 'comment',
      id: idOf(body),
      parent: { type: 'page_id', page_id: page },
      discussion_id: textAt(body, 'discussion_id'),
      created_time: time,
      last_edited_time: time,
      created_by: { object: 'user', id: exampleWorkspace.bot.id },
      rich_text: [readText('Hello')],
      display_name: { type: 'integration', resolved_name: 'Yard Assistant' },
      request_id: textAt(body, 'request_id'),
    })
  })

  it('200 in one shared discussion for comments on a page, and a new discussion for each comment on a block', async () => {
    const target = await makePage(server.owner, 'Target', undefined, [paragraph('here')])
    const [inside] = await children(server.owner, target)
    const discussions = async (...parents: object[]): Promise<Set<string>> => {
      const found = new Set<string>()
      for (const parent of parents) found.add(textAt((await create({ parent, rich_text: rich })).body, 'discussion_id'))
      return found
    }
    const onTarget = { page_id: target }
    expect(await discussions(onTarget, { block_id: target }, { type: 'page_id', ...onTarget })).toHaveLength(1)
    expect(await discussions({ block_id: idOf(inside) }, { block_id: idOf(inside) }, onTarget)).toHaveLength(3)
    expect(await commentTexts(server.owner, target)).toHaveLength(4)
  })

  it('200 in the oldest open discussion of a page that has several from older data', async () => {
    const target = await makePage(server.owner)
    const discussions: string[] = []
    for (const markdown of ['oldest', 'older', 'newest']) {
      server.clock.advance(1000)
      const discussion = randomUUID()
      discussions.push(discussion)
      const { id } = await commentOn(server.owner, target, markdown)
      await server.service.database.write(async (db) => {
        await insertDiscussion(db, exampleWorkspace.workspace.id, { id: discussion, parentId: target }, server.clock.now())
        await db.run('update comments set discussion_id = ? where id = ?', discussion, String(id))
      })
    }
    const [oldest = '', older = ''] = discussions
    const joined = async (): Promise<unknown> => (await commentOn(server.owner, target))['discussion_id']
    expect(await joined()).toBe(oldest)
    await server.service.database.write((db) => setResolved(db, exampleWorkspace.workspace.id, oldest, server.clock.now()))
    expect(await joined()).toBe(older)
  })

  it('200 with an empty parent ignored when a discussion is sent', async () => {
    const { body } = await create(onPage({ rich_text: rich }))
    const discussion_id = textAt(body, 'discussion_id')
    expect((await create({ parent: {}, discussion_id, rich_text: rich })).body).toMatchObject({ discussion_id })
  })

  it("200 with a discussion on a block for any spelling of its id, or on a page for the id of the page's block", async () => {
    const parent = { type: 'block_id', block_id: block.replaceAll('-', '').toUpperCase() }
    expect((await create({ parent, rich_text: rich })).body['parent']).toStrictEqual({ type: 'block_id', block_id: block })
    expect((await create({ parent: { block_id: page }, rich_text: rich })).body['parent']).toStrictEqual({
      type: 'page_id',
      page_id: page,
    })
  })

  it('200 with the parent of the discussion for a reply', async () => {
    const first = await makeComment(server.owner, { parent: { block_id: block }, markdown: 'How deep?' })
    const reply = await makeComment(server.owner, { discussion_id: first['discussion_id'], markdown: '1.9 m' })
    expect(reply).toMatchObject({ discussion_id: first['discussion_id'], parent: { type: 'block_id', block_id: block } })
  })

  it('200 for a reply in a resolved discussion, which lists omit', async () => {
    const target = await makePage(server.owner)
    const first = await commentOn(server.owner, target)
    const discussion = textAt(first, 'discussion_id')
    await server.service.database.write((db) => setResolved(db, exampleWorkspace.workspace.id, discussion, server.clock.now()))
    const reply = await makeComment(server.owner, { discussion_id: discussion, markdown: 'too late' })
    expect(await commentTexts(server.owner, target)).toStrictEqual([])
    await server.service.database.write((db) => setResolved(db, exampleWorkspace.workspace.id, discussion, null))
    expect(await commentTexts(server.owner, target)).toHaveLength(2)
    expect(commentText(reply)).toBe('too late')
  })

  it('200 for rich text of every kind, with references resolved on read', async () => {
    const response = await create(
      onPage({
        rich_text: [
          { type: 'mention', mention: { type: 'user', user: { object: 'user', id: ines.id } } },
          { mention: { database: { id: exampleWorkspace.repairLog } } },
          { mention: { custom_emoji: { id: exampleWorkspace.emojis[0].id } } },
          { mention: { template_mention: { template_mention_date: 'today' } } },
          { equation: { expression: 'l = 1.5 \\cdot L' } },
          text(''),
          { text: { content: 'rules', link: { url: 'https://example.org/mooring' } }, annotations: { color: 'red', bold: true } },
          { mention: { date: { start: '2026-05-16T09:30', time_zone: 'Europe/Berlin' } } },
        ],
      }),
    )
    expect(commentText(response.body)).toBe(
      '@Ines VargaRepair log:rope_coil:@Todayl = 1.5 \\cdot Lrules2026-05-16T09:30:00.000+02:00',
    )
    expect(at(response.body, 'rich_text', 5)).toMatchObject({
      href: 'https://example.org/mooring',
      annotations: { ...plain, color: 'red', bold: true },
    })
  })

  it('200 for Markdown, which is stored as rich text', async () => {
    const mentions = `<mention-user url="user://${tomas.id}"/> <mention-page url="${exampleWorkspace.pages.checklist}"/> <mention-database url="${exampleWorkspace.repairLog}">log</mention-database> <mention-date start="2026-05-11" end="2026-05-15"/>`
    const markdown = `**Bold** *it* ~~gone~~ \`code\` [rules](https://example.org/r) $a+b$ $$c$$ :bowline: ${mentions}`
    const { body } = await create(onPage({ markdown }))
    expect(commentText(body)).toBe(
      'Bold it gone code rules a+b c :bowline: @Tomas Reyes Safety checklist Repair log 2026-05-11 → 2026-05-15',
    )
    const looks = (Array.isArray(body['rich_text']) ? body['rich_text'] : [])
      .filter((item) => at(item, 'plain_text') !== ' ')
      .map((item) => [at(item, 'type'), at(item, 'mention', 'type') ?? at(item, 'href') ?? at(item, 'plain_text')])
    expect(looks).toStrictEqual([
      ['text', 'Bold'],
      ['text', 'it'],
      ['text', 'gone'],
      ['text', 'code'],
      ['text', 'https://example.org/r'],
      ['equation', 'a+b'],
      ['equation', 'c'],
      ['mention', 'custom_emoji'],
      ['mention', 'user'],
      ['mention', 'page'],
      ['mention', 'database'],
      ['mention', 'date'],
    ])
  })

  it.each([
    ['block marks and line breaks stay as text', '# One\n- two\n> three\n```\n1. four', '# One\n- two\n> three\n```\n1. four'],
    [
      'references that the caller cannot see become their labels',
      `See <mention-page url="${GHOST}">the old plan</mention-page>.`,
      'See the old plan.',
    ],
    ['only spaces', '  ', '  '],
    ['an unknown emoji', ':no_such_emoji:', ':no_such_emoji:'],
    ['unclosed marks', '**half', '**half'],
    ['a NUL and a lone surrogate', 'a\u0000b', 'a\u0000b'],
  ])('200 for Markdown: %s', async (_name, markdown, expected) => {
    expect(commentText((await create(onPage({ markdown }))).body)).toBe(expected)
  })

  it('200 or 400 for any Markdown, never 500', async () => {
    const piece = fc.oneof(
      fc.constantFrom('**', '_', '~~', '`', '[', '](', ')', '$', '<br>', '<mention-', '\n', '\\', ':a:'),
      fc.string(),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 40 }), async (pieces) => {
        const response = await create(onPage({ markdown: pieces.join('') }))
        if (response.status !== 200)
          expectError(response, 400, 'validation_error', pieces.join('') === '' ? 'body.markdown.length' : 'body.markdown')
      }),
      { numRuns: 60 },
    )
  })

  it('200 with several items for long Markdown, and 400 for too many items', async () => {
    const long = await create(onPage({ markdown: 'x'.repeat(150_000) }))
    expect(richTextOf(long.body)).toHaveLength(75)
    expectInvalid(await create(onPage({ markdown: 'x'.repeat(200_001) })), 'body.markdown')
    expectInvalid(await create(onPage({ markdown: '**a** b '.repeat(60_000) })), 'body.markdown')
  })

  it('200 without counting as an edit of the page', async () => {
    const before = (await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']
    server.clock.advance(5000)
    await commentOn(server.owner, page)
    expect((await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']).toBe(before)
  })

  it('200 with only the id when the caller may not read comments', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_comments'], grants: [page] })
    const { body } = await create(onPage({ rich_text: rich }), caller)
    expect(body).toStrictEqual({ object: 'comment', id: idOf(body), request_id: textAt(body, 'request_id') })
  })

  it('200 for a link to the comment from callers who can see it, and 404 from others', async () => {
    const comment_id = idOf(await commentOn(server.owner, page))
    expect(await appendOne(server.owner, page, { link_to_page: { comment_id } })).toBeTruthy()
    const elsewhere = await makePage(server.owner)
    const { caller } = await makeConnection(server, { capabilities: ['read_content', 'insert_content'], grants: [elsewhere] })
    const body = { children: [{ link_to_page: { comment_id } }] }
    expectNotFound(await caller.call('appendBlockChildren', { path: { block_id: elsewhere }, body }), comment_id)
  })
})

describe('createComment with a display name', () => {
  const shown = async (caller: Caller, display_name?: object): Promise<unknown> =>
    (await makeComment(caller, onPage({ rich_text: rich, ...(display_name && { display_name }) })))['display_name']

  it("200 with the connection's current name, by default and on request", async () => {
    const { caller, name, botId } = await makeConnection(server, {
      capabilities: ['read_comments', 'insert_comments'],
      grants: [page],
    })
    expect(await shown(caller)).toStrictEqual({ type: 'integration', resolved_name: name })
    const comment = await makeComment(caller, onPage({ rich_text: rich, display_name: { type: 'integration' } }))
    await server.service.database.write((db) => db.run('update users set name = ? where id = ?', 'Crate Keeper', botId))
    const read = await caller.call('retrieveComment', { path: { comment_id: idOf(comment) } })
    expect(read.body['display_name']).toStrictEqual({ type: 'integration', resolved_name: 'Crate Keeper' })
  })

  it('200 with a custom name of any characters', async () => {
    for (const name of ['Tide watch', '⛵\u0000"\\', 'x'.repeat(2000)])
      expect(await shown(server.owner, { type: 'custom', custom: { name } })).toStrictEqual({
        type: 'custom',
        resolved_name: name,
      })
  })

  it('200 with the person who authorized a public connection, or the member of a personal token', async () => {
    const { caller, botId } = await authorize(server, await makeClient(server), { pages: [page] })
    const comment = await makeComment(caller, onPage({ rich_text: rich, display_name: { type: 'user' } }))
    expect(comment).toMatchObject({ created_by: { id: botId }, display_name: { type: 'user', resolved_name: ines.name } })
    expect(await shown(caller)).toStrictEqual({ type: 'integration', resolved_name: 'Tide Planner' })
    const member = await makeMember(server, tomas.id)
    const typed = await makeComment(member, onPage({ rich_text: rich }))
    expect(typed).toMatchObject({ created_by: { id: tomas.id }, display_name: { type: 'user', resolved_name: tomas.name } })
    expect(await shown(member, { type: 'user' })).toStrictEqual({ type: 'user', resolved_name: tomas.name })
  })

  it('400 validation_error for the display name of a person with an installation token, or of a connection with a personal token', async () => {
    const request = (type: string, caller: Caller): Promise<TestResponse> =>
      create(onPage({ rich_text: rich, display_name: { type } }), caller)
    expectInvalid(await request('user', server.owner), 'body.display_name')
    expectInvalid(await request('integration', await makeMember(server, tomas.id)), 'body.display_name')
  })
})

describe('createComment at older release dates', () => {
  it('200 for a page at every date, and for a block since 2022-06-28', async () => {
    for (const version of ['2021-05-11', '2021-08-16', '2022-02-22', '2022-06-28', '2025-09-03']) {
      const headers = { 'Service-Version': version }
      const made = await server.owner.call('createComment', { body: onPage({ rich_text: rich }), headers })
      expect(made.body).toMatchObject({ object: 'comment', rich_text: [readText('Hello')] })
      const response = await server.owner.call('createComment', {
        body: { parent: { block_id: block }, rich_text: rich },
        headers,
      })
      if (version < '2022-06-28') expectInvalid(response, 'body.parent.block_id')
      else expect(response.body['parent']).toStrictEqual({ type: 'block_id', block_id: block })
    }
  })
})
