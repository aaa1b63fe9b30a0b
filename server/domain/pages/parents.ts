import type { CreatePageRequest } from '../../../generated/types.ts'
import { type Block } from '../../store/blocks.ts'
import { lastRank } from '../../store/sibling_ranks.ts'
import { requireLiveAncestors, requireMayEdit, requireNotTrashed } from '../blocks/access.ts'
import { placeBelow } from '../blocks/blocks.ts'
import type { Place } from '../blocks/plan.ts'
import type { DataSource } from '../data_sources/load.ts'
import { invalid } from '../failures.ts'
import { placeInDataSource, requireRowParent } from '../rows/create.ts'
import type { WriteScope } from '../scope.ts'
import { requirePage } from './access.ts'

/** Where a page goes: below a page, into a data source, or to the top of the workspace, where there is no block. */
export interface PageParent {
  readonly block?: Block
  readonly dataSource?: DataSource
}

/**
 * Where a new page goes. The parent may still be in the trash or closed to changes.
 * @throws ServiceError `object_not_found`, or `validation_error` for what cannot be a parent
 */
export async function requireParent(scope: WriteScope, parent: CreatePageRequest['parent']): Promise<PageParent> {
  if (parent === undefined || 'workspace' in parent) {
    if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {
      throw invalid('body.parent', 'should name a page: an internal connection cannot create pages at the top of the workspace')
    }
    return {}
  }
  if ('page_id' in parent) return { block: await requirePage(scope, parent.page_id, 'body.parent.page_id') }
  const dataSource = await requireRowParent(scope, parent)
  return { dataSource, block: dataSource.block }
}

/** Makes sure that pages may be put below a page, or into a data source. @param path where the request names it */
export async function requireOpen(scope: WriteScope, parent: Block, path: string): Promise<void> {
  await requireMayEdit(scope, parent, parent.type === 'data_source' ? 'data source' : 'page')
  requireNotTrashed(parent, path)
  await requireLiveAncestors(scope, parent, path)
}

/** The place that a request asks for. */
export function placeOf(
  scope: WriteScope,
  { block, dataSource }: PageParent,
  position: CreatePageRequest['position'],
): Promise<Place> {
  if (dataSource) return placeInDataSource(scope, dataSource)
  return block ? placeBelow(scope, block, position) : topOfWorkspace(scope)
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
