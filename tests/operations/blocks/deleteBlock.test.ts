import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { append, appendOne, block, children, makePage, paragraph, plainTexts, snapshot } from '../../harness/content.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const UNKNOWN = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

const server = await serverOfFile()

const remove = (id: string, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('deleteBlock', { path: { block_id: id } })
const restore = (id: string): ReturnType<typeof server.owner.call> =>
  server.owner.call('updateBlock', { path: { block_id: id }, body: { in_trash: false } })
const retrieve = async (id: string): Promise<Record<string, unknown>> =>
  (await server.owner.call('retrieveBlock', { path: { block_id: id } })).body
const textsBelow = async (id: string): Promise<string[]> => plainTexts(await children(server.owner, id))

describe('deleteBlock', () => {
  it('200 with the trashed block, its content and has_children; lists then omit the block', async () => {
    const page = await makePage(server.owner)
    const [toggle] = await append(server.owner, page, [
      block('toggle', 'old', { children: [paragraph('inside')] }),
      paragraph('stays'),
    ])
    server.clock.advance(1000)
    const { status, body } = await remove(idOf(toggle))
    expect(status).toBe(200)
    const time = new Date(server.clock.now()).toISOString()
    expect(body).toMatchObject({ ...toggle, in_trash: true, has_children: true, last_edited_time: time })
    expect(await textsBelow(page)).toStrictEqual(['stays'])
    expect(await textsBelow(idOf(toggle))).toStrictEqual(['inside'])
    expect((await server.owner.call('retrievePage', { path: { page_id: page } })).body['last_edited_time']).toBe(time)
  })

  it('200 for every kind of block, including pages, databases and blocks that only the service creates', async () => {
    const all = await children(server.owner, exampleWorkspace.pages.launchPlan)
    expect(all.length).toBeGreaterThanOrEqual(30)
    for (const one of all) {
      expect((await remove(idOf(one))).body, String(one['type'])).toMatchObject({ in_trash: true, type: one['type'] })
      expect((await restore(idOf(one))).body, String(one['type'])).toMatchObject({ in_trash: false })
    }
    const sub = await makePage(server.owner, 'Sub-page', exampleWorkspace.pages.handbook)
    expect((await remove(sub)).body).toMatchObject({ type: 'child_page', in_trash: true })
    expect((await server.owner.call('retrievePage', { path: { page_id: sub } })).body['in_trash']).toBe(true)
    expect((await remove(exampleWorkspace.repairLog)).body).toMatchObject({ type: 'child_database', in_trash: true })
    expect((await restore(exampleWorkspace.repairLog)).body).toMatchObject({ in_trash: false })
  })

  it('200 without a change of descendants, which are restored with the block', async () => {
    const page = await makePage(server.owner)
    const outer = await appendOne(
      server.owner,
      page,
      block('toggle', 'outer', { children: [paragraph('inner'), paragraph('gone before')] }),
    )
    const [inner, goneBefore] = await children(server.owner, outer)
    await remove(idOf(goneBefore))
    await remove(outer)
    expect((await retrieve(idOf(inner)))['in_trash']).toBe(true)
    expect((await children(server.owner, outer)).map((child) => child['in_trash'])).toStrictEqual([true])
    await restore(outer)
    expect((await retrieve(idOf(inner)))['in_trash']).toBe(false)
    expect((await children(server.owner, outer)).map((child) => child['in_trash'])).toStrictEqual([false])
    expect(await textsBelow(outer)).toStrictEqual(['inner'])
  })

  it('200, after which a restored block returns to its position, even if its neighbors are deleted', async () => {
    const page = await makePage(server.owner)
    const all = await append(
      server.owner,
      page,
      ['a', 'b', 'c', 'd', 'e'].map((name) => paragraph(name)),
    )
    for (const index of [1, 2, 3]) await remove(idOf(all[index]))
    await append(server.owner, page, [paragraph('new')], { position: { type: 'after_block', after_block: { id: idOf(all[0]) } } })
    await restore(idOf(all[2]))
    expect(await textsBelow(page)).toStrictEqual(['a', 'new', 'c', 'e'])
    await restore(idOf(all[1]))
    await restore(idOf(all[3]))
    expect(await textsBelow(page)).toStrictEqual(['a', 'new', 'b', 'c', 'd', 'e'])
  })

  it('200 for every column of a column list, even the last one', async () => {
    const page = await makePage(server.owner)
    const layout = await appendOne(server.owner, page, {
      column_list: { children: [{ column: { children: [] } }, { column: { children: [] } }] },
    })
    for (const one of await children(server.owner, layout)) expect((await remove(idOf(one))).status).toBe(200)
    expect(await retrieve(layout)).toMatchObject({ has_children: false, in_trash: false })
  })

  it('400 validation_error when the block is already in the trash', async () => {
    const page = await makePage(server.owner)
    const id = await appendOne(server.owner, page, paragraph('x'))
    await remove(id)
    const before = await retrieve(id)
    server.clock.advance(1000)
    expectInvalid(await remove(id), 'trash')
    expect(await retrieve(id)).toMatchObject({ last_edited_time: before['last_edited_time'] })
  })

  it('400 validation_error when an ancestor is in the trash', async () => {
    const page = await makePage(server.owner)
    const outer = await appendOne(server.owner, page, block('toggle', 'outer', { children: [paragraph('inner')] }))
    const [inner] = await children(server.owner, outer)
    await remove(page)
    expectInvalid(await remove(idOf(inner)), 'trash')
    expectInvalid(await remove(outer), 'trash')
    expect((await remove(page)).status).toBe(400)
  })

  it('400 validation_error when the id is malformed', async () => {
    expectInvalid(await remove('x'), 'path.block_id')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await remove(exampleWorkspace.pages.checklist, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to update content, even if the block is missing', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'insert_content'],
      grants: [exampleWorkspace.workspace.id],
    })
    const before = await snapshot(server.owner, exampleWorkspace.pages.checklist)
    for (const id of [UNKNOWN, exampleWorkspace.pages.checklist])
      expectError(await remove(id, caller), 403, 'restricted_resource', 'update_content')
    expect(await snapshot(server.owner, exampleWorkspace.pages.checklist)).toBe(before)
  })

  it('200 with a partial block when the caller may not read content', async () => {
    const id = await appendOne(server.owner, await makePage(server.owner), paragraph('x'))
    const { caller } = await makeConnection(server, { capabilities: ['update_content'], grants: [exampleWorkspace.workspace.id] })
    expect(Object.keys((await remove(id, caller)).body)).toStrictEqual(['object', 'id', 'request_id'])
  })

  it('404 object_not_found when the block is missing or not shared', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['update_content'] })
    for (const id of [UNKNOWN, exampleWorkspace.pages.checklist]) expectNotFound(await remove(id, caller), id)
  })
})
