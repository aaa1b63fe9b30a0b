import { operations } from '../../../../../generated/operations.ts'
import type { ExampleRecord } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { sendExamples, type Target } from '../send_examples.ts'

const GONE = 404

/** Comments and discussions on pages and blocks. */
export const comments: Resource = {
  async make(context) {
    for (const comment of context.records.of('comment')) await recreateComment(context, comment)
  },

  async exercise(context) {
    const made: string[] = []
    await sendExamples(context, operations.createComment, {
      onAccepted: ({ id }) => void made.push(id),
      // A bot may have no user to write as, and placeholders belong to templates.
      uncertain: new Set(['as_user', 'placeholders']),
    })
    await sendExamples(context, operations.updateComment, { target: () => commentOf(made) })
    for (const commentId of made) await deleteComment(context, commentId)
  },
}

async function recreateComment({ form, replacements, writer }: FullRunContext, { id, values }: ExampleRecord): Promise<void> {
  const { parent, rich_text: text, discussion_id: discussion } = values
  const isReply = replacements.has(discussion)
  const wanted = form.of('CreateCommentRequest', { ...(isReply ? { discussion_id: discussion } : { parent }), rich_text: text })
  const { value, missing } = replacements.fill(wanted)
  if (value === undefined || missing.length > 0) return
  const made = await writer.send(
    operations.createComment,
    { body: value },
    { name: 'a comment of the examples', isCertain: true },
  )
  if (!made) return
  replacements.set(id, made.id)
  if (!isReply) replacements.set(String(discussion), String(made.record['discussion_id']))
}

function commentOf(made: readonly string[]): Target | string {
  const [first] = made
  return first === undefined ? 'no comment was created' : { path: { comment_id: first } }
}

async function deleteComment({ writer, client }: FullRunContext, commentId: string): Promise<void> {
  const path = { comment_id: commentId }
  if (!(await writer.send(operations.deleteComment, { path }, { name: 'a comment', isCertain: true }))) return
  const response = await client.call(operations.retrieveComment, { path })
  writer.expect(
    response.status === GONE,
    operations.deleteComment,
    response,
    'status',
    'is not 404 after the comment was deleted',
  )
}
