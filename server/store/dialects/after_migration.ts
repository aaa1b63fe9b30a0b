/**
 * Tells PostgreSQL's planner that every workspace is large. A prepared statement is planned for the average workspace. If most workspaces
 * are tiny, any index that begins with the workspace looks as good as the primary key, and finding one row of a large workspace would scan
 * the whole workspace.
 */
const EVERY_WORKSPACE_IS_LARGE = `do $$
  declare name text;
  begin
    for name in
      select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = current_schema::regnamespace and c.relkind in ('r', 'p') and a.attname = 'workspace_id' and not a.attisdropped
    loop
      execute format('alter table %I alter column workspace_id set (n_distinct = 10)', name);
    end loop;
  end $$`

/** Statements to run after each migration. */
export const afterMigration: Record<'sqlite' | 'postgresql', readonly string[]> = {
  sqlite: [],
  postgresql: [EVERY_WORKSPACE_IS_LARGE],
}
