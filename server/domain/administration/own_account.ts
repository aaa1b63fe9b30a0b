import { findAccount } from '../../store/accounts.ts'
import type { Connection } from '../../store/database.ts'
import { listMemberships, type Role } from '../../store/members.ts'
import { findPolicies } from '../../store/workspaces.ts'
import { holdsTokens, roleOf } from '../shared/index.ts'

interface OwnMembership {
  readonly id: string
  readonly name: string | null
  readonly role: Role
  readonly mayHoldTokens: boolean
}

/** An account as its person sees it. */
export interface OwnAccount {
  readonly hasPassword: boolean
  /** By name, without suspended ones. */
  readonly workspaces: readonly OwnMembership[]
}

export async function describeOwnAccount(db: Connection, personId: string): Promise<OwnAccount> {
  const account = await findAccount(db, personId)
  const workspaces: OwnMembership[] = []
  for (const membership of await listMemberships(db, personId)) {
    const { workspace_id: id, workspace_name: name } = membership
    const [role, policies] = [roleOf(membership.role), await findPolicies(db, id)]
    const mayHoldTokens = policies !== undefined && (await holdsTokens(db, id, personId, role, policies.token_holders))
    workspaces.push({ id, name, role, mayHoldTokens })
  }
  return { hasPassword: account?.password !== null && account !== undefined, workspaces }
}
