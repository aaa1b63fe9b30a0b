import { raw, sql, type Sql } from './sql.ts'

/** The rows of a data source, either those in the trash or the others. */
export interface RowSet {
  readonly workspaceId: string
  readonly dataSourceId: string
  readonly inTrash: boolean
}

/**
 * An index by which rows are scanned. The index of a property contains only rows that have a value, each once for every element of its
 * value.
 */
export type AccessPath =
  | { readonly along: 'numbers' | 'dates' | 'texts'; readonly propertyId: string }
  | { readonly along: 'creation' | 'edits' }

/** The sort key of a row on an access path: a number, the start and end of a date, a text, or a time. */
export type Key = readonly (number | string)[]

/** The columns that order rows with equal keys. */
export interface Tie {
  readonly created: number
  readonly id: string
}

/** An access path in SQL, for rows named `r`. */
export interface AccessPathSql {
  readonly table: 'cells' | 'blocks'
  readonly id: string
  readonly created: string
  readonly keys: readonly string[]
  /** The columns of the index in its direction, without those that `where` fixes. */
  readonly order: readonly (readonly [column: string, direction: 'asc' | 'desc'])[]
  readonly natural: 'ascending' | 'descending'
  readonly where: Sql
  /** Columns of the index between the keys and the ties that are always null on this path. */
  readonly unused: readonly string[]
}

/** The table, columns and condition by which an access path scans the rows of a data source. */
export function accessPathSql(path: AccessPath, { workspaceId, dataSourceId, inTrash }: RowSet): AccessPathSql {
  const trash = raw(Number(inTrash))
  if (!('propertyId' in path)) {
    const time = path.along === 'creation' ? 'r.created_time' : 'r.last_edited_time'
    return {
      table: 'blocks',
      id: 'r.id',
      created: 'r.created_time',
      keys: [time],
      order:
        path.along === 'creation'
          ? [
              [time, 'desc'],
              ['r.id', 'asc'],
            ]
          : [
              [time, 'asc'],
              ['r.created_time', 'desc'],
              ['r.id', 'asc'],
            ],
      natural: path.along === 'creation' ? 'descending' : 'ascending',
      where: sql`r.workspace_id = ${workspaceId} and r.parent_id = ${dataSourceId} and r.in_trash = ${trash}
        and r.parent_type = 'data_source_id'`,
      unused: [],
    }
  }
  const isText = path.along === 'texts'
  const index = isText ? ['r.text_key', 'r.tie', 'r.page_id', 'r.position'] : ['r.number_key', 'r.end_key', 'r.tie', 'r.page_id']
  return {
    table: 'cells',
    id: 'r.page_id',
    created: '(-r.tie)',
    keys: isText ? ['r.text_key'] : path.along === 'dates' ? ['r.number_key', 'r.end_key'] : ['r.number_key'],
    order: index.map((column) => [column, 'asc']),
    natural: 'ascending',
    where: sql`r.workspace_id = ${workspaceId} and r.data_source_id = ${dataSourceId} and r.property_id = ${path.propertyId}
      and r.in_trash = ${trash} and ${raw(isText ? 'r.text_key' : 'r.number_key')} is not null`,
    unused: path.along === 'numbers' ? ['r.end_key'] : [],
  }
}
