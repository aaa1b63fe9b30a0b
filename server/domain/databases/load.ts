import type { Block } from '../../store/blocks.ts'
import { requireVisible } from '../blocks/access.ts'
import type { Scope } from '../scope.ts'

/** @throws ServiceError `object_not_found` for anything but a database that is visible to the caller */
export async function requireDatabase(scope: Scope, writtenId: string): Promise<Block> {
  return requireVisible(scope, writtenId, 'database')
}
