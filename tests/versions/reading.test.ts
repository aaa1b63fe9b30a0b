import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import { newId } from '../../server/kernel/ids.ts'
import { insertBlocks } from '../../server/store/blocks.ts'
import { insertPage } from '../../server/store/pages.ts'
import type { CallParts } from '../harness/caller.ts'
import { commentOn } from '../harness/comments.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, block, makePage, paragraph, text } from '../harness/content.ts'
import { makeDatabase } from '../harness/databases_content.ts'
import { at, idOf, isObject, resultsOf, type Json, type JsonObject } from '../harness/json.ts'
import { until } from '../harness/process.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { stopped } from '../harness/sessions.ts'
import { makeView } from '../harness/views.ts'
import { anyBlock, BLOCK_TYPES, blockOf, readAt, TEXT_TYPES, without } from './blocks.ts'

const server = await serverOfFile()

/** The response of an operation at a version, without the request id. */
async function read(version: string, operation: OperationId, parts: CallParts): Promise<JsonObject> {
  const response = await server.caller(TOKEN, version).call(operation, parts)
  expect([version, response.status]).toStrictEqual([version, 200])
  expect(response.headers['service-version']).toBe(version)
  return without(response.body, 'request_id')
}

async function expectAtAllVersions(operation: OperationId, parts: CallParts): Promise<void> {
  const newest = await read('2026-03-11', operation, parts)
  expectNoOldNames(newest)
  for (const version of releaseDates) expect(await read(version, operation, parts)).toStrictEqual(readAt(version, newest))
}

/** Expects that a value has no names that the newest responses never contain. */
function expectNoOldNames(value: Json): void {
  if (Array.isArray(value)) value.forEach(expectNoOldNames)
  if (!isObject(value)) return
  expect(Object.keys(value)).not.toContain('archived')
  expect(Object.keys(value)).not.toContain('transcription')
  for (const [key, inner] of Object.entries(value)) {
    if (TEXT_TYPES.includes(key) && isObject(inner)) expect(Object.keys(inner)).not.toContain('text')
    expectNoOldNames(inner)
  }
}

