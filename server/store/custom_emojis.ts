import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { valueList, sql } from './sql.ts'

const emojiRow = rowOf({
  id: 'text',
  name: 'text',
  url: 'text',
})
export type EmojiRow = RowOf<typeof emojiRow>

export async function findEmojis(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, EmojiRow>> {
  const rows = await findRowsById(db, emojiRow, 'custom_emojis', workspaceId, ids)
  return new Map(rows.map((row) => [row.id, { ...row }]))
}

export async function existingEmojis(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  return new Set((await findEmojis(db, workspaceId, ids)).keys())
}

const NAMES_AT_ONCE = 50

/** Ids of emojis by their names. */
export async function findEmojisByName(
  db: Connection,
  workspaceId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (let start = 0; start < names.length; start += NAMES_AT_ONCE) {
    // The list is padded to a fixed number of names, so that all calls share one prepared statement.
    const run = Array.from({ length: NAMES_AT_ONCE }, (_name, index) => names[start + index] ?? names[start] ?? '')
    const rows = await db.all(
      { id: 'text', name: 'text' },
      sql`select id, name from custom_emojis where workspace_id = ${workspaceId} and name in (${valueList(run)})`,
    )
    for (const { id, name } of rows) found.set(name, id)
  }
  return found
}

export async function findEmojiInRange(
  db: Connection,
  workspaceId: string,
  { from, to }: IdRange,
): Promise<EmojiRow | undefined> {
  return db.get(
    emojiRow,
    sql`select id, name, url from custom_emojis where workspace_id = ${workspaceId} and id >= ${from} and id <= ${to} limit 1`,
  )
}

/** The emojis after a position, sorted by name, then id: all of them, or only those with one name. */
export async function listEmojisAfter(
  db: Connection,
  workspaceId: string,
  name: string | undefined,
  after: { name: string; id: string } | undefined,
  limit: number,
): Promise<EmojiRow[]> {
  const named = name === undefined ? sql`` : sql`and name = ${name}`
  const following = after === undefined ? sql`` : sql`and (name, id) > (${after.name}, ${after.id})`
  const rows = await db.all(
    emojiRow,
    sql`select id, name, url from custom_emojis where workspace_id = ${workspaceId} ${named} ${following}
      order by name, id limit ${limit}`,
  )
  return rows.map((row) => ({ ...row }))
}

export async function insertEmoji(db: Transaction, workspaceId: string, emoji: EmojiRow, now: number): Promise<void> {
  await db.run(
    sql`insert into custom_emojis (workspace_id, id, name, url, created_time)
      values (${workspaceId}, ${emoji.id}, ${emoji.name}, ${emoji.url}, ${now})`,
  )
}
