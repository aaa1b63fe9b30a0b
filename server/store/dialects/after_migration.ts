/**
 * Tells PostgreSQL's planner that every workspace is large. It plans a prepared statement for the average workspace, and where most
 * are tiny it would find any index that begins with the workspace as good as the whole key; then one record of a large workspace
 * costs a scan of all of it.
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

/** What an engine is told about the tables when they have changed. */
export const afterMigration: Record<'sqlite' | 'postgresql', readonly string[]> = {
  sqlite: [],
  postgresql: [EVERY_WORKSPACE_IS_LARGE],
}
