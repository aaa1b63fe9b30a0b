import type { ColumnTypes } from '../dialects/column_types.ts'

/** One step of the schema. Steps are only ever added; a step that has shipped never changes. */
export interface Migration {
  readonly name: string
  statements(types: ColumnTypes): readonly string[]
}
