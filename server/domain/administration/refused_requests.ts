import { findAccount } from '../../store/accounts.ts'
import { findConnection } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { findRefusedRequest, isByCredentials, listRefusedRequests, type RefusedRequestRow } from '../../store/refused_requests.ts'
import { findUsers } from '../../store/users.ts'
import { findWorkspace } from '../../store/workspaces.ts'
import { readJson, readNullableJson } from '../../store/stored/read_json.ts'
import { REFUSED_REQUESTS_MAX, AdministrationError } from '../shared/index.ts'

export { REFUSED_REQUESTS_MAX }

/** Which refused requests to list. */
export interface RefusalFilter {
  readonly workspaceId?: string
  readonly status?: number
  readonly operation?: string
}

/** A workspace, connection or member, with its current name; null if it has no name or no longer exists. */
interface Party {
  readonly id: string
  readonly name: string | null
}

export interface NamedRefusal {
  readonly requestId: string
  readonly time: number
  readonly status: number
  readonly code: string
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly workspace: Party | undefined
  readonly connection: Party | undefined
  readonly member: Party | undefined
  readonly message: string
  readonly places: readonly string[]
  /** Null unless bodies are kept. */
  readonly body: unknown
}

/** The person to whom refused requests are shown. */
interface RefusalViewer {
  readonly personId: string
  readonly ownedWorkspaceIds: readonly string[]
}

/**
 * The latest refused requests, newest first.
 * @param viewer undefined for the operator, who sees all requests
 */
export async function findRefusals(
  db: Connection,
  filter: RefusalFilter,
  limit: number,
  viewer?: RefusalViewer,
): Promise<NamedRefusal[]> {
  const rows = await listRefusedRequests(db, REFUSED_REQUESTS_MAX)
  const matching = rows.filter(
    (row) =>
      (filter.workspaceId ?? row.caller_workspace_id) === row.caller_workspace_id &&
      (filter.status ?? row.status) === row.status &&
      (filter.operation ?? row.operation) === row.operation &&
      (viewer === undefined || isVisible(row, viewer)),
  )
  const named: NamedRefusal[] = []
  for (const row of matching.slice(0, limit)) named.push(await withNames(db, row))
  return named
}

/** @throws AdministrationError if it is not among the latest refused requests */
export async function showRefusal(db: Connection, requestId: string): Promise<NamedRefusal> {
  const row = await findRefusedRequest(db, requestId)
  if (row) return withNames(db, row)
  throw new AdministrationError(
    `No stored request has the id ${requestId}. The service keeps the latest ${REFUSED_REQUESTS_MAX}; a new one appears within two seconds of its response.`,
  )
}

/** Finds a refused request. @returns undefined if it does not exist or the viewer may not see it */
export async function findVisibleRefusal(
  db: Connection,
  requestId: string,
  viewer: RefusalViewer,
): Promise<NamedRefusal | undefined> {
  const row = await findRefusedRequest(db, requestId)
  return row && isVisible(row, viewer) ? withNames(db, row) : undefined
}

/** People see their own requests. Owners also see those of callers in their workspaces whose credentials were checked. */
function isVisible(row: RefusedRequestRow, { personId, ownedWorkspaceIds }: RefusalViewer): boolean {
  if (row.member_id === personId) return true
  const { caller_workspace_id: workspaceId } = row
  return workspaceId !== null && ownedWorkspaceIds.includes(workspaceId) && isByCredentials(row)
}

async function withNames(db: Connection, row: RefusedRequestRow): Promise<NamedRefusal> {
  const { request_id: requestId, time, status, code, method, path, operation, message } = row
  const { caller_workspace_id: workspaceId, connection_id: connectionId, member_id: memberId } = row
  const party = (id: string | null, name: string | null | undefined): Party | undefined =>
    id === null ? undefined : { id, name: name ?? null }
  return {
    ...{ requestId, time, status, code, method, path, operation, message },
    workspace: party(workspaceId, workspaceId && (await findWorkspace(db, workspaceId))?.name),
    connection: party(connectionId, connectionId && (await findConnection(db, connectionId))?.name),
    member: party(memberId, memberId && (await nameOfMember(db, workspaceId, memberId))),
    places: readJson('refused_requests.places', requestId, row.places) as string[],
    body: readNullableJson('refused_requests.body', requestId, row.body),
  }
}

/**
 * The name of a person in the workspace. Without one, their email address: a person on the consent page may belong to another workspace.
 */
async function nameOfMember(db: Connection, workspaceId: string | null, memberId: string): Promise<string | undefined> {
  const [member] = workspaceId === null ? [] : await findUsers(db, workspaceId, [memberId])
  return member?.name ?? (await findAccount(db, memberId))?.email
}
