import type { Capability } from '../../../generated/operations.ts'
import type { Transaction } from '../../store/database.ts'
import { createConnection, regenerateInstallationToken } from './connections.ts'
import { recordOnConnection, type OwnedConnection } from './owned_connections.ts'
import { ownedWorkspaces } from './owned_webhooks.ts'

interface NewOwnedInternalConnection {
  readonly workspaceId: string
  readonly name: string
  readonly capabilities: readonly Capability[]
}

interface CreatedInternalConnection {
  readonly connectionId: string
  /** Shown only once. */
  readonly token: string
}

/**
 * Creates an internal connection in a workspace that the person owns.
 * @returns undefined if the person does not own it
 * @throws AdministrationError if a setting is invalid
 */
export async function createOwnedInternalConnection(
  db: Transaction,
  personId: string,
  settings: NewOwnedInternalConnection,
  now: number,
): Promise<CreatedInternalConnection | undefined> {
  if (!(await ownedWorkspaces(db, personId)).has(settings.workspaceId)) return undefined
  const made = await createConnection(db, { ...settings, kind: 'internal' }, now)
  if (made.kind !== 'internal') throw new Error('The new connection is not internal.')
  await recordOnConnection(db, personId, { ...settings, id: made.connectionId }, 'connection.created', now)
  return { connectionId: made.connectionId, token: made.installationToken }
}

/** Replaces the token of an internal connection. The previous one is revoked at once. @returns the token, which is shown only once */
export async function rotateOwnedToken(
  db: Transaction,
  personId: string,
  { record }: OwnedConnection,
  now: number,
): Promise<string> {
  const token = await regenerateInstallationToken(db, record.id, now)
  await recordOnConnection(db, personId, record, 'connection.token_rotated', now)
  return token
}
