import { canonicalId } from '../../../kernel/ids.ts'
import { visibleAmong } from '../../../store/access.ts'
import { findBlock, type Block } from '../../../store/blocks.ts'
import { findVisibleView, type View } from '../../../store/views.ts'
import { requireLiveAncestors, requireMayEdit } from '../../content/index.ts'
import { loadDataSources, type DataSource } from '../data_sources/load.ts'
import { invalid, notFound, type Scope, type WriteScope } from '../../shared/index.ts'
import { querySchema } from '../queries/schema.ts'
import type { CheckedSchema, ViewSchema } from './settings.ts'

export interface ViewAround {
  readonly view: View
  readonly database: Block
  /** Undefined if the data source is not visible to the caller; the view then shows no properties. */
  readonly source: DataSource | undefined
}

/**
 * Finds a view. Anyone who can see a database can see its views.
 * @throws ServiceError `object_not_found`, both if it is missing and if its database is not shared
 */
export async function requireView(scope: Scope, writtenId: string): Promise<ViewAround> {
  const { db, actor } = scope
  const id = canonicalId(writtenId)
  const view = await findVisibleView(db, actor, id)
  const database = view && (await findBlock(db, actor.workspaceId, view.databaseId))
  if (!view || !database) throw notFound(actor, 'view', id)
  const isSourceSeen = actor.seesWholeWorkspace || (await visibleAmong(db, actor, [view.dataSourceId])).size > 0
  const source = isSourceSeen ? (await loadDataSources(scope, [view.dataSourceId])).get(view.dataSourceId) : undefined
  return { view, database, source }
}

/**
 * Checks that the caller may change the views of a database.
 * @param path of the reference to it in the request
 */
export async function requireOpenDatabase(scope: WriteScope, database: Block, path: string): Promise<void> {
  await requireMayEdit(scope, database, 'database')
  if (database.inTrash) throw invalid(path, 'should not be in the trash: restore the database first')
  await requireLiveAncestors(scope, database, path)
}

/** The schema for presenting the settings of a view: the properties visible to the caller. */
export function visibleSchema(source: DataSource | undefined): ViewSchema {
  return { properties: source?.properties ?? [] }
}

/** The schema for checking the settings of a view when they are written, or used to run the view. */
export async function checkedSchema(scope: Scope, source: DataSource): Promise<CheckedSchema> {
  const query = await querySchema(scope, source, true)
  return { properties: query.columns, query }
}
