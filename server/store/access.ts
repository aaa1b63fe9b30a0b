import type { Connection, Transaction, Wanted } from './database.ts'

/** What a member may do with an item: nothing, read it, change its content, or also share it and connect it. */
export type AccessLevel = 'none' | 'read' | 'edit' | 'full'

/** Who looks: a bot, which sees what it was given, or a member, who sees what the rules of the workspace let through. */
export interface Seer {
  readonly workspaceId: string
  /** The bot or the member. */
  readonly userId: string
  readonly seesWholeWorkspace: boolean
  /** What a member has where no rule says otherwise; undefined for a bot. */
  readonly memberLevel?: AccessLevel | undefined
}

/** What lies around a block: whether something above it is in the trash, and what the caller may do with it. */
export interface Surroundings {
  readonly trashedAbove: boolean
  readonly level: AccessLevel
}

function ancestry(db: Connection): string {
  return `with recursive ancestry (id, parent_id, parent_type, in_trash, depth) as (
    select id, parent_id, parent_type, in_trash, 0 from blocks where workspace_id = ? and id = ?
    union all
    select b.id, b.parent_id, b.parent_type, b.in_trash, a.depth + 1
    from ancestry a ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = a.parent_id')} where a.parent_type <> 'workspace')`
}

/** Walks up from a block: as many steps as it is deep, however large the workspace. */
export async function findSurroundings(db: Connection, seer: Seer, id: string): Promise<Surroundings> {
  const { workspaceId, userId } = seer
  const row = await db.get<{ trashed: number | null; granted: number }>(
    `${ancestry(db)}
     select (select max(in_trash) from ancestry where depth > 0) as trashed,
       (select count(*) from ancestry a ${db.lookUp('grants', 'g', 'g.workspace_id = ? and g.bot_id = ? and g.item_id = a.id')}) as granted`,
    workspaceId,
    id,
    workspaceId,
    workspaceId,
    userId,
  )
  const level = await levelOf(db, seer, id, (row?.granted ?? 0) > 0)
  return { trashedAbove: Boolean(row?.trashed), level }
}

async function levelOf(db: Connection, seer: Seer, id: string, granted: boolean): Promise<AccessLevel> {
  if (seer.memberLevel !== undefined) return (await memberLevels(db, seer, [id])).get(id) ?? 'none'
  return granted || seer.seesWholeWorkspace ? 'full' : 'none'
}

/** Those of the ids that name a block, page or database the caller can see. */
export async function visibleAmong(db: Connection, seer: Seer, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  if (seer.memberLevel !== undefined) {
    return new Set([...(await memberLevels(db, seer, ids))].flatMap(([id, level]) => (level === 'none' ? [] : [id])))
  }
  const { workspaceId, userId } = seer
  const wanted = db.wanted(ids)
  const rows = seer.seesWholeWorkspace
    ? await db.all<{ id: string }>(
        `select b.id from ${wanted.table} ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = wanted.id')}`,
        wanted.parameter,
        workspaceId,
      )
    : await db.all<{ id: string }>(
        `${lineages(db, wanted)}
         select distinct a.start as id from ancestry a ${db.lookUp('grants', 'g', 'g.workspace_id = ? and g.bot_id = ? and g.item_id = a.id')}`,
        wanted.parameter,
        workspaceId,
        workspaceId,
        workspaceId,
        userId,
      )
  return new Set(rows.map((row) => row.id))
}

/** Every block of a list with everything above it. */
function lineages(db: Connection, { table }: Wanted): string {
  return `with recursive ancestry (start, id, parent_id, parent_type, depth) as (
     select b.id, b.id, b.parent_id, b.parent_type, 0 from ${table}
     ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = wanted.id')}
     union all
     select a.start, b.id, b.parent_id, b.parent_type, a.depth + 1
     from ancestry a ${db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = a.parent_id')} where a.parent_type <> 'workspace')`
}

/**
 * What a member may do with each of the blocks: the rule nearest above decides, one for the member before one for everybody;
 * where there is none, the member's own level.
 */
export async function memberLevels(db: Connection, seer: Seer, ids: readonly string[]): Promise<Map<string, AccessLevel>> {
  const levels = new Map<string, AccessLevel>()
  if (ids.length === 0) return levels
  const { workspaceId, userId } = seer
  const wanted = db.wanted(ids)
  const rows = await db.all<{ start: string; level: AccessLevel | null }>(
    `${lineages(db, wanted)}
     select a.start, r.level from ancestry a
     left join access_rules r on r.workspace_id = ? and r.item_id = a.id and r.subject_id in (?, ?)
     where a.depth = 0 or r.level is not null
     order by a.start, a.depth desc, case when r.subject_id = ? then 1 else 0 end`,
    wanted.parameter,
    workspaceId,
    workspaceId,
    workspaceId,
    userId,
    workspaceId,
    userId,
  )
  // From the top down, so that the last word is the nearest one.
  for (const { start, level } of rows) levels.set(start, level ?? levels.get(start) ?? seer.memberLevel ?? 'none')
  return levels
}

/** @param subjectId a member, or the workspace's own id for everybody */
export async function setRule(
  db: Transaction,
  workspaceId: string,
  itemId: string,
  subjectId: string,
  level: AccessLevel,
  now: number,
): Promise<void> {
  await db.run(
    `insert into access_rules (workspace_id, item_id, subject_id, level, created_time) values (?, ?, ?, ?, ?)
     on conflict (workspace_id, item_id, subject_id) do update set level = excluded.level`,
    workspaceId,
    itemId,
    subjectId,
    level,
    now,
  )
}

export async function deleteRule(db: Transaction, workspaceId: string, itemId: string, subjectId: string): Promise<boolean> {
  return (
    (await db.run(
      'delete from access_rules where workspace_id = ? and item_id = ? and subject_id = ?',
      workspaceId,
      itemId,
      subjectId,
    )) > 0
  )
}

export interface RuleRow {
  readonly subject_id: string
  readonly level: AccessLevel
}

export function listRules(db: Connection, workspaceId: string, itemId: string): Promise<RuleRow[]> {
  return db.all<RuleRow>(
    'select subject_id, level from access_rules where workspace_id = ? and item_id = ? order by subject_id',
    workspaceId,
    itemId,
  )
}
