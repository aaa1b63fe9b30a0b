import type { Block } from '../../store/blocks.ts'
import type { PageRecord } from '../../store/pages.ts'

/** A page of a data source, as it is stored. */
export interface Row extends PageRecord {
  readonly block: Block
}
