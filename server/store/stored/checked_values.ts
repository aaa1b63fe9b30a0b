import { columnTypes } from '../dialects/column_types.ts'
import { migrations } from '../migrations/index.ts'

const TABLE = /^create table (\w+)/
/** Matches checks such as `status text not null check (status in ('open', 'closed'))`. */
const CHECK = /check \((\w+) in\s*\(([^()]*)\)\)/g

/** The values that the tables' own checks allow, by column, for example `users.kind`. */
export function checkedValues(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const migration of migrations) {
    if (migration.rebuilds) continue
    for (const statement of migration.statements(columnTypes.sqlite, 'sqlite')) {
      const table = TABLE.exec(statement)?.[1]
      for (const [, column, values = ''] of table === undefined ? [] : statement.matchAll(CHECK))
        found.set(
          `${table}.${column}`,
          values.split(',').map((value) => value.trim().replaceAll("'", '')),
        )
    }
  }
  return found
}
