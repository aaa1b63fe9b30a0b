import { appendBlockChildren, deleteBlock, listBlockChildren, retrieveBlock } from '../domain/blocks/blocks.ts'
import { updateBlock } from '../domain/blocks/update.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const blocks = {
  retrieveBlock: (call) => call.read((scope) => retrieveBlock(scope, call.path.block_id)),
  updateBlock: (call) => call.write((scope) => updateBlock(scope, call.path.block_id, call.body)),
  deleteBlock: (call) => call.write((scope) => deleteBlock(scope, call.path.block_id)),
  listBlockChildren: (call) => call.read((scope) => listBlockChildren(scope, call.path.block_id, pageRequest(call.query))),
  appendBlockChildren: (call) => call.write((scope) => appendBlockChildren(scope, call.path.block_id, call.body)),
} satisfies Partial<Handlers>
