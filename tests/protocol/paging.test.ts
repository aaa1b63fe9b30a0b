import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operations, type Operation } from '../../generated/operations.ts'
import { story } from '../../server/bootstrap/story.ts'
import { insertBlocks } from '../../server/store/blocks.ts'
import { insertComment, insertDiscussion } from '../../server/store/comments.ts'
import { updateContent } from '../../server/store/blocks.ts'
import { insertTemplate } from '../../server/store/data_source_templates.ts'
import { insertGrant } from '../../server/store/grants.ts'
import { insertEmoji } from '../../server/store/custom_emojis.ts'
import type { Transaction } from '../../server/store/database.ts'
import { insertPage } from '../../server/store/pages.ts'
import { insertUpload, type UploadRow } from '../../server/store/file_uploads.ts'
import { insertUser } from '../../server/store/users.ts'
import { insertView } from '../../server/store/views.ts'
import type { Answer } from '../harness/answers.ts'
import { makeConnection } from '../harness/connections.ts'
import { append, makePage, paragraph } from '../harness/content.ts'
import { engine } from '../harness/databases.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { idOf, textAt } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'
import { askForPage, cursorOf, itemsOf, OPAQUE, readAll, type PagedList, type PageOptions } from './support/paged_list.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const ITEMS = 105
/** Every item is the end of a page on one engine, and every fifth on the other. */
const SIZE_MIN = engine === 'sqlite' ? 1 : 5
/** A version that lists databases. */
const OLD = '2021-08-16'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Long list')
const emptyPage = await makePage(server.owner, 'Empty')
const titled = [await makePage(server.owner, 'Many pieces'), await makePage(server.owner, 'As many')]
for (const id of titled) {
  const pieces = Array.from({ length: ITEMS }, (_, index) => ({ type: 'text', text: { content: `${index} ` } }))
  await server.service.database.write((db) => updateContent(db, story.workspace.id, id, { title: pieces }))
}
const folder = await makePage(server.owner, 'Folder')
const made = await makeDatabase(server.owner, folder)
for (let index = 0; index < ITEMS; index += 1)
  await makeRow(server.owner, made.sourceId, { Name: { title: [{ text: { content: `Row ${index % 7}` } }] } })
for (const count of [60, ITEMS - 60])
  await append(
    server.owner,
    page,
    Array.from({ length: count }, (_, index) => paragraph(`Line ${index}`)),
  )
const databases = [await makeDatabase(server.owner, page), await makeDatabase(server.owner, page)]
for (const { id, sourceId } of databases) {
  await plantViews(id, sourceId)
  await plantTemplates(sourceId)
}
await shareDatabases()
const discussionId = randomUUID()
await server.service.database.write(async (db) => {
  await insertDiscussion(db, story.workspace.id, { id: discussionId, parentId: page }, server.clock.now())
  for (let index = 0; index < ITEMS; index += 1) {
    const now = server.clock.now() + Math.floor(index / 10) // several at the same moment
    const kind = index % 3 === 0 ? 'bot' : 'person'
    await insertUser(db, story.workspace.id, {
      id: randomUUID(),
      kind,
      name: `U ${index}`,
      avatar_url: null,
      email: null,
      role: kind === 'bot' ? null : 'member',
      connection_id: null,
      created_time: now,
    })
    await insertComment(
      db,
      story.workspace.id,
      {
        id: randomUUID(),
        discussionId,
        parentId: page,
        richText: [],
        displayName: { type: 'custom', name: 'C' },
        attachments: [],
        createdTime: now,
        createdBy: story.bot.id,
        connectionId: null,
        lastEditedTime: now,
      },
      true,
    )
    await addPage(db, `Pager ${index}`, now)
    await insertUpload(db, story.workspace.id, someUpload(now))
    await insertEmoji(
      db,
      story.workspace.id,
      { id: randomUUID(), name: `emoji_${index}`, url: 'https://workspace.example/emoji/x.png' },
      now,
    )
  }
})

