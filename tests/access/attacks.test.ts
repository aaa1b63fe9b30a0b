import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import type { TestResponse } from '../harness/responses.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import { append, appendOne, children, makePage, paragraph } from '../harness/content.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { exampleCall, ghostPath, GHOST, idParameters, servedWith, takesForm } from '../harness/every_operation.ts'
import { expectError, expectNotFound } from '../harness/expectations.ts'
import { png, upload } from '../harness/files.ts'
import { idOf } from '../harness/json.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { EVERYTHING } from '../harness/oauth.ts'

/** Attacks with a valid token that lacks the right, and contradictory requests. */

const server = await serverOfFile()
const workspaceId = await server.service.database.write((db) => createWorkspace(db, 'Rival yard', server.clock.now()))
/** A caller that sees all of another workspace. */
const stranger = (await makeConnection(server, { capabilities: EVERYTHING, workspaceId, grants: [workspaceId] })).caller
const own = await makePage(stranger, 'Rival plans')

describe('callers of another workspace', () => {
  it('404 for each object of the example workspace, with the same response, except for ids, as for a missing object', async () => {
    for (const operation of servedWith('bearer', 'connection').filter((one) => idParameters(one).length > 0 && !takesForm(one))) {
      const disclosed = async (path: Record<string, string>): Promise<string> => {
        const { text, body } = await stranger.call(operation.id, { ...exampleCall(operation), path })
        const ids = [String(body['request_id']), ...Object.values(path)]
        return ids.reduce((left, id) => left.replaceAll(id, '<id>'), text)
      }
      const hidden = await disclosed(exampleCall(operation).path)
      expect([operation.id, hidden]).toEqual([operation.id, await disclosed(ghostPath(operation))])
      expect(hidden, operation.id).toContain('"status":404')
    }
  })

  it('404 for each reference in a body to an object of the example workspace', async () => {
    const upload_ = await upload(server.owner, png, 'dock.png')
    const { id: databaseId, sourceId } = await makeDatabase(server.owner, exampleWorkspace.pages.handbook)
    const ours = await makeDatabase(stranger, own, { Any: { people: {} } })
    const row = idOf(await makeRow(stranger, ours.sourceId))
    const original = await appendOne(server.owner, exampleWorkspace.pages.handbook, { synced_block: { synced_from: null } })
    const write = (child: object): Promise<TestResponse> =>
      stranger.call('appendBlockChildren', { path: { block_id: own }, body: { children: [child] } })
    const mention = (what: object): object => ({ paragraph: { rich_text: [{ mention: what }] } })
    const page = { id: exampleWorkspace.pages.handbook }
    const attempts: readonly (readonly [id: string, attempt: () => Promise<TestResponse>])[] = [
      [page.id, () => stranger.call('createPage', { body: { parent: { page_id: page.id } } })],
      [databaseId, () => stranger.call('createPage', { body: { parent: { database_id: databaseId } } })],
      [sourceId, () => stranger.call('createPage', { body: { parent: { data_source_id: sourceId } } })],
      [page.id, () => stranger.call('movePage', { path: { page_id: own }, body: { parent: { page_id: page.id } } })],
      [page.id, () => stranger.call('createDatabase', { body: { parent: { page_id: page.id } } })],
      [
        sourceId,
        () =>
          stranger.call('updateDataSource', {
            path: { data_source_id: ours.sourceId },
            body: { properties: { To: { relation: { data_source_id: sourceId, single_property: {} } } } },
          }),
      ],
      [
        exampleWorkspace.people[0].id,
        () =>
          stranger.call('updatePage', {
            path: { page_id: row },
            body: { properties: { Any: { people: [{ id: exampleWorkspace.people[0].id }] } } },
          }),
      ],
      [page.id, () => write(mention({ page }))],
      [databaseId, () => write(mention({ database: { id: databaseId } }))],
      [exampleWorkspace.people[0].id, () => write(mention({ user: { id: exampleWorkspace.people[0].id } }))],
      [page.id, () => write({ link_to_page: { page_id: page.id } })],
      [original, () => write({ synced_block: { synced_from: { block_id: original } } })],
      [upload_, () => write({ image: { file_upload: { id: upload_ } } })],
      [
        page.id,
        () =>
          stranger.call('createPage', {
            body: { parent: { page_id: own }, template: { type: 'template_id', template_id: page.id } },
          }),
      ],
      [
        page.id,
        () => stranger.call('createComment', { body: { parent: { page_id: page.id }, rich_text: [{ text: { content: 'x' } }] } }),
      ],
    ]
    for (const [id, attempt] of attempts) expectNotFound(await attempt(), id)
  })
})

describe('a page that is hidden from the caller', () => {
  let hidden: string
  let open: string
  let copy: string
  beforeAll(async () => {
    hidden = await makePage(server.owner, 'Secret dock')
    open = await makePage(server.owner, 'Open dock', hidden)
    const original = await appendOne(server.owner, hidden, {
      synced_block: { synced_from: null, children: [paragraph('Secret depth')] },
    })
    const [mirror] = await append(server.owner, open, [
      { synced_block: { synced_from: { block_id: original } } },
      { link_to_page: { page_id: hidden } },
      { paragraph: { rich_text: [{ mention: { page: { id: hidden } } }] } },
    ])
    copy = idOf(mirror)
    await server.service.database.write(async (db) => {
      const now = server.clock.now()
      await setMemberAccess(db, exampleWorkspace.workspace.id, hidden, exampleWorkspace.people[1].id, 'none', now)
      await setMemberAccess(db, exampleWorkspace.workspace.id, open, exampleWorkspace.people[1].id, 'full', now)
    })
  })

  it('discloses only its id where visible content names it as parent, link, mention or synced original', async () => {
    const bot = (await makeConnection(server, { capabilities: EVERYTHING, grants: [open] })).caller
    for (const caller of [bot, await makeMember(server, exampleWorkspace.people[1].id)]) {
      const page = await caller.call('retrievePage', { path: { page_id: open } })
      expect(page.body['parent']).toEqual({ type: 'page_id', page_id: hidden })
      const list = await caller.call('listBlockChildren', { path: { block_id: open } })
      expect(list.status).toBe(200)
      expect(list.text.split(hidden).length).toBeGreaterThan(2)
      const markdown = await caller.call('retrievePageMarkdown', { path: { page_id: open } })
      const mirrored = await caller.call('listBlockChildren', { path: { block_id: copy } })
      expect((await children(server.owner, copy)).length).toBe(1)
      const found = await caller.call('search', { body: { query: 'Secret' } })
      for (const { text } of [page, list, markdown, mirrored, found]) expect(text).not.toContain('Secret')
      for (const id of [hidden, GHOST]) expectNotFound(await caller.call('retrievePage', { path: { page_id: id } }), id)
    }
  })
})

describe('ambiguous headers', () => {
  it('401 for two Authorization headers, which a proxy and the service might read differently', async () => {
    for (const Authorization of [
      [`Bearer ${TOKEN}`, 'Bearer itk_nobody_knows_this_token'],
      ['Bearer itk_nobody_knows_this_token', `Bearer ${TOKEN}`],
      [`Bearer ${TOKEN}`, `Bearer ${TOKEN}`],
    ])
      expectError(await server.owner.call('retrieveMe', { headers: { Authorization } }), 401, 'unauthorized')
  })

  it('400 for two content types', async () => {
    const headers = { 'Content-Type': ['application/json', 'text/plain'] }
    expectError(await server.owner.send('PATCH', `/v1/blocks/${GHOST}`, { headers, body: '{}' }), 400, 'invalid_json')
  })
})
