import { capabilityOrder } from '../domain/actor.ts'
import { createConnection } from '../domain/administration/connections.ts'
import { createPerson } from '../domain/administration/people.ts'
import { createWorkspace, requireFreeName } from '../domain/administration/workspaces.ts'
import type { Transaction } from '../domain/database.ts'
import { share } from '../domain/sharing.ts'
import type { CloneHead } from './progress_file.ts'

/** The settings of a clone's workspace. */
export interface CloneWishes {
  readonly name: string
  /** Its owner, if it has one from the start. */
  readonly owner: { readonly name: string; readonly email: string } | undefined
}

/**
 * Creates the workspace of a clone, and the connection that writes it and sees all of it.
 * @throws AdministrationError for a name that is taken
 */
export async function makeWorkspace(db: Transaction, source: string, wishes: CloneWishes, now: number): Promise<CloneHead> {
  const workspaceId = await createWorkspace(db, await requireFreeName(db, wishes.name), now)
  if (wishes.owner) await createPerson(db, { workspaceId, ...wishes.owner, role: 'owner' }, now)
  const connection = await createConnection(
    db,
    { workspaceId, kind: 'internal', name: 'Clone', capabilities: capabilityOrder },
    now,
  )
  if (connection.kind !== 'internal') throw new Error('the connection is not internal')
  await share(db, workspaceId, { connectionId: connection.connectionId }, workspaceId, now)
  return { source, workspaceId, token: connection.installationToken }
}
