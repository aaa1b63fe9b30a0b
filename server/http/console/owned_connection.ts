import { findOwnedConnection, type OwnedConnection } from '../../domain/administration/index.ts'
import type { Scope, Transaction } from '../../domain/shared/index.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { ConsoleCall } from './console_calls.ts'

type Kind = OwnedConnection['record']['kind']
export type OwnedConnectionCall = Pick<ConsoleCall<'retrieveOAuthApp'>, 'deps' | 'session' | 'path'>

/** The connection that the path names. @throws ServiceError `object_not_found` unless the person owns its workspace */
export async function requireOwnedConnection(
  db: Scope['db'],
  { session, path }: OwnedConnectionCall,
  kind: Kind,
): Promise<OwnedConnection> {
  const found = await findOwnedConnection(db, session.personId, kind, canonicalId(path.connection_id))
  if (!found) throw missingOfConnection()
  return found
}

/**
 * Changes a connection if the person owns its workspace, while no other writer changes a workspace.
 * @param changedWorkspace the workspace that changes; by default, that of the connection
 */
export async function changeOwnedConnection<T>(
  call: OwnedConnectionCall,
  kind: Kind,
  work: (db: Transaction, connection: OwnedConnection) => Promise<T>,
  changedWorkspace = async (_db: Scope['db'], { record }: OwnedConnection): Promise<string | undefined> => record.workspaceId,
): Promise<T> {
  const { database } = call.deps
  const workspaceId = await database.read(async (db) => changedWorkspace(db, await requireOwnedConnection(db, call, kind)))
  if (workspaceId === undefined) throw missingOfConnection()
  return database.write(async (db) => work(db, await requireOwnedConnection(db, call, kind)), workspaceId)
}

/** The error for a connection, and for whatever belongs to one, that is missing or hidden. */
export function missingOfConnection(): ServiceError {
  return new ServiceError('object_not_found', {
    message: 'There is no connection, authorization, page or database with this id that you may see.',
  })
}
