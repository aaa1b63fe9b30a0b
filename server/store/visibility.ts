import { itemAbove, type AccessLevel, type Viewer } from './access.ts'
import type { Connection, SqlValue } from './database.ts'

/** A condition in SQL that stands behind `and`, with the values of its parameters in their order. */
export interface Condition {
  readonly sql: string
  readonly parameters: readonly SqlValue[]
}

/**
 * Holds for a block `b` that the caller sees. What is found by its id and may be seen takes one statement so, and what may not be seen
 * is not found: no more is read and sent for it than for what is not there.
 */
export function isVisible(db: Connection, viewer: Viewer): Condition {
  if (viewer.memberLevel !== undefined) {
    const { sql, parameters } = levelOf(db, viewer, viewer.memberLevel)
    return { sql: `and ${sql} <> 'none'`, parameters }
  }
  if (viewer.seesWholeWorkspace) return ALWAYS
  const { workspaceId, userId } = viewer
  const granted = db.lookUp('grants', 'g', 'g.workspace_id = ? and g.bot_id = ? and g.item_id = a.id')
  return {
    sql: `and exists (${ancestry(db)} select 1 from ancestry a ${granted})`,
    parameters: [workspaceId, workspaceId, userId],
  }
}

/**
 * As `isSeen`, for a block `b` below something that the caller sees. A bot sees everything below; to a member, a rule may close a
 * page or database there. Rules stand on nothing else.
 */
export function isVisibleBelow(db: Connection, viewer: Viewer): Condition {
  if (viewer.memberLevel === undefined) return ALWAYS
  const { sql, parameters } = levelOf(db, viewer, viewer.memberLevel)
  return { sql: `and (b.type not in ('child_page', 'child_database') or ${sql} <> 'none')`, parameters }
}

/** The opposite of `isSeenBelow`, for pages and databases. */
export function isClosedBelow(db: Connection, viewer: Viewer): Condition {
  if (viewer.memberLevel === undefined) return NEVER
  const { sql, parameters } = levelOf(db, viewer, viewer.memberLevel)
  return { sql: `and ${sql} = 'none'`, parameters }
}

const ALWAYS: Condition = { sql: '', parameters: [] }
const NEVER: Condition = { sql: 'and 1 = 0', parameters: [] }

/**
 * Holds for a guest `u` who sees a page that the caller sees, too: something the guest was given lies in what the caller sees, or the
 * guest sees something that was shared with the caller.
 */
export function meetsGuest(db: Connection, viewer: Viewer, guestLevel: AccessLevel): Condition {
  const { workspaceId, userId } = viewer
  const seen = isVisible(db, viewer)
  const level = levelOf(db, { workspaceId, userId: undefined }, guestLevel)
  const given = `select item_id from access_rules where workspace_id = ? and subject_id = u.id and level <> 'none' limit ?`
  const shared = 'select item_id from grants where workspace_id = ? and bot_id = ? limit ?'
  const item = db.lookUp('blocks', 'b', 'b.workspace_id = ? and b.id = o.item_id')
  return {
    sql: `and (exists (select 1 from (${given}) as o ${item} where true ${seen.sql})
      or exists (select 1 from (${shared}) as o ${item} where ${level.sql} <> 'none'))`,
    parameters: [
      ...[workspaceId, ITEMS_MAX, workspaceId, ...seen.parameters],
      ...[workspaceId, userId, ITEMS_MAX, workspaceId, ...level.parameters],
    ],
  }
}

/** Items that are looked at on either side. */
const ITEMS_MAX = 1_000

/**
 * What a member may do with a block `b`: the rule nearest above decides, one for the member before one for everyone; where there is
 * none, the member's own level.
 * @param member the user `u` of the statement where no user is named
 */
function levelOf(
  db: Connection,
  { workspaceId, userId }: { readonly workspaceId: string; readonly userId: string | undefined },
  memberLevel: AccessLevel,
): Condition {
  const rules = db.lookUpEach('access_rules', 'r', 'r.workspace_id = ? and r.item_id = a.id')
  const [subject, subjects] = userId === undefined ? ['u.id', []] : ['?', [userId]]
  return {
    sql: `coalesce((${ancestry(db)} select r.level from ancestry a ${rules} where r.subject_id in (?, ${subject})
       order by a.depth, case when r.subject_id = ${subject} then 0 else 1 end limit 1), ?)`,
    parameters: [workspaceId, workspaceId, workspaceId, ...subjects, ...subjects, memberLevel],
  }
}

/** A block `b` and everything above it that can be shared. */
function ancestry(db: Connection): string {
  return `with recursive ancestry (id, above_id, depth) as (
     select b.id, ${itemAbove('b')}, 0
     union all
     select i.id, ${itemAbove('i')}, a.depth + 1
     from ancestry a ${db.lookUp('blocks', 'i', 'i.workspace_id = ? and i.id = a.above_id')})`
}
