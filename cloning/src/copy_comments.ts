import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { isNotServed, runOptionalStep, type CloneContext, type Values } from './clone_context.ts'

/** Copies the open comments on pages, under the names of their authors. */
export async function copyComments(context: CloneContext, nameOf: (userId: string) => string | undefined): Promise<void> {
  const { progress } = context
  for await (const record of progress.records()) {
    const id = String(record['id'])
    const step = `comments ${id}`
    if (record['object'] !== 'page' || progress.isDone(step)) continue
    try {
      await copyCommentsOn(context, id, nameOf)
    } catch (error) {
      if (!isNotServed(error)) throw error
      progress.leaveOut('comments', id, 'The server does not show them to this token.')
    }
    progress.note(step)
  }
}

async function copyCommentsOn(context: CloneContext, pageId: string, nameOf: (id: string) => string | undefined): Promise<void> {
  for await (const comment of context.source.comments.list({ block_id: pageId })) {
    const values: Values = comment
    const [id, discussionId] = [String(values['id']), String(values['discussion_id'])]
    const body = {
      parent: { page_id: pageId },
      rich_text: context.form.of('CommentRichTextRequest', await context.rewriter.rewrite(values['rich_text'])),
      ...displayName(values, nameOf),
      ...(await attachments(context, values)),
    }
    const ids = { comment: [id], discussion: [discussionId] }
    await runOptionalStep(context, { name: `comment ${id}`, operation: 'createComment', body, ids }, ['comment', id])
  }
}

/** The author's name for a copied comment, because one connection writes all of them. */
function displayName({ display_name: shown, created_by: author }: Values, nameOf: (id: string) => string | undefined): object {
  const resolved = isObject(shown) ? shown['resolved_name'] : undefined
  const name = (isObject(author) ? nameOf(String(author['id'])) : undefined) ?? resolved
  return typeof name === 'string' && name !== '' ? { display_name: { type: 'custom', custom: { name } } } : {}
}

async function attachments({ rewriter }: CloneContext, { attachments: list }: Values): Promise<object> {
  if (!Array.isArray(list) || list.length === 0) return {}
  const ids: object[] = []
  for (const attachment of list.filter(isObject)) {
    const copy = await rewriter.rewrite({ type: 'file', file: attachment['file'] })
    if (isObject(copy) && isObject(copy['file_upload']))
      ids.push({ type: 'file_upload', file_upload_id: copy['file_upload']['id'] })
  }
  return ids.length > 0 ? { attachments: ids } : {}
}
