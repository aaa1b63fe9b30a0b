import type { LinkedDatabaseRequest } from '../../../../generated/types.ts'
import { canonicalId, newId } from '../../../kernel/ids.ts'
import { findVisibleBlock, insertBlocks, touch, type Block } from '../../../store/blocks.ts'
import { insertDatabase } from '../../../store/databases.ts'
import { requireOpen, placeBelow, newRow, requirePage, type Place } from '../../content/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { recordEvent, creation } from '../../events/index.ts'

const PATH = 'body.create_database'

/** Creates an inline database without data sources on a page. @returns its id */
export async function createLinkedDatabase(scope: WriteScope, request: LinkedDatabaseRequest): Promise<string> {
  const { db, actor, now } = scope
  const page = await requirePage(scope, request.parent.page_id, `${PATH}.parent.page_id`)
  await requireOpen(scope, page, 'page', `${PATH}.parent`)
  const place = await placeOf(scope, page, request.position)
  const id = newId()
  await insertBlocks(db, actor.workspaceId, [newRow(scope, place, { id, type: 'child_database', content: { title: [] } })])
  await insertDatabase(db, actor.workspaceId, id, {
    description: [],
    icon: null,
    cover: null,
    isInline: true,
    isLocked: false,
    sharesWords: false,
  })
  await touch(db, actor.workspaceId, [page.id], actor.userId, now)
  await recordEvent(scope, creation({ ...place, id, type: 'child_database' }))
  return id
}

async function placeOf(scope: WriteScope, page: Block, position: LinkedDatabaseRequest['position']): Promise<Place> {
  if (!position) return placeBelow(scope, page, undefined)
  const sibling = await findVisibleBlock(scope.db, scope.actor, canonicalId(position.block_id))
  if (!sibling || sibling.parentId !== page.id || sibling.inTrash) {
    throw invalid(`${PATH}.position.block_id`, 'should be the id of a block directly on the page, outside the trash')
  }
  return placeBelow(scope, page, { type: 'after_block', after_block: { id: sibling.id } })
}
