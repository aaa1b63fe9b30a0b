import { itemAbove, type AccessLevel, type Viewer } from './access.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/**
 * A condition that begins with `and`: holds for a block `b` that the caller sees. What is found by its id and may be seen takes one statement so, and what may not be seen
 * is not found: no more is read and sent for it than for what is not there.
 */
export function isVisible(db: Connection, viewer: Viewer): Sql {
  if (viewer.memberLevel !== undefined) return sql`and ${levelOf(db, viewer, viewer.memberLevel)} <> 'none'`
  if (viewer.seesWholeWorkspace) return ALWAYS
  const { workspaceId, userId } = viewer
  const given = sql`g.workspace_id = ${workspaceId} and g.bot_id = ${userId} and g.item_id = a.id`
  return sql`and exists (${ancestry(db, workspaceId)} select 1 from ancestry a ${db.lookUp('grants', 'g', given)})`
}

/**
 * As `isVisible`, for a block `b` below something that the caller sees. A bot sees everything below; to a member, a rule may close a
 * page or database there. Rules stand on nothing else.
 */
export function isVisibleBelow(db: Connection, viewer: Viewer): Sql {
  if (viewer.memberLevel === undefined) return ALWAYS
  const level = levelOf(db, viewer, viewer.memberLevel)
  return sql`and (b.type not in ('child_page', 'child_database') or ${level} <> 'none')`
}

/** The opposite of `isVisibleBelow`, for pages and databases. */
export function isClosedBelow(db: Connection, viewer: Viewer): Sql {
  return viewer.memberLevel === undefined ? sql`and 1 = 0` : sql`and ${levelOf(db, viewer, viewer.memberLevel)} = 'none'`
}

const ALWAYS = sql``

/**
 * Holds for a guest `u` who sees a page that the caller sees, too: something the guest was given lies in what the caller sees, or the
 * guest sees something that was shared with the caller.
 */
export function meetsGuest(db: Connection, viewer: Viewer, guestLevel: AccessLevel): Sql {
  const { workspaceId, userId } = viewer
  const level = levelOf(db, { workspaceId, userId: undefined }, guestLevel)
  const given = sql`select item_id from access_rules
    where workspace_id = ${workspaceId} and subject_id = u.id and level <> 'none' limit ${ITEMS_MAX}`
  const shared = sql`select item_id from grants where workspace_id = ${workspaceId} and bot_id = ${userId} limit ${ITEMS_MAX}`
  const item = db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = o.item_id`)
  return sql`and (exists (select 1 from (${given}) as o ${item} where true ${isVisible(db, viewer)})
    or exists (select 1 from (${shared}) as o ${item} where ${level} <> 'none'))`
}

/** Items that are looked at on either side. */
const ITEMS_MAX = 1_000

/**
 * What a member may do with a block `b`: the rule nearest above decides, one for the member before one for everyone; where there is
 * none, the member's own level. The order names no column from outside of its statement: SQLite 3.50, which Node 22 has, finds none there.
 * @param member the user `u` of the statement where no user is named
 */
function levelOf(
  db: Connection,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string | undefined },
  memberLevel: AccessLevel,
): Sql {
  const rules = db.lookUpEach('access_rules', 'r', sql`r.workspace_id = ${workspaceId} and r.item_id = a.id`)
  const subject = userId ?? raw('u.id')
  return sql`coalesce((${ancestry(db, workspaceId)} select r.level from ancestry a ${rules}
    where r.subject_id in (${workspaceId}, ${subject})
    order by a.depth, case when r.subject_id = ${workspaceId} then 1 else 0 end limit 1), ${memberLevel})`
}

/** A block `b` and everything above it that can be shared. */
function ancestry(db: Connection, workspaceId: string): Sql {
  return sql`with recursive ancestry (id, above_id, depth) as (
    select b.id, ${itemAbove('b')}, 0
    union all
    select i.id, ${itemAbove('i')}, a.depth + 1
    from ancestry a ${db.lookUp('blocks', 'i', sql`i.workspace_id = ${workspaceId} and i.id = a.above_id`)})`
}
