import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql, valueList, type SqlValue } from './sql.ts'
import { readJson, readNullableJson } from './stored/read_json.ts'

const connectionKinds = ['internal', 'public'] as const
export type ConnectionKind = (typeof connectionKinds)[number]

/** A connection. It belongs to the workspace `workspaceId`; a public connection may be authorized in other workspaces as well. */
export interface ConnectionRecord {
  readonly id: string
  readonly workspaceId: string
  readonly kind: ConnectionKind
  readonly name: string
  readonly capabilities: readonly string[]
  readonly clientId: string | null
  readonly redirectUris: readonly string[]
  /** The workspaces in which the connection may be authorized; null for any. */
  readonly allowedWorkspaces: readonly string[] | null
  readonly templatePageId: string | null
  readonly iconUrl: string | null
  readonly developerName: string | null
  readonly developerUrl: string | null
  /** Requests in 60 seconds; null for the default of the deployment. */
  readonly rateLimit: number | null
  readonly createdTime: number
  readonly disabledTime: number | null
}

const connectionRow = rowOf({
  id: 'text',
  workspace_id: 'text',
  kind: connectionKinds,
  name: 'text',
  capabilities: 'text',
  client_id: 'text?',
  redirect_uris: 'text',
  allowed_workspaces: 'text?',
  template_page_id: 'text?',
  icon_url: 'text?',
  developer_name: 'text?',
  developer_url: 'text?',
  rate_limit: 'integer?',
  created_time: 'integer',
  disabled_time: 'integer?',
})
type ConnectionRow = RowOf<typeof connectionRow>

const SELECT = sql`select id, workspace_id, kind, name, capabilities, client_id, redirect_uris, allowed_workspaces,
  template_page_id, icon_url, developer_name, developer_url, rate_limit, created_time, disabled_time from connections`

function fromRow(row: ConnectionRow): ConnectionRecord {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    kind: row.kind,
    name: row.name,
    capabilities: readJson('connections.capabilities', row.id, row.capabilities) as string[],
    clientId: row.client_id,
    redirectUris: readJson('connections.redirect_uris', row.id, row.redirect_uris) as string[],
    allowedWorkspaces: readNullableJson('connections.allowed_workspaces', row.id, row.allowed_workspaces) as string[] | null,
    templatePageId: row.template_page_id,
    iconUrl: row.icon_url,
    developerName: row.developer_name,
    developerUrl: row.developer_url,
    rateLimit: row.rate_limit,
    createdTime: row.created_time,
    disabledTime: row.disabled_time,
  }
}

export async function findConnection(db: Connection, id: string): Promise<ConnectionRecord | undefined> {
  const row = await db.get(connectionRow, sql`${SELECT} where id = ${id}`)
  return row && fromRow(row)
}

export async function findClient(db: Connection, clientId: string): Promise<ConnectionRecord | undefined> {
  const row = await db.get(connectionRow, sql`${SELECT} where client_id = ${clientId}`)
  return row && fromRow(row)
}

export async function listConnections(db: Connection, workspaceId: string): Promise<ConnectionRecord[]> {
  return (await db.all(connectionRow, sql`${SELECT} where workspace_id = ${workspaceId} order by created_time, id`)).map(fromRow)
}

/** The newest connections of a kind in the given workspaces. */
export async function listConnectionsIn(
  db: Connection,
  workspaceIds: readonly string[],
  kind: ConnectionKind,
  limit: number,
): Promise<ConnectionRecord[]> {
  if (workspaceIds.length === 0) return []
  const rows = await db.all(
    connectionRow,
    sql`${SELECT} where workspace_id in (${valueList(workspaceIds)}) and kind = ${kind}
      order by created_time desc, id limit ${limit}`,
  )
  return rows.map(fromRow)
}

interface NewConnection {
  readonly id: string
  readonly workspaceId: string
  readonly kind: ConnectionKind
  readonly name: string
  readonly capabilities: readonly string[]
}

export async function insertConnection(db: Transaction, connection: NewConnection, now: number): Promise<void> {
  await db.run(
    sql`insert into connections (workspace_id, id, kind, name, capabilities, created_time)
      values (${connection.workspaceId}, ${connection.id}, ${connection.kind}, ${connection.name},
      ${JSON.stringify(connection.capabilities)}, ${now})`,
  )
}

export type ConnectionChanges = Partial<Omit<ConnectionRecord, 'id' | 'workspaceId' | 'createdTime'>>

/** Changes the given fields; the others stay as they are. */
export async function updateConnectionRow(db: Transaction, id: string, changes: ConnectionChanges): Promise<void> {
  const columns = Object.entries(toColumns(changes)).filter((entry): entry is [string, SqlValue] => entry[1] !== undefined)
  if (columns.length === 0) return
  const assignments = columns.map(([name, value]) => sql`${raw(name)} = ${value}`)
  await db.run(sql`update connections set ${joinSql(assignments, ', ')} where id = ${id}`)
}

function toColumns(changes: ConnectionChanges): Record<string, SqlValue | undefined> {
  return {
    kind: changes.kind,
    name: changes.name,
    client_id: changes.clientId,
    icon_url: changes.iconUrl,
    capabilities: jsonOf(changes.capabilities),
    redirect_uris: jsonOf(changes.redirectUris),
    allowed_workspaces: changes.allowedWorkspaces === null ? null : jsonOf(changes.allowedWorkspaces),
    template_page_id: changes.templatePageId,
    developer_name: changes.developerName,
    developer_url: changes.developerUrl,
    disabled_time: changes.disabledTime,
    rate_limit: changes.rateLimit,
  }
}

function jsonOf(list: readonly string[] | undefined): string | undefined {
  return list === undefined ? undefined : JSON.stringify(list)
}

/** Deletes a connection with its secrets and authorization codes. Its bots and their content stay. */
export async function deleteConnectionRow(db: Transaction, connection: ConnectionRecord): Promise<void> {
  if (connection.clientId !== null) await db.run(sql`delete from client_secrets where client_id = ${connection.clientId}`)
  await db.run(sql`delete from authorization_codes where connection_id = ${connection.id}`)
  await db.run(sql`delete from connections where id = ${connection.id}`)
}

/** The digests of a client's secrets that are valid at a time. */
export async function liveSecrets(db: Connection, clientId: string, now: number): Promise<Uint8Array[]> {
  const rows = await db.all(
    { digest: 'bytes' },
    sql`select digest from client_secrets where client_id = ${clientId} and (expires_time is null or expires_time > ${now})`,
  )
  return rows.map((row) => row.digest)
}

/** Adds a secret; earlier ones expire at `oldEnd` at the latest. */
export async function insertSecret(
  db: Transaction,
  clientId: string,
  digest: Uint8Array,
  now: number,
  oldEnd: number,
): Promise<void> {
  await db.run(sql`delete from client_secrets where client_id = ${clientId} and expires_time <= ${now}`)
  await db.run(sql`update client_secrets set expires_time = ${oldEnd} where client_id = ${clientId} and expires_time is null`)
  await db.run(sql`insert into client_secrets (client_id, digest, created_time) values (${clientId}, ${digest}, ${now})`)
}
