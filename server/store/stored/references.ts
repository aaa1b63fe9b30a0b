import type { Connection } from '../database.ts'
import type { CatalogTable } from '../dialects/catalog.ts'
import { raw, sql, type Sql } from '../sql.ts'
import type { BrokenReference } from './broken_reference.ts'
import { brokenContent } from './broken_content.ts'
import { brokenValues } from './broken_values.ts'

/** A column whose values are the ids of rows of the same workspace. */
interface Reference {
  readonly table: string
  readonly column: string
  readonly target: string
  /** A condition on a row `c` under which other values are valid as well. */
  readonly or?: string
}

const WORKSPACES_AT_ONCE = 500

/**
 * A condition under which references in a workspace may be broken: blocks are erased from the top, and their comments and other rows follow
 * in batches.
 */
const ERASING = `exists (select 1 from erased_blocks e where e.workspace_id = c.workspace_id)`

const references: readonly Reference[] = [
  { table: 'blocks', column: 'page_id', target: 'blocks', or: ERASING },
  { table: 'data_source_counters', column: 'id', target: 'blocks', or: ERASING },
  { table: 'data_source_templates', column: 'page_id', target: 'blocks', or: ERASING },
  { table: 'discussions', column: 'parent_id', target: 'blocks', or: ERASING },
  { table: 'comments', column: 'parent_id', target: 'blocks', or: ERASING },
  { table: 'titles', column: 'id', target: 'blocks', or: ERASING },
  { table: 'meeting_notes', column: 'id', target: 'blocks', or: ERASING },
  { table: 'access_rules', column: 'item_id', target: 'blocks', or: `c.item_id = c.workspace_id or ${ERASING}` },
  { table: 'grants', column: 'item_id', target: 'blocks', or: `c.item_id = c.workspace_id or ${ERASING}` },
  { table: 'grants', column: 'bot_id', target: 'users' },
  { table: 'tokens', column: 'user_id', target: 'users' },
  { table: 'member_group_people', column: 'user_id', target: 'users' },
  { table: 'file_parts', column: 'upload_id', target: 'file_uploads' },
  { table: 'session_turns', column: 'session_id', target: 'sessions' },
  { table: 'session_events', column: 'session_id', target: 'sessions' },
  { table: 'session_calls', column: 'session_id', target: 'sessions' },
  { table: 'views', column: 'dashboard_id', target: 'views', or: ERASING },
  { table: 'view_query_pieces', column: 'query_id', target: 'view_queries' },
  { table: 'views', column: 'data_source_id', target: 'data_sources' },
  { table: 'data_source_templates', column: 'data_source_id', target: 'data_sources' },
  { table: 'agents', column: 'instructions_page_id', target: 'pages' },
  { table: 'agent_versions', column: 'instructions_page_id', target: 'pages' },
  { table: 'agent_schedules', column: 'agent_id', target: 'agents' },
  { table: 'agent_triggers', column: 'agent_id', target: 'agents' },
  { table: 'meeting_notes', column: 'upload_id', target: 'file_uploads' },
  // Users stay when they leave the workspace, and so do the bots of deleted agents and connections.
  ...authors('blocks', 'created_by', 'last_edited_by'),
  ...authors('views', 'created_by', 'last_edited_by'),
  ...authors('comments', 'created_by'),
  ...authors('audit_log', 'person_id', 'bot_id'),
  ...authors('agents', 'created_by'),
  ...authors('agent_access', 'shared_by'),
  ...authors('agent_favorites', 'user_id'),
  ...authors('agent_limit_requests', 'user_id'),
  ...authors('async_tasks', 'actor_id'),
  ...authors('authorization_codes', 'person_id'),
  ...authors('meeting_note_people', 'user_id'),
  ...authors('outbox', 'author_id'),
  ...authors('sessions', 'creator_id', 'owner_id'),
  ...authors('session_calls', 'decider_id'),
  ...authors('session_turns', 'actor_id'),
  ...authors('token_families', 'bot_id'),
  ...authors('users', 'owner_id'),
  // The id of the workspace stands for all of its members.
  { table: 'access_rules', column: 'subject_id', target: 'users', or: `c.subject_id = c.workspace_id` },
  { table: 'agent_access', column: 'subject_id', target: 'users', or: `c.subject_id = c.workspace_id` },
]

function authors(table: string, ...columns: readonly string[]): readonly Reference[] {
  return columns.map((column) => ({ table, column, target: 'users' }))
}

