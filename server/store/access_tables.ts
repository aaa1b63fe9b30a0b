/** The tables that determine who holds a token, and with which rights. `readCached` may read only these. */
export const accessTables: ReadonlySet<string> = new Set([
  'tokens',
  'workspaces',
  'users',
  'connections',
  'grants',
  'member_groups',
  'member_group_people',
])

const FIRST_WORD = /^\s*(\w+)/
const CHANGED_TABLE = /\b(?:insert into|update|delete from)\s+(\w+)/gi

/** Whether a statement may change one of these tables. Statements that are not about rows, such as `drop table`, count as changes. */
export function changesAccess(sql: string): boolean {
  const word = FIRST_WORD.exec(sql)?.[1]?.toLowerCase() ?? ''
  if (word === 'select') return false
  if (!['with', 'insert', 'update', 'delete'].includes(word)) return true
  for (const [, table = ''] of sql.matchAll(CHANGED_TABLE)) if (accessTables.has(table.toLowerCase())) return true
  return false
}
