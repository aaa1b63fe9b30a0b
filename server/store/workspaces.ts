import type { Connection, Transaction } from './database.ts'
import { rowOf, type RowOf } from './row_shape.ts'
import { raw, sql } from './sql.ts'

const workspaceRow = rowOf({
  id: 'text',
  name: 'text?',
  icon_url: 'text?',
})
type WorkspaceRow = RowOf<typeof workspaceRow>

export async function findWorkspace(db: Connection, id: string): Promise<WorkspaceRow | undefined> {
  return db.get(workspaceRow, sql`select id, name, icon_url from workspaces where id = ${id}`)
}

export async function insertWorkspace(db: Transaction, workspace: WorkspaceRow, now: number): Promise<void> {
  await db.run(
    sql`insert into workspaces (id, name, icon_url, created_time) values (${workspace.id}, ${workspace.name},
      ${workspace.icon_url}, ${now})`,
  )
}

export async function setName(db: Transaction, id: string, name: string): Promise<void> {
  await db.run(sql`update workspaces set name = ${name} where id = ${id}`)
}

/** Locks a workspace against other writers until the transaction ends. */
export async function lockWorkspace(db: Transaction, id: string): Promise<void> {
  await db.get({}, sql`select id from workspaces where id = ${id}${raw(db.forUpdate)}`)
}

export const installerPolicies = ['owners', 'members'] as const
export const tokenHolderPolicies = ['owners', 'groups', 'members'] as const

export interface WorkspacePolicies {
  /** Who may authorize public connections. Guests and restricted members never may. */
  readonly installers?: (typeof installerPolicies)[number]
  /** Who may have personal access tokens. `groups` means owners and members of the groups that are selected for it. */
  readonly token_holders?: (typeof tokenHolderPolicies)[number]
}

const policiesRow = rowOf({ installers: installerPolicies, token_holders: tokenHolderPolicies })

export async function findPolicies(db: Connection, id: string): Promise<RowOf<typeof policiesRow> | undefined> {
  return db.get(policiesRow, sql`select installers, token_holders from workspaces where id = ${id}`)
}

export async function setPolicies(db: Transaction, id: string, policies: WorkspacePolicies): Promise<void> {
  if (policies.installers) await db.run(sql`update workspaces set installers = ${policies.installers} where id = ${id}`)
  if (policies.token_holders) await db.run(sql`update workspaces set token_holders = ${policies.token_holders} where id = ${id}`)
}

/**
 * The condition that the workspace of a row is not suspended. Background work skips suspended workspaces: while they are imported or
 * deleted, they are incomplete.
 */
export const IN_ACTIVE_WORKSPACE = sql`not exists (
  select 1 from workspaces w where w.id = workspace_id and w.suspended_time is not null)`

/**
 * Suspends a workspace, so that none of its tokens works, or ends the suspension. @param time when the suspension starts; null to end it
 */
export async function setSuspended(db: Transaction, id: string, time: number | null): Promise<void> {
  await db.run(sql`update workspaces set suspended_time = ${time} where id = ${id}`)
}

export async function isSuspended(db: Connection, id: string): Promise<boolean> {
  return (await db.get({}, sql`select id from workspaces where id = ${id} and suspended_time is not null`)) !== undefined
}

const listedWorkspace = rowOf({ ...workspaceRow, suspended_time: 'integer?' })

export async function listWorkspaces(db: Connection): Promise<RowOf<typeof listedWorkspace>[]> {
  return db.all(listedWorkspace, sql`select id, name, icon_url, suspended_time from workspaces order by created_time, id`)
}
