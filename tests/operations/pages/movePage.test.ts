import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Capability } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../../server/domain/administration/tokens.ts'
import { setMemberAccess } from '../../../server/domain/people/sharing.ts'
import { appendOne, children, makePage, paragraph, plainTexts, snapshot } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

/** A data source as the target of moves. */
const server = await serverOfFile()
const from = await makePage(server.owner, 'From', undefined, [paragraph('a')])
const to = await makePage(server.owner, 'To', undefined, [paragraph('b')])
const source = (await makeDatabase(server.owner, to)).sourceId

const WRITES: readonly Capability[] = ['read_content', 'update_content']
const move = (id: string, parent: unknown, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('movePage', { path: { page_id: id }, body: { parent } })
const retrieve = async (id: string): Promise<JsonObject> => ({
  ...(await server.owner.call('retrievePage', { path: { page_id: id } })).body,
  request_id: null,
})
const listed = async (id: string): Promise<unknown[]> =>
  (await children(server.owner, id)).map((one) => (one['type'] === 'child_page' ? one['id'] : plainTexts([one])[0]))

describe('movePage', () => {
  it('200 with the page and all below it as the last child of the new parent; id, url and title stay', async () => {
    const page = await makePage(server.owner, 'Moving day', from, [paragraph('inside')])
    const sub = await makePage(server.owner, 'Below', page)
    const before = await retrieve(page)
    for (const [parent, type] of [
      [to.replaceAll('-', '').toUpperCase(), undefined],
      [from, 'page_id'],
      [to, 'page_id'],
    ] as const) {
      const { status, body } = await move(page, { page_id: parent, ...(type === undefined ? {} : { type }) })
      expect(status).toBe(200)
      expect({ ...body, last_edited_time: '', request_id: null }).toMatchObject({
        id: page,
        url: before['url'],
        properties: before['properties'] as object,
        created_time: before['created_time'],
        parent: { type: 'page_id', page_id: parent === from ? from : to },
      })
    }
    expect((await listed(to)).at(-1)).toBe(page)
    expect(await listed(from)).not.toContain(page)
    expect(await listed(page)).toStrictEqual(['inside', sub])
  })

  it('200 for a move from the top of the workspace, or from a block of a page onto the page itself', async () => {
    const top = await makePage(server.owner, 'Top')
    expect((await move(top, { page_id: to })).body).toMatchObject({ parent: { type: 'page_id', page_id: to } })
    const toggle = await appendOne(server.owner, to, { toggle: { rich_text: [] } })
    const page = await makePage(server.owner, 'Nested', to)
    await server.service.database.write((db) =>
      db.run(`update blocks set parent_type = 'block_id', parent_id = ? where id = ?`, toggle, page),
    )
    expect(await retrieve(page)).toMatchObject({ parent: { type: 'block_id', block_id: toggle } })
    expect((await move(page, { page_id: to })).body).toMatchObject({ parent: { type: 'page_id', page_id: to } })
    expect(await listed(toggle)).toStrictEqual([])
    expect((await listed(to)).at(-1)).toBe(page)
  })

  it('200 for the current parent, without a change of position or edit time', async () => {
    const page = await makePage(server.owner, 'Stays', from)
    await appendOne(server.owner, from, paragraph('behind'))
    const [before, order] = [await retrieve(page), await listed(from)]
    server.clock.advance(1000)
    expect((await move(page, { page_id: from })).status).toBe(200)
    expect(await retrieve(page)).toStrictEqual(before)
    expect(await listed(from)).toStrictEqual(order)
  })

  it('200 with the edit recorded on the page and both parents', async () => {
    const page = await makePage(server.owner, 'Stamped', from)
    const { caller, botId } = await makeConnection(server, { capabilities: WRITES, grants: [from, to] })
    server.clock.advance(1000)
    await move(page, { page_id: to }, caller)
    const stamp = { last_edited_time: new Date(server.clock.now()).toISOString(), last_edited_by: { object: 'user', id: botId } }
    for (const id of [page, from, to]) expect(await retrieve(id)).toMatchObject(stamp)
    server.clock.advance(1000)
    await move(page, { data_source_id: source }, caller)
    const later = { ...stamp, last_edited_time: new Date(server.clock.now()).toISOString() }
    for (const id of [page, to]) expect(await retrieve(id)).toMatchObject(later)
  })

  it('200 with visibility for connections that follows the new parent immediately', async () => {
    const page = await makePage(server.owner, 'Seen', from)
    const { caller } = await makeConnection(server, { capabilities: WRITES, grants: [to] })
    const look = async (): Promise<number> => (await caller.call('retrievePage', { path: { page_id: page } })).status
    expect(await look()).toBe(404)
    await move(page, { page_id: to })
    expect(await look()).toBe(200)
    await move(page, { page_id: from })
    expect(await look()).toBe(404)
  })

  it('200 with a partial page when the caller may not read content', async () => {
    const page = await makePage(server.owner, 'Partial', from)
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [from, to] })
    expect((await move(page, { page_id: to }, caller)).body).toStrictEqual({
      object: 'page',
      id: page,
      request_id: expect.any(String) as string,
    })
  })

  it.each(['2025-09-03', '2022-06-28', '2021-05-11'])('200 at version %s, in the form of that version', async (version) => {
    const page = await makePage(server.owner, 'Older', from)
    const { status, body } = await move(page, { type: 'page_id', page_id: to }, server.caller(TOKEN, version))
    expect([status, body]).toMatchObject([200, { parent: { type: 'page_id', page_id: to }, archived: false }])
  })

  describe('400 validation_error for', () => {
    it.each<[string, unknown, string]>([
      ['no parent', {}, 'body.parent'],
      ['a null parent', { parent: null }, 'body.parent'],
      ['a parent of an unknown kind', { parent: {} }, 'body.parent.page_id'],
      [
        'a parent of two kinds',
        { parent: { page_id: randomUUID(), data_source_id: randomUUID() } },
        'body.parent.data_source_id',
      ],
      ['the workspace as parent', { parent: { workspace: true } }, 'body.parent.workspace'],
      ['a database as parent', { parent: { database_id: randomUUID() } }, 'body.parent.database_id'],
      ['a block as parent', { parent: { block_id: randomUUID() } }, 'body.parent.block_id'],
      ['a malformed id', { parent: { page_id: 'x' } }, 'body.parent.page_id'],
      ['a null id', { parent: { page_id: null } }, 'body.parent.page_id'],
      ['a type that differs from the key', { parent: { type: 'data_source_id', page_id: randomUUID() } }, 'body.parent.type'],
      ['an unknown key', { parent: { page_id: randomUUID() }, position: { type: 'page_start' } }, 'body.position'],
    ])('%s', async (_name, body, location) => {
      expectInvalid(await server.owner.call('movePage', { path: { page_id: from }, body }), location)
    })

    it('a target that is the page itself or below the page', async () => {
      const page = await makePage(server.owner, 'Outer', from)
      let deepest = page
      for (let depth = 0; depth < 5; depth += 1) deepest = await makePage(server.owner, `Level ${depth}`, deepest)
      const before = await snapshot(server.owner, from)
      for (const target of [page, deepest]) expectInvalid(await move(page, { page_id: target }), 'body.parent.page_id')
      expect(await snapshot(server.owner, from)).toBe(before)
    })

    it('an id of another kind, naming the kind', async () => {
      const block = await appendOne(server.owner, from, paragraph('x'))
      for (const [id, kind] of [
        [block, 'block'],
        [exampleWorkspace.repairLog, 'database'],
      ] as const) {
        expectInvalid(await move(id, { page_id: to }), 'path.page_id')
        expectInvalid(await move(id, { page_id: to }), kind)
      }
      const page = await makePage(server.owner, 'Mover', from)
      expectInvalid(await move(page, { page_id: block }), 'body.parent.page_id')
      expectInvalid(await move('x', { page_id: to }), 'path.page_id')
    })

    it('a page or target in the trash or below a page in the trash', async () => {
      const [outer, live] = [await makePage(server.owner, 'Outer'), await makePage(server.owner, 'Live', from)]
      const inner = await makePage(server.owner, 'Inner', outer)
      await server.owner.call('deleteBlock', { path: { block_id: outer } })
      for (const id of [outer, inner]) {
        for (const target of [{ page_id: to }, { data_source_id: source }]) expectInvalid(await move(id, target), 'path.page_id')
        expectInvalid(await move(live, { page_id: id }), 'body.parent.page_id')
      }
      expect(await retrieve(live)).toMatchObject({ parent: { page_id: from } })
    })
  })

  it('401 unauthorized without a token', async () => {
    expectError(await move(from, { page_id: to }, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to update content, even if the page is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'insert_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    for (const id of [from, randomUUID()])
      expectError(await move(id, { page_id: to }, caller), 403, 'restricted_resource', 'update_content')
  })

  it('403 restricted_resource for a member who may only read the page or its new parent', async () => {
    const [page, other] = [await makePage(server.owner, 'Page', from), await makePage(server.owner, 'Other')]
    const tomas = exampleWorkspace.people[1].id
    const { token } = await server.service.database.write(async (db) => {
      await setMemberAccess(db, exampleWorkspace.workspace.id, other, tomas, 'read', server.clock.now())
      return createPersonalToken(db, { workspaceId: exampleWorkspace.workspace.id, personId: tomas }, server.clock.now())
    })
    const caller = server.caller(token)
    expectError(await move(page, { page_id: other }, caller), 403, 'restricted_resource', other)
    for (const target of [{ page_id: page }, { data_source_id: source }])
      expectError(await move(other, target, caller), 403, 'restricted_resource', other)
    expect((await move(page, { page_id: to }, caller)).status).toBe(200)
  })

  it('404 object_not_found when the page or parent is missing or not shared', async () => {
    const page = await makePage(server.owner, 'Own', from)
    const { caller } = await makeConnection(server, { capabilities: WRITES, grants: [page] })
    const ghost = randomUUID()
    for (const id of [ghost, to]) {
      expectNotFound(await move(id, { page_id: page }, caller), id)
      expectNotFound(await move(page, { page_id: id }, caller), id)
    }
    expect(await retrieve(page)).toMatchObject({ parent: { page_id: from } })
  })

  it('200 for one of two concurrent moves that would create a cycle, and 400 for the other', async () => {
    const [left, right] = [await makePage(server.owner, 'Left', from), await makePage(server.owner, 'Right', from)]
    const responses = await Promise.all([move(left, { page_id: right }), move(right, { page_id: left })])
    expect(responses.map(({ status }) => status).sort()).toStrictEqual([200, 400])
    expect([idOf(await retrieve(left)), idOf(await retrieve(right))]).toStrictEqual([left, right])
  })
})
