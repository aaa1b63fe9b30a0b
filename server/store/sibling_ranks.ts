import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql, type Sql } from './sql.ts'

const rankedSibling = rowOf({
  id: 'text',
  rank: 'text',
})
export type RankedSibling = RowOf<typeof rankedSibling>

/**
 * The siblings on one side of a rank, including those in the trash, nearest first.
 * @param side `upTo` includes the sibling at the rank itself
 */
export async function siblingsBeside(
  db: Connection,
  workspaceId: string,
  parentId: string,
  side: 'upTo' | 'after',
  rank: string,
  limit: number,
): Promise<RankedSibling[]> {
  const [sign, direction, order] = side === 'upTo' ? (['<=', 'desc', -1] as const) : (['>', 'asc', 1] as const)
  const found: RankedSibling[] = []
  for (const inTrash of [0, 1]) {
    found.push(
      ...(await db.all(
        rankedSibling,
        sql`select id, rank from blocks where workspace_id = ${workspaceId} and parent_id = ${parentId} and in_trash = ${inTrash}
          and rank ${raw(sign)} ${rank} order by rank ${raw(direction)} limit ${limit}`,
      )),
    )
  }
  return found.sort((a, b) => (a.rank < b.rank ? -order : order)).slice(0, limit)
}

/** Gives siblings new ranks, which no other sibling may have. */
export async function setRanks(db: Transaction, workspaceId: string, siblings: readonly RankedSibling[]): Promise<void> {
  const set = (id: string, rank: string): Promise<void> =>
    db.run(sql`update blocks set rank = ${rank} where workspace_id = ${workspaceId} and id = ${id}`)
  // Ranks are unique at any time, so all siblings first get temporary ranks.
  for (const { id } of siblings) await set(id, `!${id}`)
  for (const { id, rank } of siblings) await set(id, rank)
}

/** The highest rank of the children of a block, including those in the trash, or null. */
export function lastRank(db: Connection, workspaceId: string, parentId: string): Promise<string | null> {
  return outermostRank(db, 'max', workspaceId, parentId)
}

/** The lowest rank of the children of a block, including those in the trash, or null. */
export function firstRank(db: Connection, workspaceId: string, parentId: string): Promise<string | null> {
  return outermostRank(db, 'min', workspaceId, parentId)
}

/** The lowest rank after another one, including ranks in the trash, or null. */
export function rankAfter(db: Connection, workspaceId: string, parentId: string, rank: string): Promise<string | null> {
  return outermostRank(db, 'min', workspaceId, parentId, sql`and rank > ${rank}`)
}

/** The column `last_rank` of a block `b`. See `lastRank`. */
export function lastRankColumn(workspaceId: string): Sql {
  return sql`(${outermost('max', workspaceId, raw('b.id'))}) as last_rank`
}

async function outermostRank(
  db: Connection,
  extreme: 'min' | 'max',
  workspaceId: string,
  parentId: string,
  condition?: Sql,
): Promise<string | null> {
  const row = await db.get({ rank: 'text?' }, outermost(extreme, workspaceId, parentId, condition))
  return row?.rank ?? null
}

/**
 * Reads the outermost sibling in the trash and the outermost one outside it, each from its end of the index. It uses `order by` and
 * `limit`, because older PostgreSQL servers read every row for the minimum or maximum of a union.
 */
function outermost(extreme: 'min' | 'max', workspaceId: string, parentId: string | Sql, condition = sql``): Sql {
  const among = (inTrash: 0 | 1): Sql =>
    sql`select rank from blocks where workspace_id = ${workspaceId} and parent_id = ${parentId} and in_trash = ${raw(inTrash)}
      ${condition} order by rank ${raw(extreme === 'max' ? 'desc' : '')} limit 1`
  return sql`select ${raw(extreme)}(rank) as rank
    from (select * from (${among(0)}) as kept union all select * from (${among(1)}) as trashed) as siblings`
}
