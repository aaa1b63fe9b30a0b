import type { Connection, Transaction } from './database.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

export const accessLevels = ['none', 'read', 'edit', 'full'] as const

/** What a member may do with an item: nothing, read it, change its content, or also share it and connect it. */
export type AccessLevel = (typeof accessLevels)[number]

/** Who looks: a bot, which sees what it was given, or a member, who sees what the rules of the workspace let through. */
export interface Viewer {
  readonly workspaceId: string
  /** The bot or the member. */
  readonly userId: string
  readonly seesWholeWorkspace: boolean
  /** What a member has where no rule says otherwise; undefined for a bot. */
  readonly memberLevel?: AccessLevel | undefined
}

/** Whether anything above a block is in the trash. As many steps as it is deep, however large the workspace. */
export async function isBelowTrash(db: Connection, workspaceId: string, id: string): Promise<boolean> {
  const row = await db.get(
    { trashed: 'integer?' },
    sql`with recursive ancestry (id, parent_id, parent_type, in_trash, depth) as (
       select id, parent_id, parent_type, in_trash, 0 from blocks where workspace_id = ${workspaceId} and id = ${id}
       union all
       select b.id, b.parent_id, b.parent_type, b.in_trash, a.depth + 1
       from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.parent_id`)}
       where a.parent_type <> 'workspace')
     select max(in_trash) as trashed from ancestry where depth > 0`,
  )
  return Boolean(row?.trashed)
}

/**
 * What can be shared and is above a block: only pages and databases can. A block names its page, so that it is one step to
 * there however deep it is nested in the page; from a page or database on, the way leads from parent to parent.
 */
export function itemAbove(alias: string): Sql {
  const b = raw(alias)
  return sql`case when ${b}.parent_type = 'workspace' then null
    when ${b}.type in ('child_page', 'child_database') or ${b}.page_id is null then ${b}.parent_id else ${b}.page_id end`
}

const ITEM_ABOVE = itemAbove('b')

/** Those of the ids that name a block, page or database the caller can see. */
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

/** Every block of a list with everything above it that can be shared. */
function lineages(db: Connection, workspaceId: string, ids: readonly string[]): Sql {
  return sql`with recursive ancestry (start, id, above_id, depth) as (
    select b.id, b.id, ${ITEM_ABOVE}, 0 from ${rowsById(db, 'blocks', 'b', workspaceId, ids)}
    union all
    select a.start, b.id, ${ITEM_ABOVE}, a.depth + 1
    from ancestry a ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = a.above_id`)})`
}

/**
 * What a member may do with each of the blocks: the rule nearest above decides, one for the member before one for everyone;
 * where there is none, the member's own level.
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
  // From the top down, so that the last word is the nearest one.
  for (const { start, level } of rows) levels.set(start, level ?? levels.get(start) ?? viewer.memberLevel ?? 'none')
  return levels
}

/** A block above others, or one of them. */
export interface Ancestor {
  /** What it lies in; undefined at the top of the workspace. */
  readonly parentId: string | undefined
  readonly inTrash: boolean
  /** A bot was given this very item. */
  readonly granted: boolean
}

/** Blocks and everything above them; what is above many of them is met once. */
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

/** Those of the items that a bot was given by themselves, not by something above them. */
export async function grantedAmong(db: Connection, viewer: Viewer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const given = sql`g.workspace_id = ${viewer.workspaceId} and g.bot_id = ${viewer.userId} and g.item_id = wanted.id`
  const rows = await db.all({ item_id: 'text' }, sql`select g.item_id from ${db.wanted(ids)} ${db.lookUp('grants', 'g', given)}`)
  return rows.map(({ item_id }) => item_id)
}

/** Rules on these items themselves that speak about a member, one for the member before one for everyone. */
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
 * Items below which everything lies that someone sees who sees nothing else.
 * @returns undefined for who sees by default, or when there are more than `limit`
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

/** @param subjectId a member, or the workspace's own id for everyone */
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

export async function deleteRule(db: Transaction, workspaceId: string, itemId: string, subjectId: string): Promise<boolean> {
  return (
    (await db.run(
      sql`delete from access_rules where workspace_id = ${workspaceId} and item_id = ${itemId} and subject_id = ${subjectId}`,
    )) > 0
  )
}

const ruleRow = rowOf({
  subject_id: 'text',
  level: accessLevels,
})
type RuleRow = RowOf<typeof ruleRow>

export function listRules(db: Connection, workspaceId: string, itemId: string): Promise<RuleRow[]> {
  return db.all(
    ruleRow,
    sql`select subject_id, level from access_rules where workspace_id = ${workspaceId} and item_id = ${itemId}
      order by subject_id`,
  )
}
