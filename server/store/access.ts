import type { Connection, Transaction } from './database.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

export const accessLevels = ['none', 'read', 'edit', 'full'] as const

/** A member's access to an item: none; reading it; editing its content; or also sharing it and giving connections access to it. */
export type AccessLevel = (typeof accessLevels)[number]

/**
 * The viewer for whom data is read: a bot, which sees the items shared with it, or a member, who sees the items that the access rules
 * allow.
 */
export interface Viewer {
  readonly workspaceId: string
  /** The id of the bot or of the member. */
  readonly userId: string
  readonly seesWholeWorkspace: boolean
  /** The access level of a member if no access rule applies; undefined for a bot. */
  readonly memberLevel?: AccessLevel | undefined
}

/** Whether an ancestor of a block is in the trash. The cost depends on the depth of the block, not on the size of the workspace. */
export async function isBelowTrash(db: Connection, workspaceId: string, id: string): Promise<boolean> {
  const row = await db.get(
    { below_trash: 'integer?' },
    sql`select ${belowTrashColumn(db, workspaceId)} from blocks b where b.workspace_id = ${workspaceId} and b.id = ${id}`,
  )
  return Boolean(row?.below_trash)
}

/** The column `below_trash` of a block `b`. See `isBelowTrash`. */
export function belowTrashColumn(db: Connection, workspaceId: string): Sql {
  return sql`(with recursive ancestry (parent_id, parent_type, in_trash, depth) as (
      select b.parent_id, b.parent_type, b.in_trash, 0
      union all
      select i.parent_id, i.parent_type, i.in_trash, a.depth + 1
      from ancestry a ${db.lookUp('blocks', 'i', sql`i.workspace_id = ${workspaceId} and i.id = a.parent_id`)}
      where a.parent_type <> 'workspace')
    select max(in_trash) from ancestry where depth > 0) as below_trash`
}

/**
 * An SQL expression for the nearest page or database above a block. Only these can be shared. The row of a block contains the id of its
 * page, so leaving a page takes one step, however deeply the block is nested.
 */
export function itemAbove(alias: string): Sql {
  const b = raw(alias)
  return sql`case when ${b}.parent_type = 'workspace' then null
    when ${b}.type in ('child_page', 'child_database') or ${b}.page_id is null then ${b}.parent_id else ${b}.page_id end`
}

const ITEM_ABOVE = itemAbove('b')

/** The given ids that belong to blocks, pages and databases that the viewer can see. */
export async function visibleAmong(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  if (viewer.memberLevel !== undefined) {
    return new Set([...(await memberLevels(db, viewer, ids))].flatMap(([id, level]) => (level === 'none' ? [] : [id])))
  }
  const { workspaceId, userId } = viewer
  const given = sql`g.workspace_id = ${workspaceId} and g.bot_id = ${userId} and g.item_id = a.id`
  const rows = viewer.seesWholeWorkspace
    ? await findRowsById(db, { id: 'text' }, 'blocks', workspaceId, ids)
    : await db.all(
        { id: 'text' },
        sql`${lineages(db, workspaceId, ids)}
          select distinct a.start as id from ancestry a ${db.lookUp('grants', 'g', given)}`,
      )
  return new Set(rows.map((row) => row.id))
}

/** A CTE `ancestry`. For each of the blocks, as `start`, it contains the block itself (depth 0) and the pages and databases above it. */
function lineages(db: Connection, workspaceId: string, ids: readonly string[]): Sql {
  return sql`with recursive ancestry (start, id, above_id, depth) as (
    select b.id, b.id, ${ITEM_ABOVE}, 0 from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}
    union all
    select a.start, b.id, ${ITEM_ABOVE}, a.depth + 1
    from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.above_id`)})`
}

/**
 * The access level of a member for each of the blocks. The nearest access rule at or above a block decides; on the same item, a rule for
 * the member takes precedence over one for everyone. Without a rule, the member's own level applies. Unknown ids are omitted.
 */
export async function memberLevels(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<Map<string, AccessLevel>> {
  const levels = new Map<string, AccessLevel>()
  if (ids.length === 0) return levels
  const { workspaceId, userId } = viewer
  const rows = await db.all(
    { start: 'text', level: [...accessLevels, null] },
    sql`${lineages(db, workspaceId, ids)}
      select a.start, r.level from ancestry a
      left join access_rules r on r.workspace_id = ${workspaceId} and r.item_id = a.id and r.subject_id in (${userId}, ${workspaceId})
      where a.depth = 0 or r.level is not null
      order by a.start, a.depth desc, case when r.subject_id = ${userId} then 1 else 0 end`,
  )
  // The rows come from the top down, so the nearest rule is set last.
  for (const { start, level } of rows) levels.set(start, level ?? levels.get(start) ?? viewer.memberLevel ?? 'none')
  return levels
}

/** A block, page or database on the way from a block to the top of the workspace. */
export interface Ancestor {
  /** Undefined at the top of the workspace. */
  readonly parentId: string | undefined
  readonly inTrash: boolean
  /** Whether this item itself was shared with the bot. */
  readonly granted: boolean
}

/** Blocks and all of their ancestors, by id. */
export async function findAncestors(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<Map<string, Ancestor>> {
  const ancestors = new Map<string, Ancestor>()
  if (ids.length === 0) return ancestors
  const { workspaceId, userId } = viewer
  const rows = await db.all(
    { id: 'text', parent_id: 'text', parent_type: 'text', in_trash: 'integer', granted: 'integer?' },
    sql`with recursive ancestry (id, parent_id, parent_type, in_trash) as (
       select b.id, b.parent_id, b.parent_type, b.in_trash
       from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}
       union
       select b.id, b.parent_id, b.parent_type, b.in_trash
       from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.parent_id`)}
       where a.parent_type <> 'workspace')
     select a.id, a.parent_id, a.parent_type, a.in_trash,
       (select 1 from grants g where g.workspace_id = ${workspaceId} and g.bot_id = ${userId} and g.item_id = a.id) as granted
     from ancestry a`,
  )
  for (const row of rows) {
    const parentId = row.parent_type === 'workspace' ? undefined : row.parent_id
    ancestors.set(row.id, { parentId, inTrash: row.in_trash > 0, granted: row.granted !== null })
  }
  return ancestors
}

