import type { Capability } from '../../../generated/operations.ts'
import { newId } from '../../kernel/ids.ts'
import { deleteAgentAccessOf } from '../../store/agent_access.ts'
import { endFamiliesOf } from '../../store/authorizations.ts'
import { findBlock } from '../../store/blocks.ts'
import {
  deleteConnectionRow,
  findConnection,
  insertConnection,
  insertSecret,
  updateConnectionRow,
  type ConnectionChanges,
  type ConnectionKind,
  type ConnectionRecord,
} from '../../store/connections.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { deleteGrantsOf } from '../../store/grants.ts'
import { listBots, renameBots, setLeft } from '../../store/members.ts'
import { insertToken, revokeTokens, tokenDigest } from '../../store/tokens.ts'
import { insertUser } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { capabilityOrder, newSecret, AdministrationError } from '../shared/index.ts'
import { endSubscriptions } from '../events/index.ts'
import { avatarOf, requireIcon } from './icon.ts'
import { requireName } from './names.ts'
import { requireRedirectUris } from './redirect_uris.ts'

/** The settings of a connection. Omitted members have defaults. */
export interface ConnectionSettings {
  readonly name: string
  readonly capabilities: readonly Capability[]
  /** For public connections only: 1 to 20. */
  readonly redirectUris?: readonly string[]
  /** The workspaces in which a public connection may be authorized; null for all, which is the default. */
  readonly allowedWorkspaces?: readonly string[] | null
  /** A page of the connection's own workspace that users can duplicate; null for none. */
  readonly templatePageId?: string | null
  /** The consent page shows only icons that are `data:` addresses and ignores those that it would have to fetch. */
  readonly iconUrl?: string | null
  readonly developerName?: string | null
  readonly developerUrl?: string | null
  /** Requests per 60 seconds, 1 to 1,000,000; null for the limit of the deployment. */
  readonly rateLimit?: number | null
}

interface NewConnection extends ConnectionSettings {
  readonly workspaceId: string
  readonly kind: ConnectionKind
  /** A fixed id and token, for deployments that choose them. */
  readonly id?: string
  readonly token?: string
}

export interface InternalConnection {
  readonly kind: 'internal'
  readonly connectionId: string
  readonly botId: string
  /** Shown only once: the service stores its digest. */
  readonly installationToken: string
}

export interface PublicConnection {
  readonly kind: 'public'
  readonly connectionId: string
  readonly clientId: string
  /** Shown only once: the service stores its digest. */
  readonly clientSecret: string
}

/** After rotation, the previous secret remains valid for this time. */
const OLD_SECRET_MS = 24 * 60 * 60 * 1000

/**
 * Creates a connection: an internal one with its bot and installation token, or a public one with a client id and secret.
 * @throws AdministrationError if a setting is invalid
 */
export async function createConnection(
  db: Transaction,
  settings: NewConnection,
  now: number,
): Promise<InternalConnection | PublicConnection> {
  const { workspaceId, kind } = settings
  const name = requireName(settings.name)
  if (!(await findWorkspace(db, workspaceId)))
    throw new AdministrationError(
      `No workspace has the id ${workspaceId}. List workspaces with: workspace-service workspace list`,
    )
  requireCapabilities(settings.capabilities)
  if (kind === 'public' && (settings.redirectUris ?? []).length === 0)
    throw new AdministrationError('A public connection needs a redirect URI: add --redirect-uri.')
  const connectionId = settings.id ?? newId()
  await insertConnection(db, { id: connectionId, workspaceId, kind, name, capabilities: settings.capabilities }, now)
  await updateConnection(db, connectionId, settings)
  if (kind === 'public') {
    const clientId = newId()
    await updateConnectionRow(db, connectionId, { clientId })
    return { kind, connectionId, clientId, clientSecret: await addSecret(db, clientId, now) }
  }
  const botId = newId()
  await insertUser(db, workspaceId, {
    id: botId,
    kind: 'bot',
    name,
    avatar_url: avatarOf(settings.iconUrl),
    email: null,
    role: null,
    connection_id: connectionId,
    created_time: now,
  })
  const installationToken = settings.token ?? newSecret('itk')
  await insertToken(
    db,
    { digest: tokenDigest(installationToken), workspaceId, kind: 'installation', connectionId, userId: botId },
    now,
  )
  return { kind, connectionId, botId, installationToken }
}

/** @throws AdministrationError if there is no such connection */
export async function requireConnection(db: Connection, connectionId: string): Promise<ConnectionRecord> {
  const connection = await findConnection(db, connectionId)
  if (!connection)
    throw new AdministrationError(
      `No connection has the id ${connectionId}. List connections with: workspace-service connection list`,
    )
  return connection
}

/** Changes the given settings. Capabilities apply to all existing tokens from their next request on. */
export async function updateConnection(
  db: Transaction,
  connectionId: string,
  changes: Partial<ConnectionSettings>,
): Promise<ConnectionRecord> {
  const connection = await requireConnection(db, connectionId)
  if (changes.capabilities) requireCapabilities(changes.capabilities)
  if (changes.rateLimit !== undefined && changes.rateLimit !== null) requireRateLimit(changes.rateLimit)
  if (changes.redirectUris) requireRedirectUris(changes.redirectUris)
  if (changes.iconUrl) requireIcon(changes.iconUrl)
  if (changes.developerUrl) requireWebAddress(changes.developerUrl)
  if (changes.templatePageId) await requireTemplate(db, connection.workspaceId, changes.templatePageId)
  const settings = {
    ...settingsOf(changes),
    ...(changes.name !== undefined && { name: requireName(changes.name) }),
    ...(changes.developerName && { developerName: requireName(changes.developerName) }),
  }
  await updateConnectionRow(db, connectionId, settings)
  if (changes.name !== undefined || changes.iconUrl !== undefined) {
    const { name, iconUrl } = { ...connection, ...settings }
    await renameBots(db, connectionId, name, avatarOf(iconUrl))
  }
  return requireConnection(db, connectionId)
}

