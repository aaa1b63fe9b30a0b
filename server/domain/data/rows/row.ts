import type { Block } from '../../../store/blocks.ts'
import type { PageRecord } from '../../../store/pages.ts'
import { reportDamage } from '../../../store/stored/damage.ts'
import { PLAIN_PAGE } from '../pages/details.ts'

/** A page, as it is stored; outside of data sources it has no values. */
export interface Row extends PageRecord {
  readonly block: Block
}

/** A page with the row of its own that every page has. Where damage has taken it away, it is that of a plain page. */
export function rowWith(block: Block, record: PageRecord | undefined): Row {
  if (!record) reportDamage({ place: 'pages', id: block.id, expected: 'a row with this id' })
  return { block, ...(record ?? { ...PLAIN_PAGE, values: {} }) }
}
