import { andThen, type MaybePromise } from '../../kernel/maybe_promise.ts'
import type { Block, BlockToEdit } from '../../store/blocks.ts'
import { definitionOf } from '../block_types/index.ts'
import { requireVisible, requireVisibleToEdit } from '../blocks/access.ts'
import { invalid } from '../failures.ts'
import type { Scope, WriteScope } from '../scope.ts'

/**
 * The page that a request names.
 * @throws ServiceError `object_not_found`; `validation_error` for a block or a database, which the message names
 */
export function requirePage(scope: Scope, id: string, path: string): MaybePromise<Block> {
  return andThen(requireVisible(scope, id, 'page'), (block) => pageIn(block, path))
}

/** Like `requirePage`, for a page that is about to be changed, or to get something new: see `requireVisibleToEdit`. */
export function requirePageToEdit(scope: WriteScope, id: string, path: string): MaybePromise<BlockToEdit> {
  return andThen(requireVisibleToEdit(scope, id, 'page'), (block) => pageIn(block, path))
}

function pageIn<Found extends Block>(block: Found, path: string): Found {
  const { record } = definitionOf(block.type)
  if (record !== 'page') throw invalid(path, `should be the id of a page, instead was the id of a ${record}`)
  return block
}
