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
