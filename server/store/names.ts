import { headOf, wordsOf } from '../kernel/words.ts'
import type { Connection } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { sql } from './sql.ts'

const namedRow = rowOf({ id: 'text', name: 'text?' })
/** A record that the command line finds by its name. */
export type Named = RowOf<typeof namedRow>

/** The connections of all workspaces, oldest first. */
export async function listNamedConnections(db: Connection): Promise<Named[]> {
  return db.all(namedRow, sql`select id, name from connections order by created_time, id`)
}

/** The people of all workspaces, once for each name that a person has. */
export async function listNamedPeople(db: Connection): Promise<Named[]> {
  return db.all(namedRow, sql`select distinct id, name from users where kind = 'person' order by name, id`)
}

/** The agents of a workspace, including deleted ones, which can be restored. */
export async function listNamedAgents(db: Connection, workspaceId: string): Promise<Named[]> {
  return db.all(namedRow, sql`select id, name from agents where workspace_id = ${workspaceId} order by created_time, id`)
}

const subscriptionRow = rowOf({ ...namedRow, url: 'text' })

/** The webhook subscriptions of all workspaces. */
export async function listNamedSubscriptions(db: Connection): Promise<RowOf<typeof subscriptionRow>[]> {
  return db.all(subscriptionRow, sql`select id, name, url from webhook_subscriptions order by created_time, id`)
}

const SAME_TITLES_MAX = 20

/** The pages and databases outside the trash whose title has the same words as `title`, each with `title` as its name. */
export async function listNamedItems(db: Connection, workspaceId: string, title: string): Promise<Named[]> {
  const words = wordsOf(title)
  const rows = await db.all(
    { id: 'text' },
    sql`select id from titles where workspace_id = ${workspaceId} and head = ${headOf(words)} and words = ${words}
      and kind in ('page', 'database') and in_trash = 0 order by last_edited_time, id limit ${SAME_TITLES_MAX}`,
  )
  return rows.map(({ id }) => ({ id, name: title }))
}
