import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

const roles = ['owner', 'member', 'restricted', 'guest'] as const
export type Role = (typeof roles)[number]

/** A person as a member of a workspace. */
const memberRow = rowOf({
  workspace_id: 'text',
  id: 'text',
  name: 'text?',
  email: 'text?',
  role: roles,
  left_time: 'integer?',
})
export type MemberRow = RowOf<typeof memberRow>

const SELECT = sql`select workspace_id, id, name, email, role, left_time from users`

export async function findMember(db: Connection, workspaceId: string, id: string): Promise<MemberRow | undefined> {
  return db.get(memberRow, sql`${SELECT} where workspace_id = ${workspaceId} and id = ${id} and kind = 'person'`)
}

/** Locks this person against other writers until the transaction ends. */
export async function lockMember(db: Transaction, workspaceId: string, id: string): Promise<void> {
  await db.get({}, sql`select id from users where workspace_id = ${workspaceId} and id = ${id}${raw(db.forUpdate)}`)
}

/** The people of a workspace in the order in which they joined, including those who have left. */
export async function listMembers(db: Connection, workspaceId: string): Promise<MemberRow[]> {
  return db.all(memberRow, sql`${SELECT} where workspace_id = ${workspaceId} and kind = 'person' order by created_time, id`)
}

export async function setRole(db: Transaction, workspaceId: string, id: string, role: Role): Promise<void> {
  await db.run(sql`update users set role = ${role} where workspace_id = ${workspaceId} and id = ${id} and kind = 'person'`)
}

export async function hasOwner(db: Connection, workspaceId: string): Promise<boolean> {
  const owner = await db.get(
    { id: 'text' },
    sql`select id from users where workspace_id = ${workspaceId} and kind = 'person' and role = 'owner' and left_time is null
      limit 1`,
  )
  return owner !== undefined
}

