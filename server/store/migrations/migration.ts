import type { Database } from '../database.ts'
import type { ColumnTypes } from '../dialects/column_types.ts'

/** One step of the schema. Steps are only ever added; a step that has shipped never changes. */
export interface Migration {
  /** The schema that a database has behind this step. */
  readonly number: number
  readonly name: string
  statements(types: ColumnTypes, engine: Database['engine']): readonly string[]
}
