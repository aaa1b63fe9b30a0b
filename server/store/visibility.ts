import { itemAbove, type AccessLevel, type Viewer } from './access.ts'
import type { Connection } from './database.ts'
import { raw, sql, type Sql } from './sql.ts'

/**
 * A condition, beginning with `and`, for blocks `b` that the viewer can see. With it, one statement can find a block and check access, so
 * that a hidden block takes the same work as an unknown one.
 */
export function isVisible(db: Connection, viewer: Viewer): Sql {
  if (viewer.memberLevel !== undefined) return sql`and ${levelOf(db, viewer, viewer.memberLevel)} <> 'none'`
  if (viewer.seesWholeWorkspace) return ALWAYS
  const { workspaceId, userId } = viewer
  const given = sql`g.workspace_id = ${workspaceId} and g.bot_id = ${userId} and g.item_id = a.id`
  return sql`and exists (${ancestry(db, workspaceId)} select 1 from ancestry a ${db.lookUp('grants', 'g', given)})`
}

/**
 * Like `isVisible`, for blocks `b` below an item that the viewer can see. A bot can see everything below the item. A member may be denied
 * access to pages and databases below it by rules, which do not apply to other blocks.
 */
export function isVisibleBelow(db: Connection, viewer: Viewer): Sql {
  if (viewer.memberLevel === undefined) return ALWAYS
  const level = levelOf(db, viewer, viewer.memberLevel)
  return sql`and (b.type not in ('child_page', 'child_database') or ${level} <> 'none')`
}

/** The negation of `isVisibleBelow`, for pages and databases. */
export function isClosedBelow(db: Connection, viewer: Viewer): Sql {
  return viewer.memberLevel === undefined ? sql`and 1 = 0` : sql`and ${levelOf(db, viewer, viewer.memberLevel)} = 'none'`
}

const ALWAYS = sql``

/**
 * A condition, beginning with `and`, for guests `u` who share a page with the viewer: the viewer can see an item to which the guest was
 * given access, or the guest can see an item that was shared with the viewer.
 */
export function sharesPageWithGuest(db: Connection, viewer: Viewer, guestLevel: AccessLevel): Sql {
  const { workspaceId, userId } = viewer
  const level = levelOf(db, { workspaceId, userId: undefined }, guestLevel)
  const given = sql`select item_id from access_rules
    where workspace_id = ${workspaceId} and subject_id = u.id and level <> 'none' limit ${ITEMS_MAX}`
  const shared = sql`select item_id from grants where workspace_id = ${workspaceId} and bot_id = ${userId} limit ${ITEMS_MAX}`
  const item = db.lookUp('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.id = o.item_id`)
  return sql`and (exists (select 1 from (${given}) as o ${item} where true ${isVisible(db, viewer)})
    or exists (select 1 from (${shared}) as o ${item} where ${level} <> 'none'))`
}

/** The maximum number of items that are examined on either side. */
const ITEMS_MAX = 1_000

/**
 * The access level of a member for a block `b`. The nearest access rule at or above the block decides; on the same item, a rule for the
 * member takes precedence over one for everyone. Without a rule, the member's own level applies. The `order by` must not use columns of the
 * outer statement, because SQLite 3.50 (in Node 22) does not resolve them there.
 * @param viewer if it has no user, the member is the user `u` of the outer statement
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

/** A CTE `ancestry` with a block `b` and the pages and databases above it. */
function ancestry(db: Connection, workspaceId: string): Sql {
  return sql`with recursive ancestry (id, above_id, depth) as (
    select b.id, ${itemAbove('b')}, 0
    union all
    select i.id, ${itemAbove('i')}, a.depth + 1
    from ancestry a ${db.lookUp('blocks', 'i', sql`i.workspace_id = ${workspaceId} and i.id = a.above_id`)})`
}