/** @param time when the person or bot left; null if it has come back */
export async function setLeft(db: Transaction, workspaceId: string, id: string, time: number | null): Promise<void> {
  await db.run(sql`update users set left_time = ${time} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** A workspace to which a person belongs, with the data that determines whether the person may install connections there. */
const membershipRow = rowOf({
  workspace_id: 'text',
  workspace_name: 'text?',
  role: roles,
  installers: ['owners', 'members'],
})
export type MembershipRow = RowOf<typeof membershipRow>

/** The workspaces of an account, sorted by name, without suspended ones. */
export async function listMemberships(db: Connection, accountId: string): Promise<MembershipRow[]> {
  return db.all(
    membershipRow,
    sql`select u.workspace_id, w.name as workspace_name, u.role, w.installers
     from users u join workspaces w on w.id = u.workspace_id and w.suspended_time is null
     where u.id = ${accountId} and u.kind = 'person' and u.left_time is null order by w.name, w.id`,
  )
}

const botRow = rowOf({
  id: 'text',
  workspace_id: 'text',
  owner_id: 'text?',
  left_time: 'integer?',
})
type BotRow = RowOf<typeof botRow>

const BOT = sql`select id, workspace_id, owner_id, left_time from users`

/** The bot for which a person authorized a connection, even if the bot has been removed. */
export async function findAuthorizedBot(
  db: Connection,
  workspaceId: string,
  connectionId: string,
  personId: string,
): Promise<BotRow | undefined> {
  return db.get(
    botRow,
    sql`${BOT} where workspace_id = ${workspaceId} and connection_id = ${connectionId} and owner_id = ${personId}`,
  )
}

/** The bots of a connection in one workspace or, if none is given, in all. Removed bots are excluded. */
export async function listBots(db: Connection, connectionId: string, workspaceId?: string): Promise<BotRow[]> {
  return workspaceId === undefined
    ? db.all(
        botRow,
        sql`${BOT} where connection_id = ${connectionId} and kind = 'bot' and left_time is null order by created_time, id`,
      )
    : db.all(
        botRow,
        sql`${BOT} where workspace_id = ${workspaceId} and connection_id = ${connectionId} and kind = 'bot' and left_time is null
          order by created_time, id`,
      )
}

/** A bot that a person has authorized, and the time of the authorization. */
const authorizedBotRow = rowOf({ id: 'text', connection_id: 'text', created_time: 'integer' })
export type AuthorizedBotRow = RowOf<typeof authorizedBotRow>

/** The bots for which a person has authorized connections in a workspace, newest first. Removed bots are excluded. */
export async function listAuthorizedBots(
  db: Connection,
  workspaceId: string,
  personId: string,
  limit: number,
): Promise<AuthorizedBotRow[]> {
  return db.all(
    authorizedBotRow,
    sql`select id, connection_id, created_time from users where workspace_id = ${workspaceId} and kind = 'bot'
      and owner_id = ${personId} and connection_id is not null and left_time is null order by created_time desc, id limit ${limit}`,
  )
}

const connectionBotRow = rowOf({ id: 'text', workspace_id: 'text', owner_id: 'text?', created_time: 'integer' })
export type ConnectionBotRow = RowOf<typeof connectionBotRow>

const CONNECTION_BOT = sql`select id, workspace_id, owner_id, created_time from users`

/** The newest bots of a connection in all workspaces. Removed bots are excluded. */
export async function listNewestBots(db: Connection, connectionId: string, limit: number): Promise<ConnectionBotRow[]> {
  return db.all(
    connectionBotRow,
    sql`${CONNECTION_BOT} where connection_id = ${connectionId} and kind = 'bot' and left_time is null
      order by created_time desc, id limit ${limit}`,
  )
}

/** A bot of a connection in any workspace, unless it has been removed. */
export async function findConnectionBot(
  db: Connection,
  connectionId: string,
  botId: string,
): Promise<ConnectionBotRow | undefined> {
  return db.get(
    connectionBotRow,
    sql`${CONNECTION_BOT} where id = ${botId} and connection_id = ${connectionId} and kind = 'bot' and left_time is null`,
  )
}

const connectedBotRow = rowOf({ id: 'text', connection_id: 'text', name: 'text?' })
export type ConnectedBotRow = RowOf<typeof connectedBotRow>

/** The bots of all connections in a workspace, newest first. Removed bots are excluded. */
export async function listConnectedBots(db: Connection, workspaceId: string, limit: number): Promise<ConnectedBotRow[]> {
  return db.all(
    connectedBotRow,
    sql`select id, connection_id, name from users where workspace_id = ${workspaceId} and kind = 'bot'
      and connection_id is not null and left_time is null order by created_time desc, id limit ${limit}`,
  )
}

/** Gives the bots of a connection a name and an avatar. */
export async function renameBots(db: Transaction, connectionId: string, name: string, avatarUrl: string | null): Promise<void> {
  await db.run(
    sql`update users set name = ${name}, avatar_url = ${avatarUrl} where connection_id = ${connectionId} and kind = 'bot'`,
  )
}

export async function insertGroup(
  db: Transaction,
  workspaceId: string,
  group: { id: string; name: string; holdsTokens: boolean },
  now: number,
): Promise<void> {
  await db.run(
    sql`insert into member_groups (workspace_id, id, name, holds_tokens, created_time)
      values (${workspaceId}, ${group.id}, ${group.name}, ${Number(group.holdsTokens)}, ${now})`,
  )
}

const groupRow = rowOf({
  id: 'text',
  name: 'text',
  /** 0 or 1: whether members of the group may have personal tokens if the policy of the workspace is `groups`. */
  holds_tokens: 'integer',
  created_time: 'integer',
})
export type GroupRow = RowOf<typeof groupRow>

export async function findGroup(db: Connection, workspaceId: string, id: string): Promise<GroupRow | undefined> {
  return db.get(
    groupRow,
    sql`select id, name, holds_tokens, created_time from member_groups where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** The groups of a workspace, sorted by name. */
export async function listGroups(db: Connection, workspaceId: string): Promise<GroupRow[]> {
  return db.all(
    groupRow,
    sql`select id, name, holds_tokens, created_time from member_groups where workspace_id = ${workspaceId} order by name, id`,
  )
}

export async function updateGroupRow(
  db: Transaction,
  workspaceId: string,
  group: { id: string; name: string; holdsTokens: boolean },
): Promise<void> {
  await db.run(
    sql`update member_groups set name = ${group.name}, holds_tokens = ${Number(group.holdsTokens)}
      where workspace_id = ${workspaceId} and id = ${group.id}`,
  )
}

/** The members of a group in the order in which they joined the workspace, without those who have left it. */
export async function listGroupMembers(db: Connection, workspaceId: string, groupId: string): Promise<MemberRow[]> {
  return db.all(
    memberRow,
    sql`select u.workspace_id, u.id, u.name, u.email, u.role, u.left_time
     from member_group_people p join users u on u.workspace_id = p.workspace_id and u.id = p.user_id
     where p.workspace_id = ${workspaceId} and p.group_id = ${groupId} and u.left_time is null order by u.created_time, u.id`,
  )
}

export async function insertGroupPerson(db: Transaction, workspaceId: string, groupId: string, userId: string): Promise<void> {
  await db.run(
    sql`insert into member_group_people (workspace_id, group_id, user_id) values (${workspaceId}, ${groupId}, ${userId})
      on conflict do nothing`,
  )
}

/** @returns whether the member was in the group */
export async function deleteGroupPerson(db: Transaction, workspaceId: string, groupId: string, userId: string): Promise<boolean> {
  return (
    (await db.change(
      sql`delete from member_group_people where workspace_id = ${workspaceId} and group_id = ${groupId} and user_id = ${userId}`,
    )) > 0
  )
}

/** Whether a member is in a group whose members may have personal tokens. */
export async function isInTokenGroup(db: Connection, workspaceId: string, userId: string): Promise<boolean> {
  const row = await db.get(
    {},
    sql`select 1 as found from member_group_people p join member_groups g on g.workspace_id = p.workspace_id and g.id = p.group_id
     where p.workspace_id = ${workspaceId} and p.user_id = ${userId} and g.holds_tokens = 1`,
  )
  return row !== undefined
}

/** Names of groups by id. */
export async function findGroupNames(
  db: Connection,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const rows = await findRowsById(db, { id: 'text', name: 'text' }, 'member_groups', workspaceId, ids)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
