import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertUser } from '../../../server/store/users.ts'
import { append, appendOne, block, children, makePage, paragraph, readText, text } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const UNKNOWN = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

const server = await serverOfFile()

const retrieve = (id: string, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('retrieveBlock', { path: { block_id: id } })

describe('retrieveBlock', () => {
  it('200 with all common fields of a block, without its children', async () => {
    const page = await makePage(server.owner)
    const [made] = await append(server.owner, page, [block('toggle', 'Winch', { children: [paragraph('inside')] })])
    const { status, body } = await retrieve(idOf(made))
    expect(status).toBe(200)
    expect({ ...body, request_id: undefined }).toStrictEqual({
      object: 'block',
      id: idOf(made),
      type: 'toggle',
      parent: { type: 'page_id', page_id: page },
      created_time: '2026-05-16T04:30:00.000Z',
      created_by: { object: 'user', id: exampleWorkspace.bot.id },
      last_edited_time: '2026-05-16T04:30:00.000Z',
      last_edited_by: { object: 'user', id: exampleWorkspace.bot.id },
      has_children: true,
      in_trash: false,
      toggle: { rich_text: [readText('Winch')], color: 'default' },
      request_id: undefined,
    })
  })

  it('200 for every spelling of an id, which responses spell in lower case with dashes', async () => {
    const id = await appendOne(server.owner, await makePage(server.owner), paragraph('mooring'))
    const plain = id.replaceAll('-', '')
    for (const spelling of [id, plain, id.toUpperCase(), plain.toUpperCase()]) {
      expect(idOf((await retrieve(spelling)).body)).toBe(id)
    }
  })

  it('200 with the child_page block for a page id, and the child_database block for a database id', async () => {
    const page = await makePage(server.owner, 'Tide tables')
    expect((await retrieve(page)).body).toMatchObject({
      id: page,
      type: 'child_page',
      child_page: { title: 'Tide tables' },
      parent: { type: 'workspace', workspace: true },
    })
    expect((await retrieve(exampleWorkspace.repairLog)).body).toMatchObject({
      id: exampleWorkspace.repairLog,
      type: 'child_database',
      child_database: { title: 'Repair log' },
      has_children: false,
    })
  })

  it('200 for a block in the trash or below a block in the trash, at every version', async () => {
    const page = await makePage(server.owner)
    const [outer] = await append(server.owner, page, [block('toggle', 'old', { children: [paragraph('older')] })])
    const [inner] = await children(server.owner, idOf(outer))
    await server.owner.call('deleteBlock', { path: { block_id: idOf(outer) } })
    expect((await retrieve(idOf(outer))).body).toMatchObject({ in_trash: true, has_children: true })
    expect((await retrieve(idOf(inner))).body).toMatchObject({ in_trash: true })
    const older = await server.caller(TOKEN, '2022-06-28').call('retrieveBlock', { path: { block_id: idOf(inner) } })
    expect(older.body).toMatchObject({ archived: true, in_trash: true })
    const trashed = await makePage(server.owner, 'Old', page, [paragraph('on it')])
    const [onPage] = await children(server.owner, trashed)
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    expect((await retrieve(idOf(onPage))).body).toMatchObject({ in_trash: true })
    expect((await retrieve(trashed)).body).toMatchObject({ type: 'child_page', in_trash: true })
  })

  it('200 for blocks that the API does not model, and for those that only the service creates', async () => {
    const found = new Map(
      (await children(server.owner, exampleWorkspace.pages.launchPlan)).map((one) => [String(one['type']), one]),
    )
    expect(found.get('unsupported')).toMatchObject({ unsupported: { block_type: 'form' } })
    expect(found.get('link_preview')).toMatchObject({ link_preview: { url: expect.stringContaining('https://') } })
    const notes = found.get('meeting_notes')
    const pointer = at(notes, 'meeting_notes', 'children', 'notes_block_id')
    expect((await retrieve(String(pointer))).body).toMatchObject({ type: 'toggle', has_children: true })
  })

  it('200 with has_children false if all children are in the trash', async () => {
    const page = await makePage(server.owner)
    const toggle = await appendOne(server.owner, page, block('toggle', 'gear', { children: [paragraph('rope')] }))
    const [rope] = await children(server.owner, toggle)
    await server.owner.call('deleteBlock', { path: { block_id: idOf(rope) } })
    expect((await retrieve(toggle)).body).toMatchObject({ has_children: false })
    await server.owner.call('updateBlock', { path: { block_id: idOf(rope) }, body: { in_trash: false } })
    expect((await retrieve(toggle)).body).toMatchObject({ has_children: true })
  })

  describe('derived values of rich text', () => {
    it('show the current title of a mentioned page, without an edit of the block', async () => {
      const target = await makePage(server.owner, 'Old name')
      const id = await appendOne(server.owner, await makePage(server.owner), {
        paragraph: { rich_text: [{ mention: { page: { id: target } } }] },
      })
      const before = (await retrieve(id)).body
      server.clock.advance(1000)
      await server.owner.call('updatePage', { path: { page_id: target }, body: { properties: { title: [text('New name')] } } })
      const after = (await retrieve(id)).body
      expect(at(after, 'paragraph', 'rich_text', 0)).toMatchObject({
        plain_text: 'New name',
        href: `${server.url}/${target.replaceAll('-', '')}`,
      })
      expect(after['last_edited_time']).toBe(before['last_edited_time'])
    })

    it("show a user's name only with user information, and otherwise @Anonymous and a partial user", async () => {
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, {
        paragraph: { rich_text: [{ mention: { user: { id: exampleWorkspace.people[0].id } } }] },
      })
      const item = async (...words: ('read_user_with_email' | 'read_user_without_email')[]): Promise<unknown> => {
        const { caller } = await makeConnection(server, { capabilities: ['read_content', ...words], grants: [page] })
        return at((await retrieve(id, caller)).body, 'paragraph', 'rich_text', 0)
      }
      const { id: userId, name, email } = exampleWorkspace.people[0]
      const full = { object: 'user', id: userId, name, avatar_url: null, type: 'person' }
      expect(await item('read_user_with_email')).toMatchObject({
        plain_text: `@${name}`,
        mention: { type: 'user', user: { ...full, person: { email } } },
      })
      const withoutEmail = await item('read_user_without_email')
      expect(withoutEmail).toMatchObject({ plain_text: `@${name}`, mention: { user: { ...full, person: {} } } })
      expect(JSON.stringify(withoutEmail)).not.toContain(email)
      expect(at((await item()) as never, 'mention', 'user')).toStrictEqual({ object: 'user', id: userId })
      expect(await item()).toMatchObject({ plain_text: '@Anonymous' })
    })

    it('show @Anonymous for a user without a name', async () => {
      const nobody = randomUUID()
      await server.service.database.write((db) =>
        insertUser(db, exampleWorkspace.workspace.id, {
          ...{ id: nobody, kind: 'person', name: null, avatar_url: null, email: 'x@northshore.example', role: 'member' },
          ...{ connection_id: null, created_time: 1 },
        }),
      )
      const rich_text = [{ mention: { user: { id: nobody } } }]
      const id = await appendOne(server.owner, await makePage(server.owner), { paragraph: { rich_text } })
      expect(at((await retrieve(id)).body, 'paragraph', 'rich_text', 0)).toMatchObject({
        plain_text: '@Anonymous',
        mention: { user: { id: nobody, name: null } },
      })
    })

    it('hide title and formatting of a page that the caller cannot see', async () => {
      const hidden = await makePage(server.owner, 'Wages')
      const page = await makePage(server.owner)
      const id = await appendOne(server.owner, page, {
        paragraph: { rich_text: [{ mention: { page: { id: hidden } }, annotations: { bold: true, color: 'red' } }] },
      })
      const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [page] })
      const response = await retrieve(id, caller)
      expect(at(response.body, 'paragraph', 'rich_text', 0)).toMatchObject({
        plain_text: 'Untitled',
        href: `${server.url}/${hidden.replaceAll('-', '')}`,
        annotations: { bold: false, color: 'default' },
      })
      expect(response.text).not.toContain('Wages')
    })

    it.each([
      ['a date', { date: { start: '2026-05-16' } }, '2026-05-16'],
      ['a range of dates', { date: { start: '2026-05-16', end: '2026-05-18' } }, '2026-05-16 → 2026-05-18'],
      ['a page', { page: { id: exampleWorkspace.pages.checklist } }, 'Safety checklist'],
      ['a database', { database: { id: exampleWorkspace.repairLog } }, 'Repair log'],
      ['today', { template_mention: { template_mention_date: 'today' } }, '@Today'],
      ['now', { template_mention: { type: 'template_mention_date', template_mention_date: 'now' } }, '@Now'],
      ['me', { template_mention: { template_mention_user: 'me' } }, '@Me'],
      [
        'a custom emoji',
        { custom_emoji: { id: exampleWorkspace.emojis[0].id, name: 'ignored', url: 'https://example.org/ignored.png' } },
        ':rope_coil:',
      ],
    ])('show a mention of %s as text', async (_name, mention, plainText) => {
      const response = await server.owner.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [{ paragraph: { rich_text: [{ mention }] } }] },
      })
      expect(at(response.body, 'results', 0, 'paragraph', 'rich_text', 0, 'plain_text')).toBe(plainText)
    })
  })

  it('400 validation_error at path.block_id when the id is not a UUID', async () => {
    for (const id of [
      'launch-plan',
      `${UNKNOWN}0`,
      UNKNOWN.slice(0, -1),
      '3af9f30c5a664477bda9-d8c096d38ff5',
      '__proto__',
      'null',
    ]) {
      expectInvalid(await retrieve(id), 'path.block_id')
    }
  })

  it('400 missing_version without the version header', async () => {
    expectError(
      await server.caller('itk_x', undefined).call('retrieveBlock', { path: { block_id: UNKNOWN } }),
      401,
      'unauthorized',
    )
    expectError(
      await server.owner.call('retrieveBlock', { path: { block_id: UNKNOWN }, headers: { 'Service-Version': undefined } }),
      400,
      'missing_version',
      'Service-Version header',
    )
  })

  it('401 unauthorized without a token', async () => {
    expectError(await retrieve(UNKNOWN, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read content, even if the block is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['insert_content', 'update_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const id of [UNKNOWN, exampleWorkspace.pages.checklist]) {
      const response = await retrieve(id, caller)
      expectError(response, 403, 'restricted_resource', 'retrieveBlock')
      expect(response.body['additional_data']).toStrictEqual({ required_capability: 'read_content' })
    }
  })

  it('404 object_not_found for an unknown id, even the nil UUID or a UUID of version 8', async () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', UNKNOWN.replace('-4c83-', '-8c83-')])
      expectNotFound(await retrieve(id), id)
  })

  it('404 object_not_found with the same message when the block is missing or not shared', async () => {
    const { caller, connectionId } = await makeConnection(server, { capabilities: ['read_content'] })
    const missing = await retrieve(UNKNOWN, caller)
    const unshared = await retrieve(exampleWorkspace.pages.checklist, caller)
    expectNotFound(missing, UNKNOWN)
    expect(missing.body['additional_data']).toStrictEqual({ integration_id: connectionId })
    const neutral = (response: typeof missing, id: string): string =>
      response.text.replaceAll(id, '<id>').replaceAll(String(response.body['request_id']), '<request>')
    expect(neutral(unshared, exampleWorkspace.pages.checklist)).toBe(neutral(missing, UNKNOWN))
    expect({ ...unshared.headers, 'x-service-request-id': '', date: '', ratelimit: '' }).toStrictEqual({
      ...missing.headers,
      'x-service-request-id': '',
      date: '',
      ratelimit: '',
    })
  })
})
