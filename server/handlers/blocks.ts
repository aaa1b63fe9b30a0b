import { appendBlockChildren, deleteBlock, listBlockChildren, retrieveBlock, updateBlock } from '../domain/content/index.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const blockHandlers = {
  retrieveBlock: read((scope, call) => retrieveBlock(scope, call.path.block_id)),
  updateBlock: write((scope, call) => updateBlock(scope, call.path.block_id, call.body)),
  deleteBlock: write((scope, call) => deleteBlock(scope, call.path.block_id)),
  listBlockChildren: read((scope, call) => listBlockChildren(scope, call.path.block_id, pageRequest(call.query))),
  appendBlockChildren: write((scope, call) => appendBlockChildren(scope, call.path.block_id, call.body)),
} satisfies Partial<Handlers>