/** The given ids that belong to items shared with a bot directly, not through an item above them. */
export async function grantedAmong(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const given = sql`g.workspace_id = ${viewer.workspaceId} and g.bot_id = ${viewer.userId} and g.item_id = wanted.id`
  const rows = await db.all({ item_id: 'text' }, sql`select g.item_id from ${db.wanted(ids)} ${db.lookUp('grants', 'g', given)}`)
  return rows.map(({ item_id }) => item_id)
}

/** The levels that rules on the items themselves give a member. A rule for the member takes precedence over one for everyone. */
export async function ownRules(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<Map<string, AccessLevel>> {
  const rules = new Map<string, AccessLevel>()
  if (ids.length === 0) return rules
  const { workspaceId, userId } = viewer
  const rows = await db.all(
    { item_id: 'text', subject_id: 'text', level: accessLevels },
    sql`select r.item_id, r.subject_id, r.level from ${db.wanted(ids)}
     ${db.lookUpEach('access_rules', 'r', sql`r.workspace_id = ${workspaceId} and r.item_id = wanted.id`)}
     where r.subject_id in (${workspaceId}, ${userId})`,
  )
  for (const { item_id, subject_id, level } of rows) {
    if (subject_id === userId || !rules.has(item_id)) rules.set(item_id, level)
  }
  return rules
}

/**
 * The shared items that contain everything that a viewer can see.
 * @returns undefined for a viewer who sees items without having been given access, or if there are more than `limit`
 */
export async function visibleRoots(db: Connection, viewer: Viewer, limit: number): Promise<string[] | undefined> {
  const { workspaceId, userId, memberLevel, seesWholeWorkspace } = viewer
  if (seesWholeWorkspace || (memberLevel !== undefined && memberLevel !== 'none')) return undefined
  const rows =
    memberLevel === undefined
      ? await db.all(
          { item_id: 'text' },
          sql`select item_id from grants where workspace_id = ${workspaceId} and bot_id = ${userId} limit ${limit + 1}`,
        )
      : await db.all(
          { item_id: 'text' },
          sql`select item_id from access_rules where workspace_id = ${workspaceId} and subject_id in (${userId}, ${workspaceId})
            and level <> 'none' limit ${limit + 1}`,
        )
  return rows.length > limit ? undefined : [...new Set(rows.map(({ item_id }) => item_id))]
}

/** Sets the access rule of an item for a subject. @param subjectId a member, or the workspace's own id for everyone */
export async function setRule(
  db: Transaction,
  workspaceId: string,
  itemId: string,
  subjectId: string,
  level: AccessLevel,
  now: number,
): Promise<void> {
  await db.run(
    sql`insert into access_rules (workspace_id, item_id, subject_id, level, created_time)
      values (${workspaceId}, ${itemId}, ${subjectId}, ${level}, ${now}) on conflict (workspace_id, item_id, subject_id) do update
      set level = excluded.level`,
  )
}

/** @returns whether the rule existed */
export async function deleteRule(db: Transaction, workspaceId: string, itemId: string, subjectId: string): Promise<boolean> {
  return (
    (await db.change(
      sql`delete from access_rules where workspace_id = ${workspaceId} and item_id = ${itemId} and subject_id = ${subjectId}`,
    )) > 0
  )
}

const ruleRow = rowOf({
  subject_id: 'text',
  level: accessLevels,
})
type RuleRow = RowOf<typeof ruleRow>

export async function listRules(db: Connection, workspaceId: string, itemId: string): Promise<RuleRow[]> {
  return db.all(
    ruleRow,
    sql`select subject_id, level from access_rules where workspace_id = ${workspaceId} and item_id = ${itemId}
      order by subject_id`,
  )
}
