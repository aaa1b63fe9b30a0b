import { newId } from '../../kernel/ids.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import {
  findPolicies,
  insertWorkspace,
  listWorkspaces,
  setName,
  setPolicies,
  setSuspended,
  type WorkspacePolicies,
} from '../../store/workspaces.ts'
import { AdministrationError } from '../shared/index.ts'
import { requireName } from './names.ts'
import { requireWhole } from './unfinished.ts'

/**
 * @returns the workspace's id
 * @throws AdministrationError for an invalid name
 */
export async function createWorkspace(db: Transaction, name: string, now: number, id: string = newId()): Promise<string> {
  await insertWorkspace(db, { id, name: requireName(name), icon_url: null }, now)
  return id
}

/**
 * A name that no other workspace has: people and the command line distinguish workspaces by name.
 * @param own the workspace that may have the name already
 * @throws AdministrationError if the name is invalid or taken
 */
export async function requireFreeName(db: Connection, text: string, own?: string): Promise<string> {
  const name = requireName(text)
  const taken = (await listWorkspaces(db)).find((other) => other.id !== own && sameName(other.name, name))
  if (taken) throw new AdministrationError(`A workspace named "${taken.name ?? ''}" already exists: ${taken.id}`)
  return name
}

function sameName(one: string | null, other: string): boolean {
  return one?.trim().toLowerCase() === other.toLowerCase()
}

/** @throws AdministrationError when the name is taken */
export async function renameWorkspace(db: Transaction, workspaceId: string, name: string): Promise<string> {
  const free = await requireFreeName(db, name, workspaceId)
  await setName(db, workspaceId, free)
  return free
}

/** The policies of a workspace. @throws AdministrationError when there is no such workspace */
export async function requirePolicies(db: Connection, workspaceId: string): Promise<Required<WorkspacePolicies>> {
  const policies = await findPolicies(db, workspaceId)
  if (!policies)
    throw new AdministrationError(
      `No workspace has the id ${workspaceId}. List workspaces with: workspace-service workspace list`,
    )
  return policies
}

/** Sets who may authorize connections and hold personal tokens; applies to existing tokens as well. */
export async function setWorkspacePolicies(db: Transaction, workspaceId: string, policies: WorkspacePolicies): Promise<void> {
  await setPolicies(db, workspaceId, policies)
}

/** No token of a suspended workspace works. @throws AdministrationError when it cannot be resumed */
export async function setWorkspaceSuspended(
  db: Transaction,
  workspaceId: string,
  suspended: boolean,
  now: number,
): Promise<void> {
  if (!suspended) await requireWhole(db, workspaceId)
  await setSuspended(db, workspaceId, suspended ? now : null)
}
