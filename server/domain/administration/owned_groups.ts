import { ServiceError, stateError } from '../../kernel/errors.ts'
import type { Connection, Transaction } from '../../store/database.ts'
import {
  deleteGroupPerson,
  findGroup,
  findMember,
  listGroupMembers,
  listGroups,
  type GroupRow,
  type MemberRow,
} from '../../store/members.ts'
import { recordAct, type AuditAction } from './audit_log.ts'
import { addToGroup, createGroup, updateGroup } from './groups.ts'
import { explainRefusal, requireOwnedMember, type OwnedWorkspace } from './owned_workspace.ts'

/** A group with its members, as the owners of the workspace see it. */
export interface OwnedGroup {
  readonly row: GroupRow
  readonly members: readonly MemberRow[]
}

/** The groups, by name. */
export async function listOwnedGroups(db: Connection, { workspaceId }: OwnedWorkspace): Promise<OwnedGroup[]> {
  const groups: OwnedGroup[] = []
  for (const row of await listGroups(db, workspaceId))
    groups.push({ row, members: await listGroupMembers(db, workspaceId, row.id) })
  return groups
}

/** Creates an empty group. @throws ServiceError for an invalid name */
export async function addOwnedGroup(db: Transaction, owned: OwnedWorkspace, name: string, now: number): Promise<void> {
  const id = await createGroup(db, owned.workspaceId, name, false, now).catch(explainRefusal)
  await record(db, owned, 'group.created', { id, name: name.trim() }, now)
}

/** @throws ServiceError if there is no such group, or for an invalid name */
export async function renameOwnedGroup(
  db: Transaction,
  owned: OwnedWorkspace,
  groupId: string,
  name: string,
  now: number,
): Promise<void> {
  const before = await requireOwnedGroup(db, owned, groupId)
  const { name: after } = await updateGroup(db, owned.workspaceId, groupId, { name }).catch(explainRefusal)
  await record(db, owned, 'group.renamed', { id: groupId, name: `${before.name}: ${after}` }, now)
}

interface GroupMember {
  readonly groupId: string
  readonly memberId: string
}

/** Adds a member to a group, or removes one. @throws ServiceError if there is no such group or member */
export async function changeOwnedGroupMember(
  db: Transaction,
  owned: OwnedWorkspace,
  change: 'add' | 'remove',
  { groupId, memberId }: GroupMember,
  now: number,
): Promise<void> {
  const { name } = await requireOwnedGroup(db, owned, groupId)
  if (change === 'add') {
    const { email } = await requireOwnedMember(db, owned, memberId)
    await addToGroup(db, owned.workspaceId, groupId, memberId)
    return record(db, owned, 'group.member_added', { id: groupId, name: `${name}: ${email ?? memberId}` }, now)
  }
  if (!(await deleteGroupPerson(db, owned.workspaceId, groupId, memberId))) throw stateError('The person is not in this group.')
  const member = await findMember(db, owned.workspaceId, memberId)
  return record(db, owned, 'group.member_removed', { id: groupId, name: `${name}: ${member?.email ?? memberId}` }, now)
}

async function requireOwnedGroup(db: Connection, { workspaceId }: OwnedWorkspace, groupId: string): Promise<GroupRow> {
  const group = await findGroup(db, workspaceId, groupId)
  if (group) return group
  throw new ServiceError('object_not_found', { message: 'The workspace has no such group. Reload the page.' })
}

function record(
  db: Transaction,
  { workspaceId, personId }: OwnedWorkspace,
  action: AuditAction,
  group: { readonly id: string; readonly name: string },
  now: number,
): Promise<void> {
  return recordAct(db, { workspaceId, personId, action, object: { type: 'group', ...group } }, now)
}