/**
 * Broken references, at most `limit` of each kind.
 * @param tables the catalog
 * @param workspaceId restricts the search to one workspace
 */
export async function* brokenReferences(
  db: Connection,
  tables: readonly CatalogTable[],
  limit: number,
  workspaceId?: string,
): AsyncGenerator<BrokenReference, void, undefined> {
  yield* fewOfEachColumn(brokenInAll(db, tables, limit, workspaceId), limit)
}

async function* brokenInAll(
  db: Connection,
  tables: readonly CatalogTable[],
  limit: number,
  workspaceId: string | undefined,
): AsyncGenerator<BrokenReference, void, undefined> {
  if (workspaceId !== undefined) return yield* brokenIn(db, tables, limit, workspaceId)
  for (let last = ''; ;) {
    const later = last === '' ? sql`` : sql`where id > ${last}`
    const found = await db.all({ id: 'text' }, sql`select id from workspaces ${later} order by id limit ${WORKSPACES_AT_ONCE}`)
    for (const { id } of found) yield* brokenIn(db, tables, limit, id)
    last = found.at(-1)?.id ?? ''
    if (found.length < WORKSPACES_AT_ONCE) return
  }
}

async function* brokenIn(
  db: Connection,
  tables: readonly CatalogTable[],
  limit: number,
  workspaceId: string,
): AsyncGenerator<BrokenReference, void, undefined> {
  const byName = new Map(tables.map((table) => [table.name, table]))
  for (const { table: name, column, target, or } of references) {
    const table = byName.get(name)
    if (!table) continue
    const other = or === undefined ? sql`` : sql`and not (${raw(or)})`
    const missing = sql`c.${raw(column)} is not null ${other} and not exists
      (select 1 from ${raw(target)} t where t.workspace_id = ${workspaceId} and t.id = c.${raw(column)})`
    yield* broken(db, table, column, `the id of a row of ${target}`, missing, limit, workspaceId)
  }
  const blocks = byName.get('blocks')
  const expected = 'a parent in the tree of the workspace'
  if (blocks) yield* broken(db, blocks, 'parent_id', expected, strayIn(workspaceId), limit, workspaceId)
  yield* brokenValues(db, tables, workspaceId)
  yield* brokenContent(db, tables, workspaceId)
}

async function* fewOfEachColumn(
  all: AsyncGenerator<BrokenReference, void, undefined>,
  limit: number,
): AsyncGenerator<BrokenReference, void, undefined> {
  const counts = new Map<string, number>()
  for await (const one of all) {
    const column = `${one.table}.${one.column.split(/[.[]/, 1)[0]}`
    const count = (counts.get(column) ?? 0) + 1
    counts.set(column, count)
    if (count <= limit) yield one
  }
}

/**
 * A condition for blocks without a path up to the workspace: an ancestor is missing, or the ancestors form a cycle. `union` stops at a row
 * that has already been found.
 */
function strayIn(workspaceId: string): Sql {
  return sql`not exists (with recursive above (id, parent_type, parent_id) as (
    select c.id, c.parent_type, c.parent_id
    union select a.id, a.parent_type, a.parent_id from above o
      join blocks a on a.workspace_id = ${workspaceId} and a.id = o.parent_id and o.parent_type <> 'workspace')
  select 1 from above o where (o.parent_type = 'workspace' and o.parent_id = ${workspaceId})
    or exists (select 1 from erased_blocks e where e.workspace_id = ${workspaceId} and e.id in (o.id, o.parent_id)))`
}

async function* broken(
  db: Connection,
  { name, key, columns }: CatalogTable,
  column: string,
  expected: string,
  condition: Sql,
  limit: number,
  workspaceId: string,
): AsyncGenerator<BrokenReference, void, undefined> {
  const isBytes = new Set(columns.filter((one) => one.isBytes).map((one) => one.name))
  const shape = Object.fromEntries([...key, 'found'].map((one) => [one, isBytes.has(one) ? 'bytes?' : 'key'] as const))
  const names = raw(key.map((one) => `c.${one}`).join(', '))
  const rows = await db.all(
    shape,
    sql`select ${names}, c.${raw(column)} as found from ${raw(name)} c where c.workspace_id = ${workspaceId} and ${condition} limit ${limit}`,
  )
  for (const row of rows)
    yield { table: name, column, expected, key: key.map((one) => row[one] ?? null), found: row['found'] ?? null }
}
