import { newId } from '../../kernel/ids.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import {
  insertGroupPerson,
  findGroup,
  insertGroup,
  deleteGroupPerson,
  updateGroupRow,
  type GroupRow,
} from '../../store/members.ts'
import { AdministrationError } from '../shared/index.ts'
import { requireName } from './names.ts'
import { requireMember } from './people.ts'

/**
 * @param holdsTokens whether its members may have personal tokens under the policy `groups`
 * @returns its id
 * @throws AdministrationError for an invalid name
 */
export async function createGroup(
  db: Transaction,
  workspaceId: string,
  name: string,
  holdsTokens: boolean,
  now: number,
): Promise<string> {
  const id = newId()
  await insertGroup(db, workspaceId, { id, name: requireName(name), holdsTokens }, now)
  return id
}

/** @throws AdministrationError if there is no such group */
export async function requireGroup(db: Connection, workspaceId: string, groupId: string): Promise<GroupRow> {
  const group = await findGroup(db, workspaceId, groupId)
  if (!group) throw new AdministrationError(`No group has the id ${groupId}. List groups with: workspace-service group list`)
  return group
}

/** Changes the given members. @throws AdministrationError if there is no such group, or for an invalid name */
export async function updateGroup(
  db: Transaction,
  workspaceId: string,
  groupId: string,
  changes: { readonly name?: string; readonly holdsTokens?: boolean },
): Promise<GroupRow> {
  const { name, holds_tokens: holds } = await requireGroup(db, workspaceId, groupId)
  await updateGroupRow(db, workspaceId, {
    id: groupId,
    name: changes.name === undefined ? name : requireName(changes.name),
    holdsTokens: changes.holdsTokens ?? Boolean(holds),
  })
  return requireGroup(db, workspaceId, groupId)
}

/** @throws AdministrationError if there is no such group, or the person is not a member of the workspace */
export async function addToGroup(db: Transaction, workspaceId: string, groupId: string, personId: string): Promise<void> {
  await requireGroup(db, workspaceId, groupId)
  await requireMember(db, workspaceId, personId)
  await insertGroupPerson(db, workspaceId, groupId, personId)
}

/** @throws AdministrationError if the person is not in the group */
export async function removeFromGroup(db: Transaction, workspaceId: string, groupId: string, personId: string): Promise<void> {
  if (!(await deleteGroupPerson(db, workspaceId, groupId, personId)))
    throw new AdministrationError(`${personId} is not in this group. Nothing was changed.`)
}
