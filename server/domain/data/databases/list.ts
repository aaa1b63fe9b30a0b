import type { DatabaseList } from '../../../../generated/types.ts'
import { findBlocks } from '../../../store/blocks.ts'
import { listGrants } from '../../../store/grants.ts'
import { badCursor, cutPage, positionOf, presentPaging, type PageRequest, type Scope } from '../../shared/index.ts'
import { presentDatabases } from './present.ts'

/** Databases outside the trash that are shared with the connection directly, in the order in which they were shared. */
export async function listDatabases(scope: Scope, request: PageRequest): Promise<DatabaseList> {
  const { db, actor } = scope
  const after = positionOf(scope.cursors, request)
  const grants = await listGrants(db, actor.workspaceId, actor.userId)
  const granted = grants.map((grant) => grant.item_id)
  const blocks = await findBlocks(db, actor.workspaceId, granted)
  const shared = grants
    .toSorted((a, b) => a.created_time - b.created_time || (a.item_id < b.item_id ? -1 : 1))
    .flatMap((grant) => blocks.get(grant.item_id) ?? [])
    .filter(({ type, inTrash }) => type === 'child_database' && !inTrash)
  const start = after === undefined ? 0 : shared.findIndex(({ id }) => id === after[0]) + 1
  if (after !== undefined && start === 0) throw badCursor(request)
  const page = cutPage(scope.cursors, shared.slice(start, start + request.pageSize + 1), request, ({ id }) => [id])
  return {
    object: 'list',
    type: 'database',
    database: {},
    results: await presentDatabases(scope, page.items),
    ...presentPaging(page),
  }
}
