import { collationKey, SYMBOLS, textOfKey } from '../../kernel/collation.ts'
import type { Transaction } from '../database.ts'
import type { Migration } from './migration.ts'

const RUN = 2_000

interface KeyedCell {
  readonly workspace_id: string
  readonly page_id: string
  readonly property_id: string
  readonly position: number
  readonly text_key: string
}

/** Emoji sort before digits and letters: the keys of texts that hold some are made anew. */
export const symbolKeys: Migration = {
  name: 'symbol keys',
  statements: () => [],
  async fill(db) {
    for (let last: KeyedCell | undefined; ;) {
      const cells = await cellsBehind(db, last)
      for (const cell of cells) {
        if (!SYMBOLS.test(cell.text_key)) continue
        await db.run(
          'update cells set text_key = ? where workspace_id = ? and page_id = ? and property_id = ? and position = ?',
          collationKey(textOfKey(cell.text_key)),
          cell.workspace_id,
          cell.page_id,
          cell.property_id,
          cell.position,
        )
      }
      last = cells.at(-1)
      if (cells.length < RUN) return
    }
  },
}

/** Cells of texts in the order of their primary key. */
function cellsBehind(db: Transaction, last: KeyedCell | undefined): Promise<KeyedCell[]> {
  const behind = last ? 'and (workspace_id, page_id, property_id, position) > (?, ?, ?, ?)' : ''
  const place = last ? [last.workspace_id, last.page_id, last.property_id, last.position] : []
  return db.all(
    `select workspace_id, page_id, property_id, position, text_key from cells where text is not null and text_key is not null ${behind}
     order by workspace_id, page_id, property_id, position limit ?`,
    ...place,
    RUN,
  )
}
