import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import type { TestResponse } from '../harness/responses.ts'
import { append, block, children, makePage, paragraph, text } from '../harness/content.ts'
import { makeMember } from '../harness/connections.ts'
import { makeDatabase, makeRow, valuesOf } from '../harness/databases_content.ts'
import { expectInvalid, expectNotFound } from '../harness/expectations.ts'
import { idOf, resultsOf, type JsonObject } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { disclosed } from './support/border_disclosed.ts'

/**
 * A page that a member may edit, with pages and databases on it that are closed to the member: the member's changes leave them alone, and
 * responses do not reveal them.
 */

const { id: workspaceId } = exampleWorkspace.workspace
const server = await serverOfFile()
const member = await makeMember(server, exampleWorkspace.people[2].id)

const close = (...ids: string[]): Promise<void> =>
  server.service.database.write(async (db) => {
    for (const id of ids) await setMemberAccess(db, workspaceId, id, exampleWorkspace.people[2].id, 'none', server.clock.now())
  })

interface Page {
  readonly id: string
  readonly toggle: string
  readonly heading: string
  readonly open: string
  /** A page and a database on the page, and a page in each of its two blocks. */
  readonly closed: readonly string[]
  readonly inBlocks: readonly string[]
}

/** @param hasClosed false for an identical page without the closed objects */
async function makeScene(hasClosed: boolean): Promise<Page> {
  const { owner } = server
  const heading = { heading_2: { rich_text: [text('Heading')], is_toggleable: true } }
  const id = await makePage(owner, 'Scene', undefined, [paragraph('first'), block('toggle', 'Toggle'), heading])
  const [, toggle = '', headingId = ''] = (await children(owner, id)).map(idOf)
  const scene = { id, toggle, heading: headingId, open: await makePage(owner, 'Open', id) }
  if (!hasClosed) return { ...scene, closed: [], inBlocks: [] }
  const pages: string[] = []
  for (const title of ['Closed', 'In toggle', 'In heading']) pages.push(await makePage(owner, title, id, [paragraph('kept')]))
  const [direct = '', ...inBlocks] = pages
  // Requests would place a page in a block only by Markdown; this takes fewer steps.
  await server.service.database.write(async (db) => {
    for (const [index, parent] of [toggle, headingId].entries())
      await db.run(`update blocks set parent_type = 'block_id', parent_id = ? where id = ?`, parent, inBlocks[index] ?? '')
  })
  const closed = [direct, (await makeDatabase(owner, id)).id]
  await close(...closed, ...inBlocks)
  return { ...scene, closed, inBlocks }
}

async function scenes(): Promise<{ scene: Page; twin: Page }> {
  return { scene: await makeScene(true), twin: await makeScene(false) }
}

const bodyOf = async (id: string): Promise<JsonObject> => ({
  ...(await server.owner.call('retrieveBlock', { path: { block_id: id } })).body,
  request_id: null,
})
const bodiesOf = (ids: readonly string[]): Promise<JsonObject[]> => Promise.all(ids.map(bodyOf))

type Change = (page: Page) => Promise<TestResponse>
const erase: Change = ({ id }) => member.call('updatePage', { path: { page_id: id }, body: { erase_content: true } })
const replace =
  (new_str: string, more: object = {}): Change =>
  ({ id }) =>
    member.call('updatePageMarkdown', {
      path: { page_id: id },
      body: { type: 'replace_content', replace_content: { new_str, ...more } },
    })
const list =
  (query: Record<string, string>): Change =>
  ({ id }) =>
    member.call('listBlockChildren', { path: { block_id: id }, query })

