import { createComment, deleteComment, listComments, retrieveComment, updateComment, draftText } from '../domain/content/index.ts'
import { read, write, writeAfter, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const commentHandlers = {
  listComments: read((scope, call) => listComments(scope, call.query.block_id, pageRequest(call.query))),
  // The text is parsed before the read-write transaction begins, so that a long one does not block other writers.
  createComment: writeAfter(
    ({ read }, call) => draftText(read, call.body),
    (scope, call, text) => createComment(scope, call.body, text),
  ),
  retrieveComment: read((scope, call) => retrieveComment(scope, call.path.comment_id)),
  updateComment: writeAfter(
    ({ read }, call) => draftText(read, call.body),
    (scope, call, text) => updateComment(scope, call.path.comment_id, text),
  ),
  deleteComment: write((scope, call) => deleteComment(scope, call.path.comment_id)),
} satisfies Partial<Handlers>
