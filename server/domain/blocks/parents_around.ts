import type { Parent } from '../../../generated/types.ts'
import { findBlocks } from '../../store/blocks.ts'
import type { Scope } from '../scope.ts'

/** The page that contains each block, or the workspace if there is none. Ids that name nothing are omitted. */
export async function parentsAround(scope: Scope, blockIds: readonly string[]): Promise<Map<string, Parent>> {
  const parents = new Map<string, Parent>()
  for (const [id, { pageId }] of await findBlocks(scope.db, scope.actor.workspaceId, [...new Set(blockIds)])) {
    parents.set(id, pageId === null ? { type: 'workspace', workspace: true } : { type: 'page_id', page_id: pageId })
  }
  return parents
}
