import type { CallParts } from '../../harness/caller.ts'
import type { Kind } from './border_kinds.ts'
import type { RequestContext } from './border_rows.ts'
import type { World } from './border_world.ts'

/** The ways to name a column. */
export const COLUMN: readonly Kind[] = ['column by name', 'column by id']

/** A request to the shown data source. */
export function onSource({ world }: RequestContext, body: object): CallParts {
  return { path: { data_source_id: world.shown.source }, body }
}

/** Required members of every new view of the shown database. */
export function newView({ shown }: World): object {
  return { database_id: shown.database, data_source_id: shown.source, name: 'New' }
}
