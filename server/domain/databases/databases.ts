import type { DatabaseObject, PartialDatabase } from '../../../generated/types.ts'
import type { Scope } from '../scope.ts'
import { requireDatabase } from './load.ts'
import { readDatabase } from './read.ts'

/** A database, in the trash or not. */
export async function retrieveDatabase(scope: Scope, id: string): Promise<DatabaseObject | PartialDatabase> {
  return readDatabase(scope, await requireDatabase(scope, id))
}
