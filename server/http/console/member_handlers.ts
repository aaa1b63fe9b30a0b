import {
  addOwnedGroup,
  changeOwnedGroupMember,
  changeOwnedRole,
  inviteOwned,
  listOwnedGroups,
  listOwnedMembers,
  removeOwned,
  renameOwnedGroup,
  requireOwned,
  type OwnedWorkspace,
} from '../../domain/administration/index.ts'
import type { Transaction } from '../../domain/shared/index.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

type MemberId = 'listWorkspaceMembers' | 'createInvitation' | 'updateMember' | 'deleteMember'
type GroupId = 'listMemberGroups' | 'createMemberGroup' | 'updateMemberGroup' | 'createGroupMember' | 'deleteGroupMember'
type WorkspaceCall = Pick<ConsoleCall<'createInvitation'>, 'deps' | 'session' | 'path' | 'now'>
type GroupMemberCall = Pick<ConsoleCall<'createGroupMember'>, 'deps' | 'session' | 'path' | 'now'>
type Db = Parameters<typeof requireOwned>[0]

/** The operations about the members and groups of the workspaces that the person owns. */
export const memberHandlers: ConsoleHandlers<MemberId | GroupId> = {
  listWorkspaceMembers: (call) => read(call, presentMembers),
  createInvitation(call) {
    const { deps, body, now } = call
    return write(call, async (db, owned) => {
      const { email, link } = await inviteOwned(db, owned, body, now)
      return {
        object: 'invitation',
        members: await presentMembers(db, owned),
        email,
        sign_in_url: link === undefined ? null : `${deps.baseUrl()}${link.path}`,
        expires_time: link === undefined ? null : timeText(link.expiresTime),
      }
    })
  },
  updateMember(call) {
    const { path, body, now } = call
    return write(call, async (db, owned) => {
      await changeOwnedRole(db, owned, canonicalId(path.person_id), body.role, now)
      return presentMembers(db, owned)
    })
  },
  deleteMember(call) {
    const { path, now } = call
    return write(call, async (db, owned) => {
      await removeOwned(db, owned, canonicalId(path.person_id), now)
      return presentMembers(db, owned)
    })
  },
  listMemberGroups: (call) => read(call, presentGroups),
  createMemberGroup(call) {
    return write(call, async (db, owned) => {
      await addOwnedGroup(db, owned, call.body.name, call.now)
      return presentGroups(db, owned)
    })
  },
  updateMemberGroup(call) {
    const { path, body, now } = call
    return write(call, async (db, owned) => {
      await renameOwnedGroup(db, owned, canonicalId(path.group_id), body.name, now)
      return presentGroups(db, owned)
    })
  },
  createGroupMember: (call) => changeGroup(call, 'add'),
  deleteGroupMember: (call) => changeGroup(call, 'remove'),
}

function changeGroup(call: GroupMemberCall, change: 'add' | 'remove'): Promise<ConsoleResponse<'listMemberGroups'>> {
  const which = { groupId: canonicalId(call.path.group_id), memberId: canonicalId(call.path.person_id) }
  return write(call, async (db, owned) => {
    await changeOwnedGroupMember(db, owned, change, which, call.now)
    return presentGroups(db, owned)
  })
}

function read<T>(
  { deps, session, path }: Omit<WorkspaceCall, 'now'>,
  work: (db: Db, owned: OwnedWorkspace) => Promise<T>,
): Promise<T> {
  return deps.database.read(async (db) => work(db, await requireOwned(db, session.personId, canonicalId(path.workspace_id))))
}

/** Works while no other writer changes the workspace, if the person owns it. */
async function write<T>(call: WorkspaceCall, work: (db: Transaction, owned: OwnedWorkspace) => Promise<T>): Promise<T> {
  const { deps, session } = call
  const { workspaceId } = await read(call, async (_db, owned) => owned)
  return deps.database.write(async (db) => work(db, await requireOwned(db, session.personId, workspaceId)), workspaceId)
}

async function presentMembers(db: Db, owned: OwnedWorkspace): Promise<ConsoleResponse<'listWorkspaceMembers'>> {
  const members = await listOwnedMembers(db, owned)
  return {
    object: 'list',
    type: 'workspace_member',
    results: members.map(({ row: { id, name, email, role }, lastSignInTime: time, isLastOwner }) => ({
      object: 'workspace_member',
      ...{ id, name, email, role },
      last_sign_in_time: time === undefined ? null : timeText(time),
      is_last_owner: isLastOwner,
    })),
  }
}

async function presentGroups(db: Db, owned: OwnedWorkspace): Promise<ConsoleResponse<'listMemberGroups'>> {
  const groups = await listOwnedGroups(db, owned)
  return {
    object: 'list',
    type: 'member_group',
    results: groups.map(({ row, members }) => ({
      object: 'member_group',
      ...{ id: row.id, name: row.name, gives_tokens: row.holds_tokens === 1 },
      members: members.map(({ id, name }) => ({ id, name })),
    })),
  }
}
