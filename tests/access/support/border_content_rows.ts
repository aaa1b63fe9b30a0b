import type { OperationId } from '../../../server/contract/operation.ts'
import type { CallParts } from '../../harness/caller.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { upload } from '../../harness/files.ts'
import type { Kind } from './border_kinds.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'
import type { World } from './border_world.ts'

const rich = (mention: object): object[] => [{ mention }]

/** Operations with rich text, and the path of a text in their requests. */
const withText: Partial<Record<OperationId, (items: object[], context: RequestContext) => CallParts>> = {
  updateBlock: (items, { world }) => ({ path: { block_id: world.shown.block }, body: { paragraph: { rich_text: items } } }),
  appendBlockChildren: (items, { world }) => ({
    path: { block_id: world.shown.block },
    body: { children: [{ paragraph: { rich_text: items } }] },
  }),
  createPage: (items, { world }) => ({
    body: { parent: { page_id: world.shown.page }, properties: { title: { title: items } } },
  }),
  updatePage: (items, { world }) => ({ path: { page_id: world.shown.inner }, body: { properties: { title: { title: items } } } }),
  createDatabase: (items, { world }) => ({ body: { parent: { page_id: world.shown.page }, title: items } }),
  updateDatabase: (items, { world }) => ({ path: { database_id: world.shown.database }, body: { title: items } }),
  createDataSource: (items, { world }) => ({
    body: { parent: { database_id: world.spare }, title: items, properties: { Name: { title: {} } } },
  }),
  updateDataSource: (items, { world }) => ({ path: { data_source_id: world.shown.source }, body: { title: items } }),
  createComment: (items, { world }) => ({ body: { parent: { page_id: world.shown.page }, rich_text: items } }),
  updateComment: (items, { world, caller }) => ({ path: { comment_id: world.own[caller].comment }, body: { rich_text: items } }),
}

const mentions: readonly (readonly [place: string, kind: Kind, mention: (id: string) => object])[] = [
  ['MentionOfPageRequest.page.id', 'page', (id) => ({ page: { id } })],
  ['MentionOfDatabaseRequest.database.id', 'database', (id) => ({ database: { id } })],
  ['PartialUserRequest.id', 'user', (id) => ({ user: { id } })],
  ['CustomEmojiRequest.id', 'emoji', (id) => ({ custom_emoji: { id } })],
]

const textRows = Object.entries(withText).flatMap(([operation, parts]) =>
  mentions.map(([location, kind, mention]): BorderRow => {
    return {
      operation: operation as OperationId,
      location,
      kind,
      request: (named, context) => parts(rich(mention(named)), context),
    }
  }),
)

/** Operations with icons and covers. */
const withLooks: Partial<Record<OperationId, (looks: { icon: object }, context: RequestContext) => CallParts>> = {
  updateBlock: ({ icon }, { world }) => ({ path: { block_id: world.blocks.item }, body: { paragraph: { icon } } }),
  appendBlockChildren: ({ icon }, { world }) => ({
    path: { block_id: world.shown.block },
    body: { children: [{ tab: { children: [{ paragraph: { rich_text: [], icon } }] } }] },
  }),
  createPage: (looks, { world }) => ({ body: { parent: { page_id: world.shown.page }, properties: {}, ...looks } }),
  updatePage: (looks, { world }) => ({ path: { page_id: world.shown.inner }, body: looks }),
  createDatabase: (looks, { world }) => ({ body: { parent: { page_id: world.shown.page }, ...looks } }),
  updateDatabase: (looks, { world }) => ({ path: { database_id: world.shown.database }, body: looks }),
  createDataSource: (looks, { world }) => ({
    body: { parent: { database_id: world.spare }, properties: { Name: { title: {} } }, ...looks },
  }),
  updateDataSource: (looks, { world }) => ({ path: { data_source_id: world.shown.source }, body: looks }),
}

const lookRows = Object.entries(withLooks).flatMap(([name, parts]): BorderRow[] => {
  const operation = name as OperationId
  const common = { operation, note: 'an icon' }
  return [
    {
      ...common,
      location: 'CustomEmojiRequest.id',
      kind: 'emoji',
      request: (id, to) => parts({ icon: { custom_emoji: { id } } }, to),
    },
    {
      ...common,
      location: 'UploadedFileObjectRequest.file_upload.id',
      kind: 'upload',
      request: (id, to) => parts({ icon: { file_upload: { id } } }, to),
    },
  ]
})

/** Blocks that name something, in every operation that writes blocks. */
const blocks: readonly (readonly [place: string, kind: Kind, block: (id: string) => object])[] = [
  ['PageLinkContentRequest.page_id', 'page', (page_id) => ({ link_to_page: { page_id } })],
  ['DatabaseLinkContentRequest.database_id', 'database', (database_id) => ({ link_to_page: { database_id } })],
  ['CommentLinkContentRequest.comment_id', 'comment', (comment_id) => ({ link_to_page: { comment_id } })],
  ['SyncedFromRequest.block_id', 'original', (block_id) => ({ synced_block: { synced_from: { block_id } } })],
  ['UploadedMediaContentRequest.file_upload.id', 'upload', (id) => ({ image: { file_upload: { id } } })],
  ['UploadedEmbedContentRequest.file_upload.id', 'upload', (id) => ({ embed: { file_upload: { id } } })],
  ['UploadedFileContentRequest.file_upload.id', 'upload', (id) => ({ file: { file_upload: { id } } })],
]

