import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertBlocks, updateContent } from '../../../server/store/blocks.ts'
import { deleteCommentRow, insertComment, insertDiscussion } from '../../../server/store/comments.ts'
import { insertEmoji } from '../../../server/store/custom_emojis.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { Transaction } from '../../../server/store/database.ts'
import { insertUpload, type UploadRow } from '../../../server/store/file_uploads.ts'
import { insertGrant } from '../../../server/store/grants.ts'
import { setLeft } from '../../../server/store/members.ts'
import { insertPage } from '../../../server/store/pages.ts'
import { insertUser } from '../../../server/store/users.ts'
import { insertView } from '../../../server/store/views.ts'
import { append, makePage, paragraph } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { textAt } from '../../harness/json.ts'
import type { TestServer } from '../../harness/server.ts'
import { OPAQUE, type PagedList } from './paged_list.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The minimum number of items in each list. */
export const ITEMS = 105
/** A version that lists databases. */
const OLD = '2021-08-16'

/** The lists of the contract, each with more items than one page holds. */
export async function plantLongLists(server: TestServer): Promise<readonly PagedList[]> {
  const page = await makePage(server.owner, 'Long list')
  const emptyPage = await makePage(server.owner, 'Empty')
  const titled = [await makePage(server.owner, 'Many pieces'), await makePage(server.owner, 'As many')]
  for (const id of titled) {
    const pieces = Array.from({ length: ITEMS }, (_, index) => ({ type: 'text', text: { content: `${index} ` } }))
    await server.service.database.write((db) => updateContent(db, exampleWorkspace.workspace.id, id, { title: pieces }))
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
    await plantViews(server, id, sourceId)
    await plantTemplates(server, sourceId)
  }
  await shareDatabases(server, folder)
  const discussionId = randomUUID()
  await server.service.database.write(async (db) => {
    await insertDiscussion(db, exampleWorkspace.workspace.id, { id: discussionId, parentId: page }, server.clock.now())
    for (let index = 0; index < ITEMS; index += 1) {
      const now = server.clock.now() + Math.floor(index / 10) // several with the same time
      const kind = index % 3 === 0 ? 'bot' : 'person'
      await insertUser(db, exampleWorkspace.workspace.id, {
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
        exampleWorkspace.workspace.id,
        {
          id: randomUUID(),
          discussionId,
          parentId: page,
          richText: [],
          displayName: { type: 'custom', name: 'C' },
          attachments: [],
          createdTime: now,
          createdBy: exampleWorkspace.bot.id,
          connectionId: null,
          lastEditedTime: now,
        },
        true,
      )
      await addPage(db, folder, `Pager ${index}`, now)
      await insertUpload(db, exampleWorkspace.workspace.id, someUpload(now))
      await insertEmoji(
        db,
        exampleWorkspace.workspace.id,
        { id: randomUUID(), name: `emoji_${index}`, url: 'https://workspace.example/emoji/x.png' },
        now,
      )
    }
  })

  return [
    {
      id: 'listBlockChildren',
      parts: () => ({ path: { block_id: page } }),
      other: () => ({ path: { block_id: emptyPage } }),
      cursor: UUID,
      byEntry: {
        isForEveryone: true,
        remove: (block_id) => server.owner.call('deleteBlock', { path: { block_id } }),
        removed: 200,
      },
    },
    {
      id: 'listComments',
      parts: () => ({ query: { block_id: page } }),
      other: () => ({ query: { block_id: emptyPage } }),
      cursor: UUID,
      byEntry: {
        isForEveryone: true,
        remove: (id) =>
          server.service.database.write((db) => deleteCommentRow(db, exampleWorkspace.workspace.id, { id, discussionId })),
        removed: 400, // it is not in the trash, but deleted
      },
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
      parts: () => ({
        path: { data_source_id: made.sourceId },
        body: { sorts: [{ property: 'Name', direction: 'descending' }] },
      }),
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
    {
      id: 'listUsers',
      parts: () => ({}),
      other: undefined,
      cursor: UUID,
      byEntry: {
        isForEveryone: true,
        remove: (id) => server.service.database.write((db) => setLeft(db, exampleWorkspace.workspace.id, id, server.clock.now())),
        removed: 200,
      },
    },
    { id: 'listFileUploads', parts: () => ({}), other: undefined, cursor: UUID, byEntry: { isForEveryone: false } },
    { id: 'listCustomEmojis', parts: () => ({}), other: () => ({ query: { name: 'emoji_1' } }), cursor: UUID },
  ]
}

/** Adds a page faster than a request would. */
async function addPage(db: Transaction, folder: string, title: string, createdTime: number): Promise<void> {
  const id = randomUUID()
  const location = { parentType: 'page_id', parentId: folder, pageId: folder, rank: id } as const
  const content = { title: [{ type: 'text', text: { content: title } }] }
  await insertBlocks(db, exampleWorkspace.workspace.id, [
    { id, type: 'child_page', ...location, content, createdTime, createdBy: exampleWorkspace.bot.id },
  ])
  await insertPage(db, exampleWorkspace.workspace.id, id, { icon: null, cover: null, isLocked: false, isArchived: false })
}

function someUpload(now: number): UploadRow {
  return {
    id: randomUUID(),
    actor_id: exampleWorkspace.bot.id,
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

/** Tabs of a database, several of them created at the same time. */
async function plantViews(server: TestServer, databaseId: string, dataSourceId: string): Promise<void> {
  const settings = { filter: null, sorts: null, quickFilters: null, configuration: {} }
  await server.service.database.write(async (db) => {
    for (let index = 0; index < ITEMS; index += 1) {
      const createdTime = server.clock.now() + Math.floor(index / 10)
      await insertView(db, exampleWorkspace.workspace.id, {
        id: randomUUID(),
        databaseId,
        dataSourceId,
        dashboardId: null,
        position: index + 1,
        type: 'table',
        name: `V ${index}`,
        settings,
        createdTime,
        createdBy: exampleWorkspace.bot.id,
        lastEditedTime: createdTime,
        lastEditedBy: exampleWorkspace.bot.id,
      })
    }
  })
}

/** Templates of a data source, several of them created at the same time. */
async function plantTemplates(server: TestServer, sourceId: string): Promise<void> {
  const location = { parentType: 'data_source_id', parentId: sourceId, pageId: null } as const
  const made = { content: { title: [] }, createdTime: 1, createdBy: exampleWorkspace.bot.id }
  await server.service.database.write(async (db) => {
    for (let index = 0; index < ITEMS; index += 1) {
      const id = randomUUID()
      await insertBlocks(db, exampleWorkspace.workspace.id, [{ id, type: 'child_page', ...location, rank: id, ...made }])
      await insertTemplate(db, exampleWorkspace.workspace.id, sourceId, {
        id,
        isDefault: false,
        createdTime: Math.floor(index / 10),
      })
    }
  })
}

/** Databases that are shared with the demo connection directly, several at the same time. */
async function shareDatabases(server: TestServer, folder: string): Promise<void> {
  const made = await Promise.all(Array.from({ length: ITEMS }, () => makeDatabase(server.owner, folder)))
  await server.service.database.write(async (db) => {
    for (const [index, { id }] of made.entries())
      await insertGrant(db, exampleWorkspace.workspace.id, exampleWorkspace.bot.id, id, Math.floor(index / 10))
  })
}
