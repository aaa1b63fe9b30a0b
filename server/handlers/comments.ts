import { createComment, deleteComment, listComments, retrieveComment, updateComment } from '../domain/comments/comments.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const commentHandlers = {
  listComments: read((scope, call) => listComments(scope, call.query.block_id, pageRequest(call.query))),
  createComment: write((scope, call) => createComment(scope, call.body)),
  retrieveComment: read((scope, call) => retrieveComment(scope, call.path.comment_id)),
  updateComment: write((scope, call) => updateComment(scope, call.path.comment_id, call.body)),
  deleteComment: write((scope, call) => deleteComment(scope, call.path.comment_id)),
} satisfies Partial<Handlers>
