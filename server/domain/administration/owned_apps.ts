import type { Capability } from '../../../generated/operations.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findConnectionBot, listNewestBots, type ConnectionBotRow } from '../../store/members.ts'
import { findUsers } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { createConnection, removeBot, rotateClientSecret, updateConnection } from './connections.ts'
import { recordOnConnection, type OwnedConnection } from './owned_connections.ts'
import { ownedWorkspaces } from './owned_webhooks.ts'

interface NewOwnedApp {
  readonly workspaceId: string
  readonly name: string
  readonly capabilities: readonly Capability[]
  readonly redirectUris: readonly string[]
}

/** A new OAuth app, which is a public connection. */
interface CreatedApp {
  readonly connectionId: string
  /** Shown only once. */
  readonly clientSecret: string
}

/** The authorization of an OAuth app by a person in a workspace. */
export interface AppAuthorization {
  readonly botId: string
  readonly workspace: { readonly id: string; readonly name: string | null }
  /** Null in a workspace that the viewer does not own: only the capabilities of the app decide what its developers learn there. */
  readonly person: { readonly id: string; readonly name: string | null } | null
  /** When the person first authorized it, in milliseconds since 1970. */
  readonly authorizedTime: number
}

/**
 * Creates an OAuth app in a workspace that the person owns.
 * @returns undefined if the person does not own it
 * @throws AdministrationError if a setting is invalid
 */
export async function createOwnedApp(
  db: Transaction,
  personId: string,
  settings: NewOwnedApp,
  now: number,
): Promise<CreatedApp | undefined> {
  if (!(await ownedWorkspaces(db, personId)).has(settings.workspaceId)) return undefined
  const made = await createConnection(db, { ...settings, kind: 'public' }, now)
  if (made.kind !== 'public') throw new Error('The new connection is not public.')
  await recordOnConnection(db, personId, { ...settings, id: made.connectionId }, 'connection.created', now)
  return made
}

/** Replaces the redirect URIs of an OAuth app. @throws AdministrationError if one is invalid */
export async function changeRedirectUris(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  redirectUris: readonly string[],
  now: number,
): Promise<void> {
  await updateConnection(db, record.id, { redirectUris })
  await recordOnConnection(db, personId, record, 'connection.redirect_uris_changed', now)
}

/** Replaces the client secret of an OAuth app. @returns the secret, which is shown only once */
export async function rotateOwnedSecret(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  now: number,
): Promise<string> {
  const secret = await rotateClientSecret(db, record.id, now)
  await recordOnConnection(db, personId, record, 'connection.secret_rotated', now)
  return secret
}

/** The newest authorizations of an OAuth app in all workspaces. */
export async function listAppAuthorizations(
  db: Connection,
  personId: string,
  { record }: OwnedConnection,
  limit: number,
): Promise<AppAuthorization[]> {
  const bots = await listNewestBots(db, record.id, limit)
  const owned = await ownedWorkspaces(db, personId)
  const found: AppAuthorization[] = []
  for (const [workspaceId, own] of Map.groupBy(bots, (bot) => bot.workspace_id)) {
    const workspace = { id: workspaceId, name: (await findWorkspace(db, workspaceId))?.name ?? null }
    const names = owned.has(workspaceId) ? await namesOfOwners(db, workspaceId, own) : undefined
    found.push(
      ...own.map(({ id, owner_id: ownerId, created_time: authorizedTime }) => ({
        ...{ botId: id, workspace, authorizedTime },
        person: ownerId === null || !names ? null : { id: ownerId, name: names.get(ownerId) ?? null },
      })),
    )
  }
  return found.toSorted((one, other) => other.authorizedTime - one.authorizedTime)
}

async function namesOfOwners(
  db: Connection,
  workspaceId: string,
  bots: readonly ConnectionBotRow[],
): Promise<ReadonlyMap<string, string | null>> {
  const ids = bots.flatMap(({ owner_id: id }) => id ?? [])
  return new Map((await findUsers(db, workspaceId, ids)).map(({ id, name }) => [id, name]))
}

/** The workspace of an authorization of an OAuth app; undefined if there is no such authorization. */
export async function workspaceOfAuthorization(
  db: Connection,
  { record }: OwnedConnection,
  botId: string,
): Promise<string | undefined> {
  return (await findConnectionBot(db, record.id, botId))?.workspace_id
}

/** Revokes an authorization of an OAuth app, in any workspace. @returns whether there was one */
export async function revokeAppAuthorization(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  botId: string,
  now: number,
): Promise<boolean> {
  const bot = await findConnectionBot(db, record.id, botId)
  if (!bot) return false
  await removeBot(db, bot.workspace_id, botId, now)
  await recordOnConnection(db, personId, record, 'connection.authorization_revoked', now)
  return true
}
