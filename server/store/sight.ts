import { itemAbove, type Seer } from './access.ts'
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
export function isSeen(db: Connection, seer: Seer): Condition {
  if (seer.memberLevel !== undefined) return isOpenTo(db, seer, seer.memberLevel)
  if (seer.seesWholeWorkspace) return { sql: '', parameters: [] }
  const { workspaceId, userId } = seer
  const granted = db.lookUp('grants', 'g', 'g.workspace_id = ? and g.bot_id = ? and g.item_id = a.id')
  return {
    sql: `and exists (${ancestry(db)} select 1 from ancestry a ${granted})`,
    parameters: [workspaceId, workspaceId, userId],
  }
}

/** The rule nearest above decides, one for the member before one for everybody; where there is none, the member's own level. */
function isOpenTo(db: Connection, { workspaceId, userId }: Seer, memberLevel: string): Condition {
  const rules = db.lookUpEach('access_rules', 'r', 'r.workspace_id = ? and r.item_id = a.id')
  return {
    sql: `and coalesce((${ancestry(db)} select r.level from ancestry a ${rules} where r.subject_id in (?, ?)
       order by a.depth, case when r.subject_id = ? then 0 else 1 end limit 1), ?) <> 'none'`,
    parameters: [workspaceId, workspaceId, workspaceId, userId, userId, memberLevel],
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
