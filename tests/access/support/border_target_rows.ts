import { commentOn } from '../../harness/comments.ts'
import { appendOne, makePage, paragraph } from '../../harness/content.ts'
import { create, file, form, png } from '../../harness/files.ts'
import { idOf } from '../../harness/json.ts'
import { subscribe } from '../../harness/webhooks.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'

const pathRows: BorderRow[] = [
  ...(['retrieveBlock', 'listBlockChildren'] as const).map((operation): BorderRow => {
    return { operation, location: 'path.block_id', kind: 'block', request: (block_id) => ({ path: { block_id } }) }
  }),
  {
    operation: 'updateBlock',
    location: 'path.block_id',
    kind: 'block',
    request: (block_id) => ({ path: { block_id }, body: { paragraph: { rich_text: [] } } }),
  },
  {
    operation: 'deleteBlock',
    location: 'path.block_id',
    kind: 'block',
    request: (block_id) => ({ path: { block_id } }),
    fresh: ({ world }) => appendOne(world.owner, world.shown.page, paragraph('spent')),
  },
  {
    operation: 'appendBlockChildren',
    location: 'path.block_id',
    kind: 'block',
    request: (block_id) => ({ path: { block_id }, body: { children: [paragraph('x')] } }),
  },
  ...(['retrievePage', 'retrievePageMarkdown'] as const).map((operation): BorderRow => {
    return { operation, location: 'path.page_id', kind: 'page', request: (page_id) => ({ path: { page_id } }) }
  }),
  {
    operation: 'updatePage',
    location: 'path.page_id',
    kind: 'page',
    request: (page_id) => ({ path: { page_id }, body: { is_locked: false } }),
  },
  {
    operation: 'movePage',
    location: 'path.page_id',
    kind: 'page',
    request: (page_id, { world }) => ({ path: { page_id }, body: { parent: { page_id: world.shown.page } } }),
  },
  {
    operation: 'retrievePageProperty',
    location: 'path.page_id',
    kind: 'page',
    request: (page_id) => ({ path: { page_id, property_id: 'title' } }),
  },
  ...(['column by id', 'column by name'] as const).map((kind): BorderRow => {
    return {
      operation: 'retrievePageProperty',
      location: 'path.property_id',
      kind,
      // Columns are named by id here.
      ...(kind === 'column by name' ? { isSilent: true } : {}),
      request: (property_id, { world }) => ({ path: { page_id: world.shown.row, property_id } }),
    }
  }),
  {
    operation: 'updatePageMarkdown',
    location: 'path.page_id',
    kind: 'page',
    request: (page_id) => ({
      path: { page_id },
      body: { type: 'replace_content', replace_content: { new_str: 'x', allow_deleting_content: true } },
    }),
  },
  {
    operation: 'retrieveUser',
    location: 'path.user_id',
    kind: 'user',
    request: (user_id) => ({ path: { user_id } }),
    isSilent: true,
  },
  { operation: 'retrieveAsyncTask', location: 'path.task_id', kind: 'task', request: (task_id) => ({ path: { task_id } }) },
  {
    operation: 'retrieveComment',
    location: 'path.comment_id',
    kind: 'comment',
    request: (comment_id) => ({ path: { comment_id } }),
  },
  {
    operation: 'updateComment',
    location: 'path.comment_id',
    kind: 'own comment',
    request: (comment_id) => ({ path: { comment_id }, body: { markdown: 'x' } }),
  },
  {
    operation: 'deleteComment',
    location: 'path.comment_id',
    kind: 'own comment',
    request: (comment_id) => ({ path: { comment_id } }),
    fresh: async ({ world, caller }) => idOf(await commentOn(world.own[caller].caller, world.shown.page)),
  },
  { operation: 'listComments', location: 'query.block_id', kind: 'block', request: (block_id) => ({ query: { block_id } }) },
  {
    operation: 'retrieveFileUpload',
    location: 'path.file_upload_id',
    kind: 'upload',
    request: (file_upload_id) => ({ path: { file_upload_id } }),
  },
  {
    operation: 'completeFileUpload',
    location: 'path.file_upload_id',
    kind: 'upload',
    // Only large files have parts.
    isSilent: true,
    request: (file_upload_id) => ({ path: { file_upload_id }, body: {} }),
  },
  {
    operation: 'sendFileUpload',
    location: 'path.file_upload_id',
    kind: 'upload',
    fresh: async ({ world, caller }) => idOf(await create(world.own[caller].caller)),
    request: (file_upload_id) => ({ path: { file_upload_id }, ...form(file(png, 'dock.png', 'image/png')) }),
  },
  ...(['retrieveWebhookSubscription', 'deleteWebhookSubscription', 'sendWebhookVerification'] as const).map(
    (operation): BorderRow => ({
      operation,
      location: 'path.subscription_id',
      kind: 'subscription',
      request: (subscription_id) => ({ path: { subscription_id } }),
      ...(operation === 'deleteWebhookSubscription' ? { fresh: freshSubscription } : {}),
    }),
  ),
  {
    operation: 'updateWebhookSubscription',
    location: 'path.subscription_id',
    kind: 'subscription',
    request: (subscription_id) => ({ path: { subscription_id }, body: { name: 'x' } }),
  },
  {
    operation: 'verifyWebhookSubscription',
    location: 'path.subscription_id',
    kind: 'subscription',
    // The test does not know the token.
    isSilent: true,
    request: (subscription_id) => ({ path: { subscription_id }, body: { verification_token: 'x' } }),
  },
]