describe('content closed to a member', () => {
  it.each<[string, Change]>([
    ['erase_content', erase],
    ['new Markdown for the whole page', replace('new', { allow_deleting_content: true })],
    ['empty Markdown', replace('', { allow_deleting_content: true })],
  ])('is kept by %s, which deletes the rest', async (_name, change) => {
    const scene = await makeScene(true)
    const [before, inside] = [await bodiesOf(scene.closed), await bodiesOf(scene.inBlocks)]
    server.clock.advance(1_000)
    expect((await change(scene)).status).toBe(200)
    expect(await bodiesOf(scene.closed)).toStrictEqual(before)
    // The blocks that contained these pages are deleted.
    const parent = { type: 'page_id', page_id: scene.id }
    expect(await bodiesOf(scene.inBlocks)).toStrictEqual(inside.map((body) => ({ ...body, parent })))
    expect(await bodyOf(scene.open)).toMatchObject({ in_trash: true })
    const left = (await children(server.owner, scene.id)).map(idOf)
    expect(left.filter((id) => [...scene.closed, ...scene.inBlocks].includes(id))).toHaveLength(4)
    const [first] = await children(member, scene.id)
    expect(first === undefined || first['type'] === 'paragraph').toBe(true)
  })

  it('is not named in the refusal of a Markdown update without permission to delete', async () => {
    const { scene, twin } = await scenes()
    const refused = await replace('new')(scene)
    expectInvalid(refused, 'body.replace_content.allow_deleting_content')
    for (const id of [...scene.closed, ...scene.inBlocks]) expect(refused.text).not.toContain(id)
    const words = refused.text.replaceAll(scene.open, '<open>')
    const { text: twinText, body } = await replace('new')(twin)
    expect(words.replace(String(refused.body['request_id']), '')).toBe(
      twinText.replaceAll(twin.open, '<open>').replace(String(body['request_id']), ''),
    )
  })

  it('is kept when a Markdown update without permission to delete removes all visible blocks but no visible page', async () => {
    const page = await makePage(server.owner, 'Only', undefined, [paragraph('a')])
    const closed = await makePage(server.owner, 'Closed', page)
    await close(closed)
    const before = await bodyOf(closed)
    server.clock.advance(1_000)
    const change = { id: page } as Page
    expect((await replace('b')(change)).status).toBe(200)
    expect(await bodyOf(closed)).toStrictEqual(before)
    await erase(change)
    const { last_edited_time: edited } = await bodyOf(page)
    server.clock.advance(1_000)
    // Repeating the change erases nothing more.
    await erase(change)
    expect([await bodyOf(closed), (await bodyOf(page))['last_edited_time']]).toStrictEqual([before, edited])
  })

  it.each<[string, Change]>([
    ['erasing', erase],
    ['a list of one page', list({})],
    ['a list of several pages', list({ page_size: '4' })],
    ['retrieving its parent block', ({ toggle }) => member.call('retrieveBlock', { path: { block_id: toggle } })],
    ['retrieving its parent page', ({ id }) => member.call('retrieveBlock', { path: { block_id: id } })],
    [
      'a heading that stops being a toggle',
      ({ heading: block_id }) =>
        member.call('updateBlock', { path: { block_id }, body: { heading_2: { is_toggleable: false } } }),
    ],
    [
      'inserting a block above it',
      ({ id, heading }) =>
        member.call('appendBlockChildren', {
          path: { block_id: id },
          body: { children: [paragraph('x')], position: { type: 'after_block', after_block: { id: heading } } },
        }),
    ],
  ])('is not disclosed by %s', async (_name, change) => {
    const { scene, twin } = await scenes()
    const [one, other] = [await change(scene), await change(twin)]
    expect(one.status).toBe(200)
    expect(disclosed(one, scene.id)).toBe(disclosed(other, twin.id))
  })

  it('is omitted from the siblings in the response to an append', async () => {
    const { scene } = await scenes()
    const position = { type: 'start' }
    const found = (await append(member, scene.id, [paragraph('x')], { position })).map(idOf)
    expect(found).toHaveLength(5)
    expect(found).toContain(scene.open)
    expect(found.filter((id) => scene.closed.includes(id))).toEqual([])
  })

  it('is trashed, restored and moved with its parent', async () => {
    const { scene } = await scenes()
    const [inToggle = ''] = scene.inBlocks
    await member.call('deleteBlock', { path: { block_id: scene.toggle } })
    expect(await bodyOf(inToggle)).toMatchObject({ in_trash: true, parent: { block_id: scene.toggle } })
    await member.call('updateBlock', { path: { block_id: scene.toggle }, body: { in_trash: false } })
    const target = await makePage(server.owner, 'Target')
    const body = { parent: { page_id: target } }
    expect((await member.call('movePage', { path: { page_id: scene.id }, body })).status).toBe(200)
    for (const id of scene.closed) expectNotFound(await member.call('retrieveBlock', { path: { block_id: id } }), id)
    expect((await children(server.owner, scene.toggle)).map(idOf)).toEqual([inToggle])
  })

  it('cannot be commented on, while a comment on an open page joins the oldest discussion there', async () => {
    const { scene } = await scenes()
    const comment = async (page: string): Promise<TestResponse> =>
      member.call('createComment', { body: { parent: { page_id: page }, rich_text: [text('x')] } })
    const { body } = await server.owner.call('createComment', {
      body: { parent: { page_id: scene.open }, rich_text: [text('first')] },
    })
    expect((await comment(scene.open)).body).toMatchObject({ discussion_id: body['discussion_id'] })
    const [closed = ''] = scene.closed
    expectNotFound(await comment(closed), closed)
  })
})

describe('guests of other pages', () => {
  it('are not found by email when a text column becomes a people column', async () => {
    const now = server.clock.now()
    const emails = ['hidden', 'seen'].map((name) => `${name}-${randomUUID()}@guests.example`)
    const [, seen] = await server.service.database.write(async (db) => {
      const ids: string[] = []
      for (const email of emails) ids.push(await createPerson(db, { workspaceId, email, name: 'Guest', role: 'guest' }, now))
      return ids
    })
    const page = await makePage(server.owner)
    const { sourceId } = await makeDatabase(server.owner, page, { Who: { rich_text: {} } })
    await server.service.database.write((db) => setMemberAccess(db, workspaceId, page, seen ?? '', 'read', now))
    const who = [text([...emails, 'nobody@guests.example', exampleWorkspace.people[0].email].join(', '))]
    const row = idOf(await makeRow(server.owner, sourceId, { Who: { rich_text: who } }))
    const body = { properties: { Who: { people: {} } } }
    expect((await member.call('updateDataSource', { path: { data_source_id: sourceId }, body })).status).toBe(200)
    const found = (await valuesOf(server.owner, row))['Who'] as JsonObject[]
    expect(found.map(({ id }) => id).toSorted()).toEqual([seen, exampleWorkspace.people[0].id].toSorted())
    expect(resultsOf((await member.call('queryDataSource', { path: { data_source_id: sourceId }, body: {} })).body)).toHaveLength(
      1,
    )
  })
})
