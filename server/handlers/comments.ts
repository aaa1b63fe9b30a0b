import { createComment, deleteComment, listComments, retrieveComment, updateComment } from '../domain/comments/comments.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const comments = {
  listComments: (call) => call.read((scope) => listComments(scope, call.query.block_id, pageRequest(call.query))),
  createComment: (call) => call.write((scope) => createComment(scope, call.body)),
  retrieveComment: (call) => call.read((scope) => retrieveComment(scope, call.path.comment_id)),
  updateComment: (call) => call.write((scope) => updateComment(scope, call.path.comment_id, call.body)),
  deleteComment: (call) => call.write((scope) => deleteComment(scope, call.path.comment_id)),
} satisfies Partial<Handlers>
