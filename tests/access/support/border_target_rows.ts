import { commentOn } from '../../harness/comments.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { create, file, form, png } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { subscribe } from '../../harness/webhooks.ts'
import type { Asking, BorderRow } from './border_rows.ts'

const pathRows: BorderRow[] = [
  ...(['retrieveBlock', 'listBlockChildren'] as const).map((operation): BorderRow => {
    return { operation, place: 'path.block_id', kind: 'block', ask: (block_id) => ({ path: { block_id } }) }
  }),
  {
    operation: 'updateBlock',
    place: 'path.block_id',
    kind: 'block',
    ask: (block_id) => ({ path: { block_id }, body: { paragraph: { rich_text: [] } } }),
  },
  {
    operation: 'deleteBlock',
    place: 'path.block_id',
    kind: 'block',
    ask: (block_id) => ({ path: { block_id } }),
    fresh: ({ world }) => appendOne(world.owner, world.shown.page, paragraph('spent')),
  },
  {
    operation: 'appendBlockChildren',
    place: 'path.block_id',
    kind: 'block',
    ask: (block_id) => ({ path: { block_id }, body: { children: [paragraph('x')] } }),
  },
  ...(['retrievePage', 'retrievePageMarkdown'] as const).map((operation): BorderRow => {
    return { operation, place: 'path.page_id', kind: 'page', ask: (page_id) => ({ path: { page_id } }) }
  }),
  {
    operation: 'updatePage',
    place: 'path.page_id',
    kind: 'page',
    ask: (page_id) => ({ path: { page_id }, body: { is_locked: false } }),
  },
  {
    operation: 'movePage',
    place: 'path.page_id',
    kind: 'page',
    ask: (page_id, { world }) => ({ path: { page_id }, body: { parent: { page_id: world.shown.page } } }),
  },
  {
    operation: 'retrievePageProperty',
    place: 'path.page_id',
    kind: 'page',
    ask: (page_id) => ({ path: { page_id, property_id: 'title' } }),
  },
  ...(['column by id', 'column by name'] as const).map((kind): BorderRow => {
    return {
      operation: 'retrievePageProperty',
      place: 'path.property_id',
      kind,
      // Columns go by their ids here.
      ...(kind === 'column by name' ? { isSilent: true } : {}),
      ask: (property_id, { world }) => ({ path: { page_id: world.shown.row, property_id } }),
    }
  }),
  {
    operation: 'updatePageMarkdown',
    place: 'path.page_id',
    kind: 'page',
    ask: (page_id) => ({
      path: { page_id },
      body: { type: 'replace_content', replace_content: { new_str: 'x', allow_deleting_content: true } },
    }),
  },
  { operation: 'retrieveUser', place: 'path.user_id', kind: 'user', ask: (user_id) => ({ path: { user_id } }), isSilent: true },
  { operation: 'retrieveAsyncTask', place: 'path.task_id', kind: 'task', ask: (task_id) => ({ path: { task_id } }) },
  { operation: 'retrieveComment', place: 'path.comment_id', kind: 'comment', ask: (comment_id) => ({ path: { comment_id } }) },
  {
    operation: 'updateComment',
    place: 'path.comment_id',
    kind: 'own comment',
    ask: (comment_id) => ({ path: { comment_id }, body: { markdown: 'x' } }),
  },
  {
    operation: 'deleteComment',
    place: 'path.comment_id',
    kind: 'own comment',
    ask: (comment_id) => ({ path: { comment_id } }),
    fresh: async ({ world, who }) => idOf(await commentOn(world.own[who].caller, world.shown.page)),
  },
  { operation: 'listComments', place: 'query.block_id', kind: 'block', ask: (block_id) => ({ query: { block_id } }) },
  {
    operation: 'retrieveFileUpload',
    place: 'path.file_upload_id',
    kind: 'upload',
    ask: (file_upload_id) => ({ path: { file_upload_id } }),
  },
  {
    operation: 'completeFileUpload',
    place: 'path.file_upload_id',
    kind: 'upload',
    // Only large files come in parts.
    isSilent: true,
    ask: (file_upload_id) => ({ path: { file_upload_id }, body: {} }),
  },
  {
    operation: 'sendFileUpload',
    place: 'path.file_upload_id',
    kind: 'upload',
    fresh: async ({ world, who }) => idOf(await create(world.own[who].caller)),
    ask: (file_upload_id) => ({ path: { file_upload_id }, ...form(file(png, 'dock.png', 'image/png')) }),
  },
  ...(['retrieveWebhookSubscription', 'deleteWebhookSubscription', 'sendWebhookVerification'] as const).map(
    (operation): BorderRow => ({
      operation,
      place: 'path.subscription_id',
      kind: 'subscription',
      ask: (subscription_id) => ({ path: { subscription_id } }),
      ...(operation === 'deleteWebhookSubscription' ? { fresh: freshSubscription } : {}),
    }),
  ),
  {
    operation: 'updateWebhookSubscription',
    place: 'path.subscription_id',
    kind: 'subscription',
    ask: (subscription_id) => ({ path: { subscription_id }, body: { name: 'x' } }),
  },
  {
    operation: 'verifyWebhookSubscription',
    place: 'path.subscription_id',
    kind: 'subscription',
    // Nobody here knows the token.
    isSilent: true,
    ask: (subscription_id) => ({ path: { subscription_id }, body: { verification_token: 'x' } }),
  },
]

