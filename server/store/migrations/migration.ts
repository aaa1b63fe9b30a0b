import type { Database } from '../database.ts'
import type { ColumnTypes } from '../dialects/column_types.ts'

/** One step of the schema. A migration that has been released never changes. */
export interface Migration {
  /** The number of the schema after this migration. */
  readonly number: number
  readonly name: string
  /** Whether it rebuilds tables because rows are in an older form. A new database does not need it. */
  readonly rebuilds?: boolean
  statements(types: ColumnTypes, engine: Database['engine']): readonly string[]
}
