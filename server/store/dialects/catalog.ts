import type { Connection, Database } from '../database.ts'
import { rowOf } from '../row_shape.ts'
import { ID_TYPE, isSearched } from './sqlite_ids.ts'

type Engine = Database['engine']

/** The type of a column's values, the same for both engines. */
export type ColumnType = 'id' | 'bytes' | 'integer' | 'number' | 'text'

/** A column of a table, unless it is computed. */
export interface CatalogColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isBytes: boolean
  readonly isNullable: boolean
  /** Whether the engine limits the values to 32 bits. */
  readonly isSmall: boolean
  /** Whether the engine assigns the values: each is the number of the row in the whole database. */
  readonly isCounted: boolean
  /** Whether the texts in the column are searched. */
  readonly isSearched: boolean
}

/** A table as the engine describes it. */
export interface CatalogTable {
  readonly name: string
  readonly columns: readonly CatalogColumn[]
  /** The columns of the primary key, in the order of the key. */
  readonly key: readonly string[]
}

const columnRow = rowOf({
  table_name: 'text',
  name: 'text',
  type: ['id', 'bytes', 'integer', 'number', 'text'],
  is_nullable: 'integer',
  is_small: 'integer',
  is_counted: 'integer',
  key_position: 'integer',
})
const referenceRow = rowOf({ table_name: 'text', target: 'text' })

/** `key_position` starts with 1; it is 0 for a column that is not in the primary key. */
const COLUMNS: Readonly<Record<Engine, string>> = {
  sqlite: `select m.name as table_name, c.name as name, c.pk as key_position,
      case lower(c.type) when '${ID_TYPE}' then 'id' when 'blob' then 'bytes' when 'integer' then 'integer' when 'real' then 'number' else 'text' end as type,
      c."notnull" = 0 and c.pk = 0 as is_nullable, 0 as is_small,
      lower(c.type) = 'integer' and c.pk = 1 and not exists (select 1 from pragma_table_xinfo(m.name) o where o.pk = 2) as is_counted
    from sqlite_master m join pragma_table_xinfo(m.name) c
    where m.type = 'table' and m.name <> 'title_words' and m.name not like 'title_keys%' and c.hidden = 0 order by m.name, c.cid`,
  postgresql: `select table_name::text as table_name, c.column_name::text as name, (c.is_nullable = 'YES')::int as is_nullable, (c.data_type = 'integer')::int as is_small,
      case c.data_type when 'uuid' then 'id' when 'bytea' then 'bytes' when 'integer' then 'integer' when 'bigint' then 'integer'
        when 'double precision' then 'number' else 'text' end as type,
      (c.is_identity = 'YES')::int as is_counted,
      coalesce((select array_position(i.indkey::int[], c.ordinal_position::int) + 1 from pg_index i
        where i.indrelid = format('%I.%I', table_schema, table_name)::regclass and i.indisprimary
          and array_position((i.indkey::int[])[0:i.indnkeyatts - 1], c.ordinal_position::int) is not null), 0)::int as key_position
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where t.table_type = 'BASE TABLE' and table_schema = current_schema() and c.is_generated = 'NEVER' and table_name <> 'title_words'
    order by table_name, c.ordinal_position`,
}

const REFERENCES: Readonly<Record<Engine, string>> = {
  sqlite: `select distinct m.name as table_name, f."table" as target from sqlite_master m join pragma_foreign_key_list(m.name) f
    where m.type = 'table'`,
  postgresql: `select distinct conrelid::regclass::text as table_name, confrelid::regclass::text as target from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`,
}

/**
 * Every table of the database except the words of titles, which triggers maintain, and the full-text index that they replaced. Each table
 * comes before those to which it refers: rows can be deleted in this order, and inserted in the reverse order.
 */
export async function loadCatalog(engine: Engine, db: Connection): Promise<readonly CatalogTable[]> {
  const columns = await db.all(columnRow, COLUMNS[engine])
  const references = await db.all(referenceRow, REFERENCES[engine])
  const tables = [...Map.groupBy(columns, ({ table_name: name }) => name)].map(([name, own]) => ({
    name,
    columns: own.map((column) => ({
      name: column.name,
      type: column.type,
      isBytes: column.type === 'bytes',
      isNullable: column.is_nullable === 1,
      isSmall: column.is_small === 1,
      isCounted: column.is_counted === 1,
      isSearched: isSearched(name, column.name),
    })),
    key: own
      .filter(({ key_position: position }) => position > 0)
      .toSorted((one, other) => one.key_position - other.key_position)
      .map((column) => column.name),
  }))
  return sorted(tables, references)
}

/** Sorts topologically: repeatedly takes the tables to which none of the remaining ones refers. */
function sorted(tables: CatalogTable[], references: readonly { table_name: string; target: string }[]): CatalogTable[] {
  const [order, left] = [[] as CatalogTable[], new Map(tables.map((table) => [table.name, table]))]
  while (left.size > 0) {
    const named = new Set(
      references.filter((one) => left.has(one.table_name) && one.table_name !== one.target).map((one) => one.target),
    )
    const free = [...left.values()].filter(({ name }) => !named.has(name))
    if (free.length === 0) throw new Error(`tables refer to each other: ${[...left.keys()].join(', ')}`)
    for (const table of free) left.delete(table.name)
    order.push(...free)
  }
  return order
}