/** Quicker than a request. */
async function addPage(db: Transaction, title: string, createdTime: number): Promise<void> {
  const id = randomUUID()
  const place = { parentType: 'page_id', parentId: folder, pageId: folder, rank: id } as const
  const content = { title: [{ type: 'text', text: { content: title } }] }
  await insertBlocks(db, story.workspace.id, [
    { id, type: 'child_page', ...place, content, createdTime, createdBy: story.bot.id },
  ])
  await insertPage(db, story.workspace.id, id, { icon: null, cover: null, isLocked: false, isArchived: false })
}

function someUpload(now: number): UploadRow {
  return {
    id: randomUUID(),
    actor_id: story.bot.id,
    actor_kind: 'bot',
    mode: 'single_part',
    status: 'pending',
    filename: null,
    content_type: null,
    type_is_given: 0,
    content_length: null,
    parts_total: null,
    parts_sent: 0,
    external_url: null,
    import_result: null,
    created_time: now,
    last_edited_time: now,
    expiry_due: null,
  }
}

/** Tabs of a database, several of which were made at the same moment. */
async function plantViews(databaseId: string, dataSourceId: string): Promise<void> {
  const settings = { filter: null, sorts: null, quickFilters: null, configuration: {} }
  await server.service.database.write(async (db) => {
    for (let index = 0; index < ITEMS; index += 1) {
      const createdTime = server.clock.now() + Math.floor(index / 10)
      await insertView(db, story.workspace.id, {
        id: randomUUID(),
        databaseId,
        dataSourceId,
        dashboardId: null,
        position: index + 1,
        type: 'table',
        name: `V ${index}`,
        settings,
        createdTime,
        createdBy: story.bot.id,
        lastEditedTime: createdTime,
        lastEditedBy: story.bot.id,
      })
    }
  })
}

/** Templates of a data source, several of which were made at the same moment. */
async function plantTemplates(sourceId: string): Promise<void> {
  const place = { parentType: 'data_source_id', parentId: sourceId, pageId: null } as const
  const made = { content: { title: [] }, createdTime: 1, createdBy: story.bot.id }
  await server.service.database.write(async (db) => {
    for (let index = 0; index < ITEMS; index += 1) {
      const id = randomUUID()
      await insertBlocks(db, story.workspace.id, [{ id, type: 'child_page', ...place, rank: id, ...made }])
      await insertTemplate(db, story.workspace.id, sourceId, { id, isDefault: false, createdTime: Math.floor(index / 10) })
    }
  })
}

/** Databases that are shared with the demo connection directly, several at the same moment. */
async function shareDatabases(): Promise<void> {
  const made = await Promise.all(Array.from({ length: ITEMS }, () => makeDatabase(server.owner, folder)))
  await server.service.database.write(async (db) => {
    for (const [index, { id }] of made.entries())
      await insertGrant(db, story.workspace.id, story.bot.id, id, Math.floor(index / 10))
  })
}

