import { capabilityOrder, type Transaction } from '@workspace-service/server/domain/shared/index.ts'
import {
  createConnection,
  createPerson,
  createPersonalToken,
  createWorkspace,
} from '@workspace-service/server/domain/administration/index.ts'
import { insertGrant } from '@workspace-service/server/store/grants.ts'

/** A new workspace, with an owner and a connection that may do everything and sees all of it. */
export interface CreatedWorkspace {
  readonly id: string
  readonly connectionId: string
  readonly botId: string
  /** The installation token of the connection. */
  readonly token: string
  readonly owner: { readonly id: string; readonly email: string; readonly token: string }
}

/** Creates a workspace. @param number makes the owner's email address unique */
export async function createTestWorkspace(db: Transaction, name: string, number: number, now: number): Promise<CreatedWorkspace> {
  const id = await createWorkspace(db, name, now)
  const email = `owner${number}@workspace-service.test`
  const personId = await createPerson(db, { workspaceId: id, name: 'Test Owner', email, role: 'owner' }, now)
  const { token: personalToken } = await createPersonalToken(db, { workspaceId: id, personId }, now)
  const connection = await createConnection(
    db,
    { workspaceId: id, kind: 'internal', name: 'Test connection', capabilities: capabilityOrder },
    now,
  )
  if (connection.kind !== 'internal') throw new Error('the connection is not internal')
  const { connectionId, botId, installationToken: token } = connection
  await insertGrant(db, id, botId, id, now)
  return { id, connectionId, botId, token, owner: { id: personId, email, token: personalToken } }
}
