import { andThen, type MaybePromise } from '../../kernel/maybe_promise.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { Block, BlockToEdit } from '../../store/blocks.ts'
import { findVisiblePage } from '../../store/pages.ts'
import { definitionOf } from '../block_types/index.ts'
import { requireFound, requireVisible, requireVisibleToEdit } from '../blocks/access.ts'
import { invalid } from '../failures.ts'
import { rowWith, type Row } from '../rows/row.ts'
import type { Scope, WriteScope } from '../scope.ts'

/**
 * The page that a request names.
 * @throws ServiceError `object_not_found`; `validation_error` for a block or a database, which the message names
 */
export function requirePage(scope: Scope, id: string, path: string): MaybePromise<Block> {
  return andThen(requireVisible(scope, id, 'page'), (block) => requireIsPage(block, path))
}

/** Like `requirePage`, for a page that is about to be changed, or to get something new: see `requireVisibleToEdit`. */
export function requirePageToEdit(scope: WriteScope, id: string, path: string): MaybePromise<BlockToEdit> {
  return andThen(requireVisibleToEdit(scope, id, 'page'), (block) => requireIsPage(block, path))
}

/** Like `requirePage`, with everything that is stored of the page. */
export function requirePageRow(scope: Scope, writtenId: string, path: string): MaybePromise<Row> {
  const id = canonicalId(writtenId)
  return andThen(findVisiblePage(scope.db, scope.actor, id), (found) => {
    const block = requireIsPage(requireFound(scope, found?.block, id, 'page'), path)
    return rowWith(block, found?.record)
  })
}

function requireIsPage<Found extends Block>(block: Found, path: string): Found {
  const { record } = definitionOf(block.type)
  if (record !== 'page') throw invalid(path, `should be the id of a page, instead was the id of a ${record}`)
  return block
}