const RATE_LIMIT_MAX = 1_000_000

function requireRateLimit(requests: number): void {
  if (Number.isInteger(requests) && requests >= 1 && requests <= RATE_LIMIT_MAX) return
  throw new AdministrationError(`The rate limit should be a whole number of requests in 60 seconds, from 1 to ${RATE_LIMIT_MAX}.`)
}

const SETTINGS = [
  'name',
  'capabilities',
  'redirectUris',
  'allowedWorkspaces',
  'templatePageId',
  'iconUrl',
  'developerName',
  'developerUrl',
  'rateLimit',
] as const satisfies readonly (keyof ConnectionSettings)[]

function settingsOf(changes: Partial<ConnectionSettings>): ConnectionChanges {
  return Object.fromEntries(SETTINGS.filter((name) => changes[name] !== undefined).map((name) => [name, changes[name]]))
}

function requireCapabilities(capabilities: readonly string[]): void {
  const unknown = capabilities.find((word) => !(capabilityOrder as readonly string[]).includes(word))
  if (unknown !== undefined)
    throw new AdministrationError(`"${unknown}" is not a capability. The capabilities are ${capabilityOrder.join(', ')}.`)
}

function requireWebAddress(text: string): void {
  if (!URL.canParse(text) || !/^https?:/i.test(text))
    throw new AdministrationError(`"${text.slice(0, 200)}" is not a web address.`)
}

async function requireTemplate(db: Connection, workspaceId: string, pageId: string): Promise<void> {
  const page = await findBlock(db, workspaceId, pageId)
  if (page?.type !== 'child_page')
    throw new AdministrationError("The template should be a page of the connection's own workspace.")
}

/** Disables or enables a connection. While it is disabled, requests with its tokens get 401. Its webhook subscriptions end permanently. */
export async function setConnectionEnabled(db: Transaction, connectionId: string, enabled: boolean, now: number): Promise<void> {
  const { workspaceId } = await requireConnection(db, connectionId)
  await updateConnectionRow(db, connectionId, { disabledTime: enabled ? null : now })
  if (!enabled) await endSubscriptions(db, { workspaceId, connectionId }, now)
}

/**
 * Replaces the token of an internal connection. The previous token is revoked at once.
 * @returns the token, which is shown only once
 */
export async function regenerateInstallationToken(
  db: Transaction,
  connectionId: string,
  now: number,
  token: string = newSecret('itk'),
): Promise<string> {
  const { workspaceId, kind } = await requireConnection(db, connectionId)
  const [bot] = await listBots(db, connectionId, workspaceId)
  if (kind !== 'internal' || !bot) throw new AdministrationError('Only internal connections have an installation token.')
  await revokeTokens(db, workspaceId, bot.id, now)
  await insertToken(db, { digest: tokenDigest(token), workspaceId, kind: 'installation', connectionId, userId: bot.id }, now)
  return token
}

/**
 * Replaces the secret of a public connection. The previous secret remains valid for 24 hours.
 * @returns the secret, which is shown only once
 */
export async function rotateClientSecret(db: Transaction, connectionId: string, now: number): Promise<string> {
  const { clientId } = await requireConnection(db, connectionId)
  if (clientId === null) throw new AdministrationError('Only public connections have a client secret.')
  return addSecret(db, clientId, now)
}

async function addSecret(db: Transaction, clientId: string, now: number): Promise<string> {
  const secret = newSecret('cs')
  await insertSecret(db, clientId, tokenDigest(secret), now, now + OLD_SECRET_MS)
  return secret
}

/**
 * Removes a connection from one workspace: its bots there lose all shares and tokens. A user who authorizes it again gets the
 * same bot. The webhook subscriptions of an internal connection, which has no other workspace, end.
 * @returns the number of its bots there
 */
export async function removeConnection(db: Transaction, connectionId: string, workspaceId: string, now: number): Promise<number> {
  const bots = await listBots(db, connectionId, workspaceId)
  for (const bot of bots) await removeBot(db, workspaceId, bot.id, now)
  const connection = await findConnection(db, connectionId)
  if (connection?.kind === 'internal') await endSubscriptions(db, { workspaceId: connection.workspaceId, connectionId }, now)
  return bots.length
}

/** Removes one bot of a connection from its workspace: it loses all shares and tokens. */
export async function removeBot(db: Transaction, workspaceId: string, botId: string, now: number): Promise<void> {
  await endFamiliesOf(db, workspaceId, botId, now)
  await deleteGrantsOf(db, workspaceId, botId)
  await deleteAgentAccessOf(db, workspaceId, botId)
  await setLeft(db, workspaceId, botId, now)
}

/** Deletes a connection in all workspaces permanently. The content that its bots have written stays. */
export async function deleteConnection(db: Transaction, connectionId: string, now: number): Promise<void> {
  const connection = await requireConnection(db, connectionId)
  for (const bot of await listBots(db, connectionId)) await removeConnection(db, connectionId, bot.workspace_id, now)
  await endSubscriptions(db, { workspaceId: connection.workspaceId, connectionId }, now)
  await deleteConnectionRow(db, connection)
}
