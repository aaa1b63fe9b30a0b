import type { DatabaseObject, PartialDatabase } from '../../../generated/types.ts'
import type { Scope } from '../scope.ts'
import { requireDatabase } from './load.ts'
import { presentDatabase } from './present.ts'

/** A database, whether or not it is in the trash. */
export async function retrieveDatabase(scope: Scope, id: string): Promise<DatabaseObject | PartialDatabase> {
  return presentDatabase(scope, await requireDatabase(scope, id))
}
