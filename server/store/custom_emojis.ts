import type { IdRange } from '../kernel/cursors.ts'
import type { Connection, Transaction } from './database.ts'
import { placeholders } from './statements.ts'
import { rowOf, type RowOf } from './row_shape.ts'

const emojiRow = rowOf({
  id: 'text',
  name: 'text',
  url: 'text',
})
export type EmojiRow = RowOf<typeof emojiRow>

export async function findEmojis(db: Connection, workspaceId: string, ids: readonly string[]): Promise<Map<string, EmojiRow>> {
  const found = new Map<string, EmojiRow>()
  if (ids.length === 0) return found
  const wanted = db.wanted(ids)
  const rows = await db.all(
    emojiRow,
    `select e.id, e.name, e.url from ${wanted.table} ${db.lookUp('custom_emojis', 'e', 'e.workspace_id = ? and e.id = wanted.id')}`,
    wanted.parameter,
    workspaceId,
  )
  for (const row of rows) found.set(row.id, { ...row })
  return found
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
    // One form of statement, whatever the number of names.
    const run = Array.from({ length: NAMES_AT_ONCE }, (_name, index) => names[start + index] ?? names[start] ?? '')
    const rows = await db.all(
      { id: 'text', name: 'text' },
      `select id, name from custom_emojis where workspace_id = ? and name in (${placeholders(NAMES_AT_ONCE)})`,
      workspaceId,
      ...run,
    )
    for (const { id, name } of rows) found.set(name, id)
  }
  return found
}

export function findEmojiInRange(db: Connection, workspaceId: string, { from, to }: IdRange): Promise<EmojiRow | undefined> {
  return db.get(
    emojiRow,
    'select id, name, url from custom_emojis where workspace_id = ? and id >= ? and id <= ? limit 1',
    workspaceId,
    from,
    to,
  )
}

/** By name, then id; all of them or those of one name. */
export async function listEmojisAfter(
  db: Connection,
  workspaceId: string,
  name: string | undefined,
  after: { name: string; id: string } | undefined,
  limit: number,
): Promise<EmojiRow[]> {
  const conditions = ['workspace_id = ?']
  const parameters = [workspaceId]
  if (name !== undefined) {
    conditions.push('name = ?')
    parameters.push(name)
  }
  if (after !== undefined) {
    conditions.push('(name, id) > (?, ?)')
    parameters.push(after.name, after.id)
  }
  const rows = await db.all(
    emojiRow,
    `select id, name, url from custom_emojis where ${conditions.join(' and ')} order by name, id limit ?`,
    ...parameters,
    limit,
  )
  return rows.map((row) => ({ ...row }))
}

export async function insertEmoji(db: Transaction, workspaceId: string, emoji: EmojiRow, now: number): Promise<void> {
  await db.run(
    'insert into custom_emojis (workspace_id, id, name, url, created_time) values (?, ?, ?, ?, ?)',
    workspaceId,
    emoji.id,
    emoji.name,
    emoji.url,
    now,
  )
}
