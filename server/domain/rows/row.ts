import type { Block } from '../../store/blocks.ts'
import type { PageRecord } from '../../store/pages.ts'

/** A page, as it is stored; outside of data sources it has no values. */
export interface Row extends PageRecord {
  readonly block: Block
}

/** A page with the row of its own that every page has. */
export function rowWith(block: Block, record: PageRecord | undefined): Row {
  if (!record) throw new Error(`page ${block.id} has no row of its own`)
  return { block, ...record }
}
