import type { CallParts } from '../../harness/caller.ts'
import type { Kind } from './border_kinds.ts'
import type { Asking } from './border_rows.ts'
import type { World } from './border_world.ts'

/** How a column may be named. */
export const COLUMN: readonly Kind[] = ['column by name', 'column by id']

/** A request to the shown data source. */
export function onSource({ world }: Asking, body: object): CallParts {
  return { path: { data_source_id: world.shown.source }, body }
}

/** What every new view of the shown database has. */
export function newView({ shown }: World): object {
  return { database_id: shown.database, data_source_id: shown.source, name: 'New' }
}
