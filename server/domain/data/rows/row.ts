import { canonicalId } from '../../../kernel/ids.ts'
import type { Block } from '../../../store/blocks.ts'
import { findVisiblePage, type PageRecord } from '../../../store/pages.ts'
import { reportDamage } from '../../../store/stored/damage.ts'
import { requireFound, requireIsPage } from '../../content/index.ts'
import { PLAIN_PAGE } from '../pages/details.ts'
import type { Scope } from '../../shared/index.ts'

/** A page with its stored data; outside data sources it has no values. */
export interface Row extends PageRecord {
  readonly block: Block
}

/** A page with its stored data. If damage has removed the data, the page is treated as a plain one. */
export function rowWith(block: Block, record: PageRecord | undefined): Row {
  if (!record) reportDamage({ place: 'pages', id: block.id, expected: 'a row with this id' })
  return { block, ...(record ?? { ...PLAIN_PAGE, values: {} }) }
}

/** Like `requirePage`, with all stored data of the page. */
export async function requirePageRow(scope: Scope, writtenId: string, path: string): Promise<Row> {
  const id = canonicalId(writtenId)
  const found = await findVisiblePage(scope.db, scope.actor, id)
  const block = requireIsPage(requireFound(scope, found?.block, id, 'page'), path)
  return rowWith(block, found?.record)
}