async function freshSubscription({ world, who }: Asking): Promise<string> {
  return idOf((await subscribe(world.own[who].caller, 'https://hooks.orchard.example/in')).body)
}

const parentRows: BorderRow[] = [
  {
    operation: 'createPage',
    place: 'PageIdParentRequest.page_id',
    kind: 'page',
    ask: (page_id) => ({ body: { parent: { page_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    place: 'PageUnderDataSourceRequest.data_source_id',
    kind: 'source',
    ask: (data_source_id) => ({ body: { parent: { data_source_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    place: 'PageUnderDatabaseRequest.database_id',
    kind: 'database',
    ask: (database_id) => ({ body: { parent: { database_id }, properties: {} } }),
  },
  {
    operation: 'movePage',
    place: 'PageIdParentRequest.page_id',
    kind: 'page',
    ask: (page_id, { world }) => ({ path: { page_id: world.shown.row }, body: { parent: { page_id } } }),
  },
  {
    operation: 'movePage',
    place: 'PageUnderDataSourceRequest.data_source_id',
    kind: 'source',
    ask: (data_source_id, { world }) => ({ path: { page_id: world.shown.row }, body: { parent: { data_source_id } } }),
  },
  {
    operation: 'createComment',
    place: 'PageIdParentRequest.page_id',
    kind: 'page',
    ask: (page_id) => ({ body: { parent: { page_id }, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    place: 'BlockIdParentRequest.block_id',
    kind: 'block',
    ask: (block_id) => ({ body: { parent: { block_id }, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    place: 'CreateCommentRequest.discussion_id',
    kind: 'discussion',
    ask: (discussion_id) => ({ body: { discussion_id, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    place: 'CommentAttachmentRequest.file_upload_id',
    kind: 'upload',
    ask: (file_upload_id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, markdown: 'x', attachments: [{ file_upload_id }] },
    }),
  },
]

const otherRows: BorderRow[] = [
  {
    operation: 'appendBlockChildren',
    place: 'AfterBlockPosition.after_block.id',
    kind: 'block',
    ask: (id, { world }) => ({
      path: { block_id: world.shown.page },
      body: { children: [paragraph('x')], position: { type: 'after_block', after_block: { id } } },
    }),
  },
  {
    operation: 'createPage',
    place: 'AfterBlockPosition.after_block.id',
    kind: 'block',
    ask: (id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, properties: {}, position: { type: 'after_block', after_block: { id } } },
    }),
  },
  {
    operation: 'createPage',
    place: 'ChosenTemplateRequest.template_id',
    kind: 'page',
    ask: (template_id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, properties: {}, template: { type: 'template_id', template_id } },
    }),
  },
  {
    operation: 'updatePage',
    place: 'ChosenTemplateRequest.template_id',
    kind: 'page',
    ask: (template_id, { world }) => ({
      path: { page_id: world.shown.row },
      body: { template: { type: 'template_id', template_id } },
    }),
    fresh: ({ world }) => makePage(world.owner, 'Template', world.shown.page),
  },
]

export const targetRows: readonly BorderRow[] = [...pathRows, ...parentRows, ...otherRows]