/** Blocks that are changed to name another object. The source of a synced block and the target of a link cannot be changed. */
const changes: readonly (readonly [
  place: string,
  kind: Kind,
  target: keyof World['blocks'],
  body: (id: string) => object,
  isSilent?: true,
])[] = [
  ['PageLinkContentRequest.page_id', 'page', 'link', (page_id) => ({ link_to_page: { page_id } })],
  ['DatabaseLinkContentRequest.database_id', 'database', 'link', (database_id) => ({ link_to_page: { database_id } })],
  ['CommentLinkContentRequest.comment_id', 'comment', 'link', (comment_id) => ({ link_to_page: { comment_id } })],
  ['SyncedFromRequest.block_id', 'original', 'mirror', (block_id) => ({ synced_block: { synced_from: { block_id } } }), true],
  ['UploadedMediaContentUpdate.file_upload.id', 'upload', 'image', (id) => ({ image: { file_upload: { id } } })],
  ['UploadedEmbedContentUpdate.file_upload.id', 'upload', 'embed', (id) => ({ embed: { file_upload: { id } } })],
  ['UploadedFileContentUpdate.file_upload.id', 'upload', 'file', (id) => ({ file: { file_upload: { id } } })],
]

/** An embed accepts HTML files only. */
function freshFor(location: string): Pick<BorderRow, 'fresh'> {
  if (!location.startsWith('UploadedEmbed')) return {}
  return { fresh: ({ world, caller }) => upload(world.own[caller].caller, '<p>High water</p>', 'tides.html') }
}

const changeRows = changes.map(([location, kind, target, body, isSilent]): BorderRow => {
  const request: BorderRow['request'] = (id, { world }) => ({ path: { block_id: world.blocks[target] }, body: body(id) })
  return { operation: 'updateBlock', location, kind, request, ...freshFor(location), ...(isSilent ? { isSilent } : {}) }
})

const blockRows = blocks.flatMap(([location, kind, block]): BorderRow[] => [
  {
    operation: 'appendBlockChildren',
    location,
    kind,
    ...freshFor(location),
    request: (named, { world }) => ({ path: { block_id: world.shown.page }, body: { children: [block(named)] } }),
  },
  {
    operation: 'createPage',
    location,
    kind,
    ...freshFor(location),
    request: (named, { world }) => ({
      body: { parent: { page_id: world.shown.page }, properties: {}, children: [block(named)] },
    }),
  },
])

const MARKDOWN_ID = (id: string): string => id.replaceAll('-', '')
/** In Markdown, an unknown object becomes text. */
const markdownRows: BorderRow[] = (['page', 'database', 'user', 'original'] as const).flatMap((kind): BorderRow[] => {
  const written = (named: string): string => {
    if (kind === 'user') return `<mention-user url="user://${MARKDOWN_ID(named)}"/>`
    if (kind === 'original') return `<synced_block_reference url="/${MARKDOWN_ID(named)}#${MARKDOWN_ID(named)}"/>`
    return `<mention-${kind} url="/${MARKDOWN_ID(named)}"/>`
  }
  const common = { kind, note: `Markdown with the tag of a ${kind}`, isSilent: true } as const
  const changing = (location: string, body: (markdown: string) => object): BorderRow => ({
    ...common,
    operation: 'updatePageMarkdown',
    location,
    request: async (named, { world }) => {
      // Each text is written once, on a separate page.
      const page_id = await makePage(world.owner, 'Text', world.shown.page, [paragraph('inner')])
      return { path: { page_id }, body: body(written(named)) }
    },
  })
  return [
    {
      ...common,
      operation: 'createPage',
      location: 'CreatePageRequest.markdown',
      request: (named, { world }) => ({ body: { parent: { page_id: world.shown.page }, markdown: `# x\n${written(named)}` } }),
    },
    {
      ...common,
      operation: 'createComment',
      location: 'CreateCommentRequest.markdown',
      request: (named, { world }) => ({ body: { parent: { page_id: world.shown.page }, markdown: `x ${written(named)}` } }),
    },
    {
      ...common,
      operation: 'updateComment',
      location: 'UpdateCommentRequest.markdown',
      request: (named, { world, caller }) => ({
        path: { comment_id: world.own[caller].comment },
        body: { markdown: `x ${written(named)}` },
      }),
    },
    changing('ContentReplacementRequest.new_str', (new_str) => ({
      type: 'replace_content',
      replace_content: { new_str: `inner ${new_str}` },
    })),
    changing('ContentInsertionRequest.content', (content) => ({
      type: 'insert_content',
      insert_content: { content, position: { type: 'end' } },
    })),
    changing('ContentRangeReplacementRequest.content', (content) => ({
      type: 'replace_content_range',
      replace_content_range: { content: `inner ${content}`, content_range: 'inner' },
    })),
    changing('ContentUpdateRequest.new_str', (new_str) => ({
      type: 'update_content',
      update_content: { content_updates: [{ old_str: 'inner', new_str: `inner ${new_str}` }] },
    })),
  ]
})

export const contentRows: readonly BorderRow[] = [...textRows, ...lookRows, ...blockRows, ...changeRows, ...markdownRows]
