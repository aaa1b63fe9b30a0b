import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import type { Caller } from '../harness/caller.ts'
import { append, children, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { expectError, expectNotFound } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'

const tomas = exampleWorkspace.people[1]
const workspaceId = exampleWorkspace.workspace.id

const server = await serverOfFile()
const made = await server.service.database.write((db) =>
  createPersonalToken(db, { workspaceId, personId: tomas.id }, server.clock.now()),
)
const caller = server.caller(made.token)

function createPage(parent: object): ReturnType<Caller['call']> {
  return caller.call('createPage', { body: { parent, properties: { title: { title: [text('Below')] } } } })
}

describe('an access token, limited by the access of its member,', () => {
  const allow = (item: string, subject: string, level: 'none' | 'read' | 'edit' | 'full' | null): Promise<void> =>
    server.service.database.write((db) => setMemberAccess(db, workspaceId, item, subject, level, server.clock.now()))

  it('sees a page if the nearest access rule allows it, with a rule for the member before one for everybody', async () => {
    const top = await makePage(server.owner, 'Top')
    const middle = await makePage(server.owner, 'Middle', top)
    const low = await makePage(server.owner, 'Low', middle)
    const seen = async (): Promise<boolean[]> => {
      const statuses: boolean[] = []
      for (const id of [top, middle, low])
        statuses.push((await caller.call('retrievePage', { path: { page_id: id } })).status === 200)
      return statuses
    }
    expect(await seen()).toStrictEqual([true, true, true])
    await allow(top, 'everybody', 'none')
    expect(await seen()).toStrictEqual([false, false, false])
    await allow(middle, tomas.id, 'read')
    expect(await seen()).toStrictEqual([false, true, true])
    await allow(low, 'everybody', 'none')
    expect(await seen()).toStrictEqual([false, true, false])
    await allow(low, tomas.id, 'full')
    expect(await seen()).toStrictEqual([false, true, true])
    await allow(top, tomas.id, 'full')
    await allow(middle, tomas.id, null)
    expect(await seen()).toStrictEqual([true, true, true])
  })

  it('writes to a page only if the nearest access rule allows it', async () => {
    const top = await makePage(server.owner, 'Top')
    const low = await makePage(server.owner, 'Low', top)
    const written = async (): Promise<boolean[]> => {
      const statuses: boolean[] = []
      for (const id of [top, low]) {
        const { status } = await caller.call('updatePage', { path: { page_id: id }, body: { icon: { emoji: '⛵' } } })
        statuses.push(status === 200)
      }
      return statuses
    }
    await allow(top, 'everybody', 'full')
    await allow(top, tomas.id, 'read')
    expect(await written()).toStrictEqual([false, false])
    await allow(low, 'everybody', 'edit')
    expect(await written()).toStrictEqual([false, true])
    await allow(low, tomas.id, 'read')
    expect(await written()).toStrictEqual([false, false])
    await allow(low, tomas.id, null)
    await allow(top, tomas.id, null)
    expect(await written()).toStrictEqual([true, true])
  })

  it('lists no hidden blocks, shows no titles of hidden pages in mentions, and cannot mention hidden pages', async () => {
    const hidden = await makePage(server.owner, 'Secret plans')
    await allow(hidden, 'everybody', 'none')
    const open = await makePage(server.owner, 'Open')
    await append(server.owner, open, [{ paragraph: { rich_text: [{ mention: { page: { id: hidden } } }] } }])
    const response = await caller.call('listBlockChildren', { path: { block_id: open } })
    expect(response.text).not.toContain('Secret plans')
    expect(response.text).toContain(hidden)
    const [shown, closed] = [await makeDatabase(server.owner, open), await makeDatabase(server.owner, open)]
    await allow(closed.id, 'everybody', 'none')
    const listed = (await children(caller, open)).map(idOf)
    expect([shown.id, closed.id].map((id) => listed.includes(id))).toStrictEqual([true, false])
    const refused = await caller.call('appendBlockChildren', {
      path: { block_id: open },
      body: { children: [{ paragraph: { rich_text: [{ mention: { page: { id: hidden } } }] } }] },
    })
    expectNotFound(refused, hidden)
  })

  it('gets 403 restricted_resource for every write if the member may only read, after 404 and before state checks', async () => {
    const page = await makePage(server.owner, 'Look, do not touch')
    const [block] = await append(server.owner, page, [paragraph('x')])
    const writes: readonly (() => ReturnType<Caller['call']>)[] = [
      () => caller.call('updatePage', { path: { page_id: page }, body: { icon: { emoji: '⛵' } } }),
      () => caller.call('updatePage', { path: { page_id: page }, body: { in_trash: true } }),
      () => caller.call('updateBlock', { path: { block_id: idOf(block) }, body: { paragraph: { rich_text: [] } } }),
      () => caller.call('deleteBlock', { path: { block_id: idOf(block) } }),
      () => caller.call('appendBlockChildren', { path: { block_id: page }, body: { children: [paragraph('y')] } }),
      () => createPage({ page_id: page }),
    ]
    await allow(page, tomas.id, 'read')
    for (const write of writes) expectError(await write(), 403, 'restricted_resource')
    expect((await caller.call('retrieveBlock', { path: { block_id: idOf(block) } })).status).toBe(200)
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expectError(await createPage({ page_id: page }), 403, 'restricted_resource')
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: false } })
    await allow(page, tomas.id, 'edit')
    for (const write of [writes[0], writes[2], writes[4], writes[5], writes[3]]) expect((await write?.())?.status).toBe(200)
  })
})
