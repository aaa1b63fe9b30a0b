import type { CreatePageRequest } from '../../../generated/types.ts'
import { serviceUnavailable } from '../../kernel/unavailable.ts'
import { lastRank, type Block } from '../../store/blocks.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed, requireVisible } from '../blocks/access.ts'
import type { Place } from '../blocks/plan.ts'
import { invalid } from '../failures.ts'
import type { WriteScope } from '../scope.ts'
import { requirePage } from './access.ts'

/**
 * The page that a new page goes below, or undefined for the top of the workspace. It may still be in the trash or closed to changes.
 * @throws ServiceError `object_not_found`, or `validation_error` for what cannot be a parent
 */
export async function requireParent(scope: WriteScope, parent: CreatePageRequest['parent']): Promise<Block | undefined> {
  if (parent === undefined || 'workspace' in parent) {
    if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {
      throw invalid('body.parent', 'should name a page: an internal connection cannot create pages at the top of the workspace')
    }
    return undefined
  }
  if ('page_id' in parent) return requirePage(scope, parent.page_id, 'body.parent.page_id')
  if ('database_id' in parent) await requireVisible(scope, parent.database_id, 'database')
  throw rowsLater()
}

/** Makes sure that pages may be put below a page. @param path where the request names it */
export async function requireOpen(scope: WriteScope, parent: Block, path: string): Promise<void> {
  await requireMayEdit(scope, parent, 'page')
  requireNotTrashed(parent, path)
  await requireLiveAncestors(scope, parent, path)
}

/** The last place at the top of the workspace. */
export async function topOfWorkspace(scope: WriteScope): Promise<Place> {
  const { workspaceId } = scope.actor
  return {
    parentType: 'workspace',
    parentId: workspaceId,
    pageId: null,
    behind: await lastRank(scope.db, workspaceId, workspaceId),
    before: null,
  }
}

/** Rows of data sources come with a later release. */
export function rowsLater(): Error {
  return serviceUnavailable('Rows of data sources cannot be used yet: this release does not implement it.')
}
