import { newId } from '../../kernel/ids.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import { findPolicies, insertWorkspace, setPolicies, setSuspended, type WorkspacePolicies } from '../../store/workspaces.ts'
import { AdministrationError } from './error.ts'

/** @returns the workspace's id */
export async function createWorkspace(db: Transaction, name: string, now: number, id: string = newId()): Promise<string> {
  await insertWorkspace(db, { id, name, icon_url: null }, now)
  return id
}

/** The policies of a workspace. @throws AdministrationError when there is no such workspace */
export async function requirePolicies(db: Connection, workspaceId: string): Promise<Required<WorkspacePolicies>> {
  const policies = await findPolicies(db, workspaceId)
  if (!policies) throw new AdministrationError('There is no such workspace.')
  return policies
}

/** Who may authorize connections and hold personal tokens; it applies to tokens that exist as well. */
export async function setWorkspacePolicies(db: Transaction, workspaceId: string, policies: WorkspacePolicies): Promise<void> {
  await setPolicies(db, workspaceId, policies)
}

/** No token of a suspended workspace works. */
export async function setWorkspaceSuspended(
  db: Transaction,
  workspaceId: string,
  suspended: boolean,
  now: number,
): Promise<void> {
  await setSuspended(db, workspaceId, suspended ? now : null)
}
