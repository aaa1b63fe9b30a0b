import type { Connection } from './database.ts'
import { raw, sql } from './sql.ts'

/** Kinds of rows that an archive of pages cannot contain, with their tables. */
const UNWRITTEN: readonly { readonly what: string; readonly table: string }[] = [
  { what: 'comments', table: 'comments' },
  { what: 'views', table: 'views' },
  { what: 'access rules', table: 'access_rules' },
  { what: 'custom emojis', table: 'custom_emojis' },
]

/** The numbers of rows of a workspace that an archive of pages cannot contain. */
export async function countUnwritten(
  db: Connection,
  workspaceId: string,
): Promise<readonly { readonly what: string; readonly count: number }[]> {
  const counts = []
  for (const { what, table } of UNWRITTEN) {
    const row = await db.get(
      { count: 'integer' },
      sql`select count(*) as count from ${raw(table)} where workspace_id = ${workspaceId}`,
    )
    counts.push({ what, count: row?.count ?? 0 })
  }
  return counts
}
