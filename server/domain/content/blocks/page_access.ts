import type { Block, BlockToEdit } from '../../../store/blocks.ts'
import { definitionOf } from '../block_types/index.ts'
import { requireVisible, requireVisibleToEdit } from './access.ts'
import { invalid, type Scope, type WriteScope } from '../../shared/index.ts'

/**
 * The page in a request.
 * @throws ServiceError `object_not_found`; `validation_error` for a block or a database, which the message names
 */
export async function requirePage(scope: Scope, id: string, path: string): Promise<Block> {
  return requireIsPage(await requireVisible(scope, id, 'page'), path)
}

/** Like `requirePage`, for a page that is about to be changed, or to receive new content: see `requireVisibleToEdit`. */
export async function requirePageToEdit(scope: WriteScope, id: string, path: string): Promise<BlockToEdit> {
  return requireIsPage(await requireVisibleToEdit(scope, id, 'page'), path)
}

/** @throws ServiceError `validation_error` for a block or a database */
export function requireIsPage<Found extends Block>(block: Found, path: string): Found {
  const { record } = definitionOf(block.type)
  if (record !== 'page') throw invalid(path, `should be the id of a page, instead was the id of a ${record}`)
  return block
}
