import { andThen, type MaybePromise } from '../../kernel/maybe_promise.ts'
import type { Block } from '../../store/blocks.ts'
import { definitionOf } from '../block_types/index.ts'
import { requireVisible } from '../blocks/access.ts'
import { invalid } from '../failures.ts'
import type { Scope } from '../scope.ts'

/**
 * The page that a request names.
 * @throws ServiceError `object_not_found`; `validation_error` for a block or a database, which the message names
 */
export function requirePage(scope: Scope, id: string, path: string): MaybePromise<Block> {
  return andThen(requireVisible(scope, id, 'page'), (block) => {
    const { record } = definitionOf(block.type)
    if (record !== 'page') throw invalid(path, `should be the id of a page, instead was the id of a ${record}`)
    return block
  })
}
