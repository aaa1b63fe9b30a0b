import type { CreatePageRequest } from '../../../../generated/types.ts'
import type { Block, BlockToEdit } from '../../../store/blocks.ts'
import { placeBelow, placeAtEnd, requirePageToEdit, type Place } from '../../content/index.ts'
import type { DataSource } from '../data_sources/load.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { requireRowParent } from '../rows/create.ts'

/** The parent of a page: a page, a data source, or the top of the workspace, which has no block. */
export interface PageParent {
  readonly block?: Block | BlockToEdit | undefined
  readonly dataSource?: DataSource | undefined
}

/**
 * The parent of a new page or database. Whether it is in the trash or read-only is not checked.
 * @param kind the kind of the new record, for messages
 * @throws ServiceError `object_not_found`; `validation_error` for a record that cannot be a parent
 */
export async function requireParent(
  scope: WriteScope,
  parent: CreatePageRequest['parent'],
  kind: 'pages' | 'databases' = 'pages',
): Promise<PageParent> {
  if (parent === undefined || 'workspace' in parent) {
    if (scope.actor.personId === undefined && !scope.actor.seesWholeWorkspace) {
      throw invalid('body.parent', `should name a page: an internal connection cannot create ${kind} at the top of the workspace`)
    }
    return {}
  }
  if ('page_id' in parent) return { block: await requirePageToEdit(scope, parent.page_id, 'body.parent.page_id') }
  const dataSource = await requireRowParent(scope, parent)
  return { dataSource, block: dataSource.block }
}

/** The place of a new page: the requested position, or the last one by default. */
export async function placeOf(
  scope: WriteScope,
  { block, dataSource }: PageParent,
  position?: CreatePageRequest['position'],
): Promise<Place> {
  if (dataSource) return placeAtEnd(scope, { parentType: 'data_source_id', parentId: dataSource.id, pageId: null })
  if (block) return placeBelow(scope, block, position)
  return placeAtEnd(scope, { parentType: 'workspace', parentId: scope.actor.workspaceId, pageId: null })
}
