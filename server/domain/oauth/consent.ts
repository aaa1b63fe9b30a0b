import { mayInstall, roleOf } from '../shared/index.ts'
import type { Connection } from '../../store/database.ts'
import { listMemberships, type MembershipRow } from '../../store/members.ts'
import { AuthorizationRedirect } from './refusals.ts'
import type { AuthorizationRequest } from './request.ts'

/**
 * The workspaces in which the signed-in person may authorize the connection, by name.
 * @throws AuthorizationRedirect if there is none
 */
export async function installableWorkspaces(
  db: Connection,
  request: AuthorizationRequest,
  personId: string,
): Promise<readonly MembershipRow[]> {
  const memberships = await listMemberships(db, personId)
  const inScope = memberships.filter((membership) => isInScope(request, membership.workspace_id))
  if (memberships.length > 0 && inScope.length === 0) throw outOfScope(request)
  const installable = inScope.filter(mayInstallIn)
  if (installable.length === 0) throw notAllowed(request)
  return installable
}

/** The workspace that the member has chosen. @throws AuthorizationRedirect if the connection or the member may not use it */
export async function requireWorkspace(
  db: Connection,
  request: AuthorizationRequest,
  personId: string,
  workspaceId: string,
): Promise<MembershipRow> {
  if (!isInScope(request, workspaceId)) throw outOfScope(request)
  const membership = (await listMemberships(db, personId)).find((each) => each.workspace_id === workspaceId)
  if (!membership || !mayInstallIn(membership)) throw notAllowed(request)
  return membership
}

function isInScope({ client }: AuthorizationRequest, workspaceId: string): boolean {
  return client.allowedWorkspaces === null || client.allowedWorkspaces.includes(workspaceId)
}

function mayInstallIn(membership: MembershipRow): boolean {
  return mayInstall(roleOf(membership.role), membership.installers)
}

function outOfScope(request: AuthorizationRequest): AuthorizationRedirect {
  return new AuthorizationRedirect(request, 'unauthorized_client', 'the connection may not be installed in this workspace')
}

function notAllowed(request: AuthorizationRequest): AuthorizationRedirect {
  return new AuthorizationRedirect(request, 'access_denied', 'the member may not install connections here')
}
