import type { Database, Transaction } from '../database.ts'
import type { ColumnTypes } from '../dialects/column_types.ts'

/** One step of the schema. Steps are only ever added; a step that has shipped never changes. */
export interface Migration {
  readonly name: string
  statements(types: ColumnTypes, engine: Database['engine']): readonly string[]
  /** What SQL alone cannot do with the rows that are there already; in the same transaction, after the statements. */
  fill?(db: Transaction): Promise<void>
}
