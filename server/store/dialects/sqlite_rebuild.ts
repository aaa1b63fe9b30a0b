import { DatabaseSync } from 'node:sqlite'
import { isSearched, storedColumn } from './sqlite_ids.ts'

/** Tables without ids: those of the engine itself, and those of a full-text index. */
const OTHERS = `name like 'sqlite_%' or name like 'title_keys%' or name = 'migrations'`
const OLD = 'old_'
/** Types of columns that do not contain ids. */
const UNCHANGED: ReadonlySet<string> = new Set(['integer', 'real', 'blob'])

/**
 * The statements that rebuild every table of a database in its current form and copy its rows, with ids as bytes. Rows are copied in the
 * order of the old table, and indexes are created afterwards, which is faster than inserting into them.
 * @param schema the statements that create a new database with the same schema
 */
export function rebuildTables(schema: readonly string[]): string[] {
  const made = new DatabaseSync(':memory:')
  try {
    for (const statement of schema) made.exec(statement)
    const parts = made
      .prepare(`select type, name, tbl_name as owner, sql from sqlite_master where sql is not null and not (${OTHERS})`)
      .all()
    const tables = parts.filter(({ type }) => type === 'table')
    // Otherwise, constraints and triggers would refer to the old tables under their new names.
    return [
      'PRAGMA legacy_alter_table = ON',
      ...tables.flatMap(({ name, sql }) => {
        const columns = made.prepare('select name, type from pragma_table_xinfo(?)').all(String(name))
        return [...rebuildTable(String(name), String(sql), columns), ...parts.flatMap((part) => belongsTo(part, name))]
      }),
      'PRAGMA legacy_alter_table = OFF',
    ]
  } finally {
    made.close()
  }
}

type Described = ReturnType<ReturnType<DatabaseSync['prepare']>['all']>[number]

function rebuildTable(name: string, definition: string, columns: readonly Described[]): string[] {
  const names = columns.map((column) => String(column['name']))
  const values = columns.map(({ type }, index) => {
    const column = names[index] ?? ''
    return UNCHANGED.has(String(type)) || isSearched(name, column) ? column : storedColumn(column)
  })
  return [
    `alter table ${name} rename to ${OLD}${name}`,
    definition,
    `insert into ${name} (${names.join(', ')}) select ${values.join(', ')} from ${OLD}${name}`,
    `drop table ${OLD}${name}`,
  ]
}

/** The definition of an index or a trigger of a table. */
function belongsTo({ type, owner, sql }: Described, table: unknown): string[] {
  return type !== 'table' && owner === table ? [String(sql)] : []
}
