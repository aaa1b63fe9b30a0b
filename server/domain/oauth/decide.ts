import { canonicalId } from '../../kernel/ids.ts'
import { dropEndedCodes, insertCode } from '../../store/authorizations.ts'
import type { Transaction } from '../../store/database.ts'
import { tokenDigest } from '../../store/tokens.ts'
import { recordAct } from '../administration/index.ts'
import { memberOf, roleOf, newSecret } from '../shared/index.ts'
import { findCopyablePage } from '../data/index.ts'
import type { FactScope } from '../content/index.ts'
import { requireWorkspace } from './consent.ts'
import { findPicks } from './picker.ts'
import { AuthorizationRedirect, withParameters } from './refusals.ts'
import type { AuthorizationRequest } from './request.ts'

/** The form that the member has submitted on the consent page. */
export interface Decision {
  readonly decision: 'allow' | 'cancel'
  readonly workspaceId: string | undefined
  readonly pageIds: readonly string[]
  readonly takesTemplate: boolean
}

/** Thrown if the member has allowed access without selecting anything; the consent page is then shown again. */
export class NothingPickedError extends Error {}

const CODE_MS = 10 * 60 * 1000

/**
 * Stores the decision of the member under a code, until the code is exchanged. Until then, nothing else is created.
 * @returns the address to which the browser is redirected
 * @throws AuthorizationRedirect for an error that the connection receives; a cancellation by the member is not an error
 * @throws NothingPickedError
 */
export async function decide(
  db: Transaction,
  request: AuthorizationRequest,
  personId: string,
  decision: Decision,
  now: number,
): Promise<string> {
  if (decision.decision === 'cancel')
    return withParameters(request, { error: 'access_denied', error_description: 'the member canceled' })
  if (decision.workspaceId === undefined)
    throw new AuthorizationRedirect(request, 'invalid_request', 'workspace_id is missing', 'workspace_id')
  const workspaceId = canonicalId(decision.workspaceId)
  const membership = await requireWorkspace(db, request, personId, workspaceId)
  const pageIds = decision.takesTemplate ? [] : [...new Set(decision.pageIds.map(canonicalId))]
  if (decision.takesTemplate) await requireTemplate(db, request)
  else await requirePicks({ db, actor: memberOf(workspaceId, personId, roleOf(membership.role)), baseUrl: '' }, request, pageIds)

  const code = newSecret('code')
  await insertCode(
    db,
    tokenDigest(code),
    {
      workspaceId,
      connectionId: request.client.id,
      personId,
      redirectUri: request.redirectUri,
      redirectUriSent: request.redirectUriSent,
      codeChallenge: request.codeChallenge ?? null,
      pageIds,
      takesTemplate: decision.takesTemplate,
      expiresTime: now + CODE_MS,
    },
    now,
  )
  const object = { type: 'connection', id: request.client.id, name: request.client.name }
  await recordAct(db, { workspaceId, personId, action: 'connection.authorized', object }, now)
  return withParameters(request, { code })
}

async function requireTemplate(db: Transaction, request: AuthorizationRequest): Promise<void> {
  const { templatePageId, workspaceId } = request.client
  if (templatePageId !== null && (await findCopyablePage(db, workspaceId, templatePageId))) return
  throw new AuthorizationRedirect(request, 'invalid_request', 'the connection has no template page', 'use_template')
}

async function requirePicks(scope: FactScope, request: AuthorizationRequest, pageIds: readonly string[]): Promise<void> {
  if (pageIds.length === 0) throw new NothingPickedError()
  const picks = await findPicks(scope, pageIds)
  if (picks.length < pageIds.length)
    throw new AuthorizationRedirect(
      request,
      'invalid_request',
      'page_ids names something that the member cannot share',
      'page_ids',
    )
}

/** Used and expired codes are kept for this time, to detect when they are used again. */
const CODES_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Deletes old codes. @returns the number of codes */
export function sweepCodes(db: Transaction, now: number, limit: number): Promise<number> {
  return dropEndedCodes(db, now - CODES_KEPT_MS, limit)
}
