import type { AccessLevel, Viewer } from './access.ts'
import type { Connection, Transaction } from './database.ts'
import type { Role } from './members.ts'
import { addWorkspaceOfBot } from './webhook_subscriptions.ts'
import { sharesPageWithGuest } from './visibility.ts'
import { findRowsById, rowsById } from './rows_by_id.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { valueList, sql, type Sql } from './sql.ts'

const userRow = rowOf({
  id: 'text',
  kind: ['person', 'bot'],
  name: 'text?',
  avatar_url: 'text?',
  email: 'text?',
  created_time: 'integer',
  /** The connection of the bot; null for the bot of an agent and for people. */
  connection_id: 'text?',
  /** The person who authorized the bot; null for the bot of an internal connection and for people. */
  owner_id: 'text?',
  /** The role of a person; null for a bot. */
  role: 'text?',
})
export type UserRow = RowOf<typeof userRow>

const COLUMNS = columnNames(userRow, 'u')

export async function findUsers(db: Connection, workspaceId: string, ids: readonly string[]): Promise<UserRow[]> {
  return findRowsById(db, userRow, 'users', workspaceId, ids)
}

/**
 * Like `findUsers`, but without guests who do not share a page with the viewer. It uses one statement, so that the time it takes does not
 * distinguish hidden guests from unknown users.
 * @param guestLevel the level of guests for items without an access rule
 */
export async function findKnownUsers(
  db: Connection,
  viewer: Viewer,
  ids: readonly string[],
  guestLevel: AccessLevel,
): Promise<UserRow[]> {
  if (ids.length === 0) return []
  const known = isKnown(db, viewer, guestLevel)
  return db.all(
    userRow,
    sql`select ${COLUMNS}
      from ${rowsById(db, 'users', 'u', viewer.workspaceId, ids)}
     where true ${known}`,
  )
}

/** The roles of people who are visible to everyone in the workspace. */
const KNOWN_ROLES: readonly Role[] = ['owner', 'member', 'restricted']

function isKnown(db: Connection, viewer: Viewer, guestLevel: AccessLevel): Sql {
  return sql`and (u.kind = 'bot' or u.role in (${valueList(KNOWN_ROLES)}) or (true ${sharesPageWithGuest(db, viewer, guestLevel)}))`
}

/** The people of a workspace except guests, then its bots, each in the order in which they joined, beginning with `start`. */
export async function listUsersFrom(
  db: Connection,
  workspaceId: string,
  start: Pick<UserRow, 'kind' | 'created_time' | 'id'> | undefined,
  limit: number,
): Promise<UserRow[]> {
  const rows: UserRow[] = []
  for (const kind of ['person', 'bot'] as const) {
    if (start?.kind === 'bot' && kind === 'person') continue
    const from = start?.kind === kind ? start : undefined
    if (rows.length < limit) rows.push(...(await listKind(db, workspaceId, kind, from, limit - rows.length)))
  }
  return rows
}

async function listKind(
  db: Connection,
  workspaceId: string,
  kind: UserRow['kind'],
  start: Pick<UserRow, 'created_time' | 'id'> | undefined,
  limit: number,
): Promise<UserRow[]> {
  const following =
    start === undefined ? sql`` : sql`and (u.created_time, u.id) >= (${valueList([start.created_time, start.id])})`
  return db.all(
    userRow,
    sql`select ${COLUMNS} from users u where u.workspace_id = ${workspaceId} and u.kind = ${kind} and u.left_time is null
      and (u.role is null or u.role <> 'guest') ${following} order by u.created_time, u.id limit ${limit}`,
  )
}

/** The ids of the bots of a connection, in all workspaces. */
export async function findBotIds(db: Connection, connectionId: string): Promise<string[]> {
  return (await db.all({ id: 'text' }, sql`select id from users where connection_id = ${connectionId}`)).map(({ id }) => id)
}

/** The IANA time zone of a person; undefined if it is unknown. */
export async function findTimeZone(db: Connection, workspaceId: string, id: string): Promise<string | undefined> {
  const row = await db.get(
    { time_zone: 'text?' },
    sql`select time_zone from users where workspace_id = ${workspaceId} and id = ${id}`,
  )
  return row?.time_zone ?? undefined
}

export async function setTimeZone(db: Transaction, workspaceId: string, id: string, timeZone: string | null): Promise<void> {
  await db.run(sql`update users set time_zone = ${timeZone} where workspace_id = ${workspaceId} and id = ${id}`)
}

interface NewUser extends Omit<UserRow, 'owner_id'> {
  readonly owner_id?: string | null
}

export async function insertUser(db: Transaction, workspaceId: string, user: NewUser): Promise<void> {
  await db.run(
    sql`insert into users (workspace_id, id, kind, name, avatar_url, email, role, connection_id, owner_id, created_time)
      values (${workspaceId}, ${user.id}, ${user.kind}, ${user.name}, ${user.avatar_url}, ${user.email}, ${user.role},
      ${user.connection_id}, ${user.owner_id ?? null}, ${user.created_time})`,
  )
  if (user.connection_id !== null) await addWorkspaceOfBot(db, workspaceId, user.connection_id)
}

/** The ids of the people whom `findKnownUsers` would find, by id and by email address in lower case. */
export async function findPeopleByIdOrEmail(
  db: Connection,
  viewer: Viewer,
  guestLevel: AccessLevel,
): Promise<Map<string, string>> {
  const known = isKnown(db, viewer, guestLevel)
  const rows = await db.all(
    { id: 'text', email: 'text?' },
    sql`select u.id, u.email from users u where u.workspace_id = ${viewer.workspaceId} and u.kind = 'person' ${known}`,
  )
  return new Map(
    rows.flatMap(({ id, email }) => [[id, id] as const, ...(email === null ? [] : [[email.toLowerCase(), id] as const])]),
  )
}
