import type { Connection } from '../../store/database.ts'
import { listMemberships, type Role } from '../../store/members.ts'
import { memberOf, roleOf, type Actor } from '../shared/index.ts'

/** A workspace that a person belongs to. */
export interface Membership {
  readonly workspaceName: string | null
  readonly role: Role
  /** The person as a member of the workspace. */
  readonly actor: Actor
}

/** The workspaces of a person, sorted by name, without suspended ones. */
export async function membershipsOf(db: Connection, personId: string): Promise<Membership[]> {
  const rows = await listMemberships(db, personId)
  return rows.map(({ workspace_id: id, workspace_name: workspaceName, role }) => ({
    workspaceName,
    role: roleOf(role),
    actor: memberOf(id, personId, roleOf(role)),
  }))
}

/**
 * A full member of a workspace that is not suspended, as an actor that needs no token. Others may not use the API, whatever the policy for
 * tokens.
 */
export async function actorOfMember(db: Connection, workspaceId: string, personId: string): Promise<Actor | undefined> {
  return (await fullMembershipsOf(db, personId)).find(({ actor }) => actor.workspaceId === workspaceId)?.actor
}

/** Like `membershipsOf`, without those as a guest or restricted member, who may not use the API. */
export async function fullMembershipsOf(db: Connection, personId: string): Promise<Membership[]> {
  return (await membershipsOf(db, personId)).filter(({ actor }) => actor.memberLevel !== 'none')
}
