import type { Database, Transaction } from '../database.ts'
import { distributedTables, placeTables } from './distribution.ts'

const TABLES_OF_WORKSPACES = `select c.relname::text as name from pg_class c join pg_attribute a on a.attrelid = c.oid
  where c.relnamespace = current_schema::regnamespace and c.relkind in ('r', 'p') and a.attname = 'workspace_id' and not a.attisdropped`

/**
 * Tells PostgreSQL's planner that every workspace is large. A prepared statement is planned for the average workspace. If most workspaces
 * are tiny, any index that begins with the workspace looks as good as the primary key, and finding one row of a large workspace would scan
 * the whole workspace. A distributed table does not accept the option.
 */
async function declareWorkspacesLarge(db: Transaction): Promise<void> {
  const distributed = await distributedTables(db)
  for (const { name } of await db.all({ name: 'text' }, TABLES_OF_WORKSPACES))
    if (!distributed.has(name)) await db.run(`alter table ${name} alter column workspace_id set (n_distinct = 10)`)
}

/** What to do after each migration: among others, place new tables of a database that is distributed. */
export async function afterMigration(engine: Database['engine'], db: Transaction): Promise<void> {
  if (engine === 'sqlite') return
  await declareWorkspacesLarge(db)
  if ((await distributedTables(db)).size > 0) await placeTables(db)
}