describe('every version reads the same record:', () => {
  it.each(BLOCK_TYPES)('block: %s', async (type) => {
    const page = await makePage(server.owner)
    const [sample] = fc.sample(blockOf(type), { numRuns: 1, seed: 7 })
    const [made] = await append(server.owner, page, [sample ?? {}])
    await expectAtAllVersions('retrieveBlock', { path: { block_id: idOf(made) } })
  })

  it('any blocks, one by one and as a list', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyBlock, { minLength: 1, maxLength: 5 }), async (blocks) => {
        const page = await makePage(server.owner)
        const [first] = await append(server.owner, page, blocks)
        await expectAtAllVersions('listBlockChildren', { path: { block_id: page } })
        await expectAtAllVersions('retrieveBlock', { path: { block_id: idOf(first) } })
      }),
      { numRuns: 12 },
    )
  })

  it('a trashed block and a trashed page', async () => {
    const page = await makePage(server.owner)
    const [made] = await append(server.owner, page, [paragraph('x')])
    await server.owner.call('deleteBlock', { path: { block_id: idOf(made) } })
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    await expectAtAllVersions('retrieveBlock', { path: { block_id: idOf(made) } })
    await expectAtAllVersions('retrievePage', { path: { page_id: page } })
    expect(await read('2025-09-03', 'retrievePage', { path: { page_id: page } })).toMatchObject({
      archived: true,
      in_trash: true,
      is_archived: false,
    })
  })

  it('a page with icon, cover and title', async () => {
    const { body } = await server.owner.call('createPage', {
      body: {
        properties: { title: [text('Plan')] },
        icon: { type: 'emoji', emoji: '⛵' },
        cover: { external: { url: 'https://example.org/a.png' } },
      },
    })
    await expectAtAllVersions('retrievePage', { path: { page_id: idOf(body) } })
  })

  it('users, custom emojis and the caller', async () => {
    await expectAtAllVersions('listUsers', {})
    await expectAtAllVersions('retrieveMe', {})
    await expectAtAllVersions('retrieveUser', { path: { user_id: exampleWorkspace.bot.id } })
    await expectAtAllVersions('listCustomEmojis', {})
  })

  it('comments, views, agents, sessions, tasks and Markdown, which no version changes', async () => {
    const page = await makePage(server.owner)
    await append(server.owner, page, [paragraph('Low water at noon')])
    const comment = idOf(await commentOn(server.owner, page))
    const elsewhere = await makePage(server.owner)
    const view = idOf(await makeView(server.owner, await makeDatabase(server.owner, elsewhere)))
    const agent = exampleWorkspace.agents.partsScout
    const message = { agent_id: agent, message: 'Which bolts?' }
    const session = idOf((await server.owner.call('createSession', { body: message })).body)
    await stopped(server.owner, session)
    const rewritten = { type: 'replace_content', replace_content: { new_str: 'High water' }, allow_async: true }
    const { body } = await server.owner.call('updatePageMarkdown', { path: { page_id: page }, body: rewritten })
    const task = idOf(body)
    await until(async () => {
      const { body: now } = await server.owner.call('retrieveAsyncTask', { path: { task_id: task } })
      expect(now['error']).toBeUndefined()
      return now['status'] === 'succeeded' || undefined
    })
    const records: [OperationId, CallParts][] = [
      ['retrieveComment', { path: { comment_id: comment } }],
      ['retrieveView', { path: { view_id: view } }],
      ['retrieveAgent', { path: { agent_id: agent } }],
      ['retrieveSession', { path: { session_id: session } }],
      ['retrieveAsyncTask', { path: { task_id: task } }],
      ['retrievePageMarkdown', { path: { page_id: page } }],
    ]
    const lists: [OperationId, CallParts][] = [
      ['listComments', { query: { block_id: page } }],
      ['listAgents', {}],
      ['querySessions', { body: {} }],
      ['querySessionEvents', { path: { session_id: session }, body: {} }],
    ]
    const envelope = ({ object, results, has_more: hasMore, next_cursor: cursor }: JsonObject): unknown[] => [
      ...[object, results, hasMore, cursor === null],
    ]
    for (const [operation, parts] of [...records, ...lists]) {
      const isList = lists.some(([id]) => id === operation)
      const shown = (one: JsonObject): unknown => (isList ? envelope(one) : one)
      const newest = shown(await read('2026-03-11', operation, parts))
      const { available }: Operation = operations[operation]
      for (const version of releaseDates.filter((date) => date >= (available.from ?? '')))
        expect([operation, version, shown(await read(version, operation, parts))]).toStrictEqual([operation, version, newest])
    }
  })

  it('partial records, which never had the changed keys', async () => {
    const page = await makePage(server.owner)
    const { token } = await makeConnection(server, { capabilities: ['insert_content'], grants: [page] })
    for (const version of ['2021-08-16', '2022-06-28', '2025-09-03']) {
      const response = await server
        .caller(token, version)
        .call('appendBlockChildren', { path: { block_id: page }, body: { children: [{ divider: {} }] } })
      expect(resultsOf(response.body).map((result) => Object.keys(result))).toStrictEqual([['object', 'id']])
    }
  })
})

describe('D1 parents of pages', () => {
  /** A page inside a block: no operation creates one yet, so the test uses the store. */
  async function pageInBlock(around: string, holder: string): Promise<string> {
    const id = newId()
    await server.service.database.write(async (db) => {
      await insertBlocks(db, exampleWorkspace.workspace.id, [
        {
          id,
          type: 'child_page',
          parentType: 'block_id',
          parentId: holder,
          pageId: around,
          rank: 'a0',
          content: { title: [] },
          createdTime: server.clock.now(),
          createdBy: exampleWorkspace.bot.id,
        },
      ])
      await insertPage(db, exampleWorkspace.workspace.id, id, { icon: null, cover: null, isLocked: false, isArchived: false })
    })
    return id
  }

  it('name the page around the block before 2022-06-28, and the block since; blocks always name their direct parent', async () => {
    const page = await makePage(server.owner)
    const [outer] = await append(server.owner, page, [block('toggle', 'outer', { children: [block('toggle', 'inner')] })])
    const { body } = await server.owner.call('listBlockChildren', { path: { block_id: idOf(outer) } })
    const holder = idOf(resultsOf(body)[0])
    const inside = await pageInBlock(page, holder)
    for (const version of releaseDates) {
      const parent = version < '2022-06-28' ? { type: 'page_id', page_id: page } : { type: 'block_id', block_id: holder }
      expect(at(await read(version, 'retrievePage', { path: { page_id: inside } }), 'parent')).toStrictEqual(parent)
      expect(at(await read(version, 'updatePage', { path: { page_id: inside }, body: {} }), 'parent')).toStrictEqual(parent)
      expect(at(await read(version, 'retrieveBlock', { path: { block_id: inside } }), 'parent')).toStrictEqual({
        type: 'block_id',
        block_id: holder,
      })
      expect(at(await read(version, 'retrieveBlock', { path: { block_id: holder } }), 'parent')).toStrictEqual({
        type: 'block_id',
        block_id: idOf(outer),
      })
    }
  })
})
