import { generateKeyBetween } from 'fractional-indexing'
import { newId } from '../kernel/ids.ts'
import { insertBlocks } from '../store/blocks.ts'
import type { Transaction } from '../store/database.ts'
import { insertPage } from '../store/pages.ts'
import { PageRows } from './page_rows.ts'
import type { SampleBlock } from './sample_content.ts'

/**
 * Gives a new workspace a first page, written by its owner and visible to every member.
 * @returns the id of the page
 */
export async function insertFirstPage(db: Transaction, workspaceId: string, ownerId: string, now: number): Promise<string> {
  const id = newId()
  const rows = new PageRows(now, ownerId)
  rows.addPage(id, 'Getting started', { type: 'workspace', id: workspaceId, pageId: null, rank: generateKeyBetween(null, null) })
  rows.addBlocks(BLOCKS, { type: 'page_id', id, pageId: id })
  await insertBlocks(db, workspaceId, rows.rows)
  await insertPage(db, workspaceId, id, { icon: { type: 'emoji', emoji: '👋' }, cover: null, isLocked: false, isArchived: false })
  return id
}

const BLOCKS: readonly SampleBlock[] = [
  block('paragraph', 'This page is the first of the workspace. Change it, or delete it when you no longer need it.'),
  block('heading_2', 'Things to try'),
  block('to_do', 'Read this page through the API: GET /v1/blocks/{id of this page}/children'),
  block('to_do', 'Append a block to it: PATCH /v1/blocks/{id of this page}/children'),
  block('to_do', 'Create a database below it: POST /v1/databases'),
  block('to_do', 'Add the people you work with: workspace-service user create'),
  block('heading_2', 'Good to know'),
  block('bulleted_list_item', 'A connection sees the pages that are shared with it, and everything below them.'),
  block('bulleted_list_item', 'The reference of the API is at /docs of the service.'),
]

function block(type: SampleBlock['type'], content: string): SampleBlock {
  return { type, content: { rich_text: [{ text: { content } }] } }
}