const lists: readonly PagedList[] = [
  {
    id: 'listBlockChildren',
    parts: () => ({ path: { block_id: page } }),
    other: () => ({ path: { block_id: emptyPage } }),
    cursor: OPAQUE,
  },
  {
    id: 'listComments',
    parts: () => ({ query: { block_id: page } }),
    other: () => ({ query: { block_id: emptyPage } }),
    cursor: UUID,
  },
  {
    id: 'retrievePageProperty',
    parts: () => ({ path: { page_id: titled[0] ?? '', property_id: 'title' } }),
    other: () => ({ path: { page_id: titled[1] ?? '', property_id: 'title' } }),
    cursor: OPAQUE,
    key: (item) => textAt(item, 'title', 'plain_text'),
  },
  {
    id: 'search',
    in: 'body',
    parts: () => ({ body: { query: 'pager' } }),
    other: () => ({ body: { query: 'page' } }),
    cursor: OPAQUE,
  },
  {
    id: 'listDatabaseViews',
    parts: () => ({ query: { database_id: databases[0]?.id ?? '' } }),
    other: () => ({ query: { database_id: databases[1]?.id ?? '' } }),
    cursor: UUID,
  },
  {
    id: 'listDatabaseViews',
    parts: () => ({ query: { data_source_id: databases[0]?.sourceId ?? '' } }),
    other: () => ({ query: { data_source_id: databases[1]?.sourceId ?? '' } }),
    cursor: UUID,
  },
  {
    id: 'queryDataSource',
    in: 'body',
    parts: () => ({ path: { data_source_id: made.sourceId }, body: { sorts: [{ property: 'Name', direction: 'descending' }] } }),
    other: () => ({ path: { data_source_id: made.sourceId }, body: {} }),
    cursor: OPAQUE,
  },
  {
    id: 'queryDatabase',
    in: 'body',
    parts: () => ({ path: { database_id: made.id }, body: {} }),
    other: () => ({ path: { database_id: made.id }, body: { filter: { or: [] } } }),
    cursor: OPAQUE,
  },
  {
    id: 'listDatabases',
    parts: () => ({ headers: { 'Service-Version': OLD } }),
    other: undefined,
    cursor: OPAQUE,
    versions: [OLD, '2021-05-13'],
  },
  {
    id: 'listDataSourceTemplates',
    items: 'templates',
    parts: () => ({ path: { data_source_id: databases[0]?.sourceId ?? '' } }),
    other: () => ({ path: { data_source_id: databases[1]?.sourceId ?? '' } }),
    cursor: UUID,
  },
  { id: 'listUsers', parts: () => ({}), other: undefined, cursor: OPAQUE },
  { id: 'listFileUploads', parts: () => ({}), other: () => ({ query: { status: 'uploaded' } }), cursor: UUID },
  { id: 'listCustomEmojis', parts: () => ({}), other: () => ({ query: { name: 'emoji_1' } }), cursor: UUID },
]

const ask = (list: PagedList, query: PageOptions, caller = server.owner, parts = list.parts()): Promise<Answer> =>
  askForPage(caller, list, query, parts)

