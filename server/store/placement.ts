/**
 * Where a distributed database keeps the rows of a table:
 * - `by workspace`: on the node of their workspace, which the given column names
 * - `on every node`: rows that are read before their workspace is known, or together with those of any workspace
 * - `on the coordinator`: rows that no workspace has for itself, but that change together with those of one
 * - `apart`: on the coordinator, only in transactions of their own
 */
export type Placement = 'on every node' | 'on the coordinator' | 'apart' | { readonly byWorkspace: string }

const BY_WORKSPACE: Placement = { byWorkspace: 'workspace_id' }

/** The placement of tables that are not simply the rows of a workspace. */
const EXCEPTIONS: Readonly<Record<string, Placement>> = {
  workspaces: { byWorkspace: 'id' },
  workspace_usage: { byWorkspace: 'owner_id' },
  // One row holds the default for all workspaces.
  workspace_quotas: 'on every node',
  // Found by a digest, an address or a client.
  accounts: 'on every node',
  sign_in_links: 'on every node',
  browser_sessions: 'on every node',
  connections: 'on every node',
  client_secrets: 'on every node',
  tokens: 'on every node',
  authorization_codes: 'on every node',
  // A subscription receives the events of each workspace that has a bot of its connection.
  webhook_subscriptions: 'on every node',
  webhook_workspaces: 'on every node',
  // One queue for the deployment: a dead node must not stop the jobs of the others.
  jobs: 'on the coordinator',
  webhook_deliveries: 'on the coordinator',
  audit_log: 'on the coordinator',
  refused_requests: 'apart',
  budget_windows: 'apart',
  instance: 'apart',
  migrations: 'apart',
}

/** @param columns all columns of the table. @returns undefined if the table is in no workspace and has no entry here */
export function placementOf(table: string, columns: readonly string[]): Placement | undefined {
  return EXCEPTIONS[table] ?? (columns.includes('workspace_id') ? BY_WORKSPACE : undefined)
}
