/** Column types that engines spell differently. */
export interface ColumnTypes {
  readonly id: string
  readonly time: string
  readonly bytes: string
  /** Text compared byte by byte, whatever the locale of the database. */
  readonly bytewise: string
  /** A table whose rows may be lost in a crash, and are the quicker for it. */
  readonly passingTable: string
}

export const columnTypes: Record<'sqlite' | 'postgresql', ColumnTypes> = {
  sqlite: { id: 'text', time: 'integer', bytes: 'blob', bytewise: 'text', passingTable: 'table' },
  postgresql: { id: 'uuid', time: 'bigint', bytes: 'bytea', bytewise: 'text collate "C"', passingTable: 'unlogged table' },
}