describe.each(lists)('$id', (list) => {
  const where = list.in ?? 'query'

  it('200 holds 100 items unless page_size says otherwise, and the rest behind the cursor', async () => {
    const first = await ask(list, {})
    expect(itemsOf(list, first)).toHaveLength(100)
    expect(first.body['has_more']).toBe(true)
    const rest = await ask(list, { start_cursor: cursorOf(first) })
    expect(rest.body).toMatchObject({ has_more: false, next_cursor: null })
    const ids = [...itemsOf(list, first), ...itemsOf(list, rest)].map(list.key ?? idOf)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(ITEMS)
  })

  it('200 the same items in the same order for every page_size, which may change from page to page', async () => {
    const all = await readAll(server.owner, list, () => 100)
    for (const size of [SIZE_MIN, 7, 99]) expect(await readAll(server.owner, list, () => size)).toStrictEqual(all)
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.integer({ min: 1, max: 100 })), async (sizes) => {
        expect(await readAll(server.owner, list, () => sizes.next().value)).toStrictEqual(all)
      }),
      { numRuns: engine === 'sqlite' ? 5 : 2 },
    )
  })

  it('200 ends with the last item: a page that is just full has no cursor', async () => {
    const count = (await readAll(server.owner, list, () => 100)).length
    const first = await ask(list, { page_size: 100 })
    expect((await ask(list, { page_size: count - 100, start_cursor: cursorOf(first) })).body).toMatchObject({
      has_more: false,
      next_cursor: null,
    })
    expect((await ask(list, { page_size: count - 101, start_cursor: cursorOf(first) })).body['has_more']).toBe(true)
  })

  it('200 cursors are short texts that a URL can hold as they are', async () => {
    expect(cursorOf(await ask(list, { page_size: 1 }))).toMatch(list.cursor)
  })

  it.each(['0', '-1', '101', '2.5', 'ten', '', '1e1', '0x10', ' 5', '99999999999999999999'])('400 page_size %j', async (size) => {
    expectInvalid(await ask(list, { page_size: size }), `${where}.page_size`)
  })

  if (where === 'query')
    it('400 page_size or start_cursor given twice', async () => {
      const { path, headers } = list.parts()
      expectInvalid(
        await server.owner.call(list.id, {
          ...(path ? { path } : {}),
          ...(headers ? { headers } : {}),
          query: 'page_size=1&page_size=2',
        }),
        `${where}.page_size`,
      )
      expectInvalid(
        await server.owner.call(list.id, {
          ...(path ? { path } : {}),
          ...(headers ? { headers } : {}),
          query: 'start_cursor=a&start_cursor=b',
        }),
        `${where}.start_cursor`,
      )
    })

  if (where === 'body')
    it('200 a cursor of null is none at all', async () => {
      const { path, body } = list.parts()
      const first = await ask(list, { page_size: 3 })
      const again = await server.owner.call(list.id, {
        ...(path ? { path } : {}),
        body: { ...(body as object), page_size: 3, start_cursor: null },
      })
      expect(itemsOf(list, again)).toStrictEqual(itemsOf(list, first))
    })

  if (where === 'body')
    it('400 page_size in the query, ignored before 2021-08-16', async () => {
      const inQuery = (version: string): Promise<Answer> =>
        server.owner.call(list.id, { ...list.parts(), query: { page_size: 2 }, headers: { 'Service-Version': version } })
      const answer = await inQuery('2026-03-11')
      expectInvalid(answer, 'query.page_size')
      expect(answer.body['message']).toContain('query.page_size should be not present')
      const { available }: Operation = operations[list.id]
      if (available.from === undefined) expect((await inQuery('2021-05-13')).status).toBe(200)
    })

  it.each<[string, (good: string) => string]>([
    ['empty', () => ''],
    ['the word null', () => 'null'],
    ['some text', () => 'a-b_c'],
    ['an id', () => randomUUID()],
    ['cut off', (good) => good.slice(0, -1)],
    ['with something behind it', (good) => `${good}A`],
    ['with a changed character', (good) => `${good.startsWith('a') ? 'b' : 'a'}${good.slice(1)}`],
    ['with a blank', (good) => ` ${good}`],
    ['of 1,001 characters', () => 'A'.repeat(1001)],
    ['with a zero byte', (good) => `${good}\0`],
    ['with a smile', () => '🙂'],
  ])('400 a cursor that is %s', async (_what, spoil) => {
    const good = cursorOf(await ask(list, { page_size: 1 }))
    expectError(await ask(list, { start_cursor: spoil(good) }), 400, 'validation_error')
    expect((await ask(list, { start_cursor: spoil(good) })).body['message']).toContain(`${where}.start_cursor`)
  })

  it('400 the cursor of another list', async () => {
    for (const stranger of lists) {
      if (stranger.id === list.id) continue
      expectInvalid(await ask(list, { start_cursor: cursorOf(await ask(stranger, { page_size: 1 })) }), `${where}.start_cursor`)
    }
  })

  if (list.other)
    it('400 the cursor of the same list with another target or parameter', async () => {
      expectInvalid(
        await ask(list, { start_cursor: cursorOf(await ask(list, { page_size: 1 })) }, server.owner, list.other?.()),
        `${where}.start_cursor`,
      )
    })

  it('400 the cursor of another caller; 200 that of the same bot with another token', async () => {
    const { caller } = await makeConnection(server, {
      capabilities: ['read_content', 'read_comments', 'read_user_without_email'],
      grants: [story.workspace.id],
    })
    const cursor = cursorOf(await ask(list, { page_size: 1 }))
    expect((await ask(list, { page_size: 1 }, caller)).status).toBe(200)
    expectInvalid(await ask(list, { start_cursor: cursor }, caller), `${where}.start_cursor`)
  })

  it('400 the cursor of another version', async () => {
    const cursor = cursorOf(await ask(list, { page_size: 1 }))
    const parts = { ...list.parts(), headers: { 'Service-Version': list.versions?.[1] ?? '2025-09-03' } }
    expect((await ask(list, { page_size: 1 }, server.owner, parts)).status).toBe(200)
    expectInvalid(await ask(list, { start_cursor: cursor }, server.owner, parts), `${where}.start_cursor`)
  })

  it('200 for 24 hours, then 400', async () => {
    const cursor = cursorOf(await ask(list, { page_size: 1 }))
    server.clock.advance(86_400_000 - 1000)
    expect((await ask(list, { start_cursor: cursor })).status).toBe(200)
    server.clock.advance(2001)
    expectInvalid(await ask(list, { start_cursor: cursor }), `${where}.start_cursor`)
  })
})