async function freshSubscription({ world, caller }: RequestContext): Promise<string> {
  return idOf((await subscribe(world.own[caller].caller, 'https://hooks.orchard.example/in')).body)
}

const parentRows: BorderRow[] = [
  {
    operation: 'createPage',
    location: 'PageIdParentRequest.page_id',
    kind: 'page',
    request: (page_id) => ({ body: { parent: { page_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    location: 'PageUnderDataSourceRequest.data_source_id',
    kind: 'source',
    request: (data_source_id) => ({ body: { parent: { data_source_id }, properties: {} } }),
  },
  {
    operation: 'createPage',
    location: 'PageUnderDatabaseRequest.database_id',
    kind: 'database',
    request: (database_id) => ({ body: { parent: { database_id }, properties: {} } }),
  },
  {
    operation: 'movePage',
    location: 'PageIdParentRequest.page_id',
    kind: 'page',
    request: (page_id, { world }) => ({ path: { page_id: world.shown.row }, body: { parent: { page_id } } }),
  },
  {
    operation: 'movePage',
    location: 'PageUnderDataSourceRequest.data_source_id',
    kind: 'source',
    request: (data_source_id, { world }) => ({ path: { page_id: world.shown.row }, body: { parent: { data_source_id } } }),
  },
  {
    operation: 'createComment',
    location: 'PageIdParentRequest.page_id',
    kind: 'page',
    request: (page_id) => ({ body: { parent: { page_id }, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    location: 'BlockIdParentRequest.block_id',
    kind: 'block',
    request: (block_id) => ({ body: { parent: { block_id }, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    location: 'CreateCommentRequest.discussion_id',
    kind: 'discussion',
    request: (discussion_id) => ({ body: { discussion_id, markdown: 'x' } }),
  },
  {
    operation: 'createComment',
    location: 'CommentAttachmentRequest.file_upload_id',
    kind: 'upload',
    request: (file_upload_id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, markdown: 'x', attachments: [{ file_upload_id }] },
    }),
  },
]

const otherRows: BorderRow[] = [
  {
    operation: 'appendBlockChildren',
    location: 'AfterBlockPosition.after_block.id',
    kind: 'block',
    request: (id, { world }) => ({
      path: { block_id: world.shown.page },
      body: { children: [paragraph('x')], position: { type: 'after_block', after_block: { id } } },
    }),
  },
  {
    operation: 'createPage',
    location: 'AfterBlockPosition.after_block.id',
    kind: 'block',
    request: (id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, properties: {}, position: { type: 'after_block', after_block: { id } } },
    }),
  },
  {
    operation: 'createPage',
    location: 'ChosenTemplateRequest.template_id',
    kind: 'page',
    request: (template_id, { world }) => ({
      body: { parent: { page_id: world.shown.page }, properties: {}, template: { type: 'template_id', template_id } },
    }),
  },
  {
    operation: 'updatePage',
    location: 'ChosenTemplateRequest.template_id',
    kind: 'page',
    request: (template_id, { world }) => ({
      path: { page_id: world.shown.row },
      body: { template: { type: 'template_id', template_id } },
    }),
    fresh: ({ world }) => makePage(world.owner, 'Template', world.shown.page),
  },
]

export const targetRows: readonly BorderRow[] = [...pathRows, ...parentRows, ...otherRows]
