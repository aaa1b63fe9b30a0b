import { createHash } from 'node:crypto'
import { isSameDigest } from '../../kernel/is_same_digest.ts'
import type { AuthorizationCodeGrantRequest, OAuthTokenResponse } from '../../../generated/types.ts'
import { newId } from '../../kernel/ids.ts'
import { OAuthError } from '../../kernel/oauth_error.ts'
import { endFamily, findCode, insertFamily, lockCode, markCodeUsed, type StoredCode } from '../../store/authorizations.ts'
import type { ConnectionRecord } from '../../store/connections.ts'
import type { Transaction } from '../../store/database.ts'
import { insertGrant } from '../../store/grants.ts'
import { findAuthorizedBot, listMemberships, lockMember, setLeft } from '../../store/members.ts'
import { tokenDigest } from '../../store/tokens.ts'
import { insertUser } from '../../store/users.ts'
import { avatarOf } from '../administration/index.ts'
import { TooLargeError, findCopyablePage, insertDuplicate, prepareDuplicate, type PreparedDuplicate } from '../data/index.ts'
import { OutdatedError } from '../shared/index.ts'
import { makePrivate } from '../people/index.ts'
import { invalidGrant, issuePair } from './token_responses.ts'
import type { ClientScope, ClientWriteScope } from './client_scope.ts'

/**
 * Exchanges a code for the first pair of tokens: marks the code as used, creates or restores the bot, shares the selected pages with it,
 * and copies the template.
 * @returns an error, instead of throwing it, if the transaction must be committed nevertheless: using a code again revokes its tokens
 * @param template the copy of the template, if the code needs one
 * @throws OAuthError if nothing has changed
 */
export async function exchangeCode(
  scope: ClientWriteScope,
  grant: AuthorizationCodeGrantRequest,
  template: PreparedDuplicate | undefined,
): Promise<OAuthTokenResponse | OAuthError> {
  const { db, client, now } = scope
  const digest = tokenDigest(grant.code)
  const code = await lockCode(db, digest)
  if (!code) throw invalidGrant('The authorization code is unknown.')
  if (code.connectionId !== client.id) throw invalidGrant('The authorization code was not issued to this client.')
  if (code.usedTime !== null) {
    if (code.familyId !== null) await endFamily(db, code.workspaceId, code.familyId, now)
    return invalidGrant('The authorization code was already used.')
  }
  if (code.expiresTime <= now) throw invalidGrant('The authorization code has expired.')
  requireRedirectUri(code, client, grant.redirect_uri)
  requireVerifier(code, grant.code_verifier)
  await requireMembership(db, code)

  const botId = await createOrRestoreBot(db, client, code, now)
  for (const pageId of code.pageIds) await insertGrant(db, code.workspaceId, botId, pageId, now)
  const copyId = code.takesTemplate ? await copyTemplate(scope, code, botId, template) : null
  const family = {
    id: newId(),
    workspace_id: code.workspaceId,
    connection_id: client.id,
    bot_id: botId,
    template_copy_id: copyId,
    generation: 1,
    ended_time: null,
  }
  await insertFamily(db, family, now)
  await markCodeUsed(db, digest, family.id, now)
  return issuePair(db, client, family, code.personId, now)
}

/**
 * Checks the redirect URI of the token request. It is required if the authorization request named it or the client has several; otherwise
 * it is not allowed.
 */
function requireRedirectUri(code: StoredCode, client: ConnectionRecord, sent: string | undefined): void {
  const isRequired = code.redirectUriSent || client.redirectUris.length > 1
  if (sent === undefined && isRequired) {
    throw invalidRequest(
      'body.redirect_uri should be defined: the authorization request contained it, or the connection has several.',
    )
  }
  if (sent !== undefined && !isRequired) {
    throw invalidRequest(
      'body.redirect_uri should be not present: the authorization request did not contain it, and the connection has only one.',
    )
  }
  if (sent !== undefined && sent !== code.redirectUri)
    throw invalidGrant('body.redirect_uri is not the one of the authorization request.')
}

/**
 * Checks the code verifier (RFC 7636). A verifier for a code without a challenge is rejected too, because an attacker may have removed the
 * challenge.
 */
function requireVerifier(code: StoredCode, verifier: string | undefined): void {
  if (code.codeChallenge === null) {
    if (verifier !== undefined)
      throw invalidRequest('body.code_verifier should be not present: the authorization request had no code_challenge.')
    return
  }
  if (verifier === undefined)
    throw invalidRequest('body.code_verifier should be defined: the authorization request had a code_challenge.')
  const digest = createHash('sha256').update(verifier, 'ascii').digest()
  if (!isSameDigest(digest, Buffer.from(code.codeChallenge, 'base64url'))) {
    throw invalidGrant('body.code_verifier does not fit the code_challenge of the authorization request.')
  }
}

async function requireMembership(db: Transaction, code: StoredCode): Promise<void> {
  const memberships = await listMemberships(db, code.personId)
  if (!memberships.some(({ workspace_id: id }) => id === code.workspaceId))
    throw invalidGrant('The member who authorized the connection left the workspace.')
}

/**
 * Creates the bot for a connection, person and workspace, or restores it. There is one for each such combination, and it is never replaced.
 */
async function createOrRestoreBot(db: Transaction, client: ConnectionRecord, code: StoredCode, now: number): Promise<string> {
  await lockMember(db, code.workspaceId, code.personId)
  const known = await findAuthorizedBot(db, code.workspaceId, client.id, code.personId)
  if (known) {
    if (known.left_time !== null) await setLeft(db, code.workspaceId, known.id, null)
    return known.id
  }
  const id = newId()
  await insertUser(db, code.workspaceId, {
    id,
    kind: 'bot',
    name: client.name,
    avatar_url: avatarOf(client.iconUrl),
    email: null,
    role: null,
    connection_id: client.id,
    owner_id: code.personId,
    created_time: now,
  })
  return id
}

/**
 * Copies the template before the exchange of a code, because copying a large one takes long.
 * @returns undefined if the exchange needs no copy, or will fail
 */
export async function prepareTemplateCopy(
  { db, client, now }: ClientScope,
  grant: AuthorizationCodeGrantRequest,
): Promise<PreparedDuplicate | undefined> {
  const code = await findCode(db, tokenDigest(grant.code))
  if (!code?.takesTemplate || client.templatePageId === null) return undefined
  if (code.connectionId !== client.id || code.usedTime !== null || code.expiresTime <= now) return undefined
  requireRedirectUri(code, client, grant.redirect_uri)
  requireVerifier(code, grant.code_verifier)
  try {
    return await prepareDuplicate(db, {
      workspaceId: client.workspaceId,
      pageId: client.templatePageId,
      toWorkspaceId: code.workspaceId,
      userId: code.personId,
      now,
    })
  } catch (error) {
    throw error instanceof TooLargeError ? invalidGrant('The template page has grown too large to be copied.') : error
  }
}

async function copyTemplate(
  { db, client, now }: ClientWriteScope,
  { workspaceId, personId }: StoredCode,
  botId: string,
  template: PreparedDuplicate | undefined,
): Promise<string> {
  const { templatePageId } = client
  if (templatePageId === null || !(await findCopyablePage(db, client.workspaceId, templatePageId)))
    throw invalidGrant('The template page no longer exists.')
  if (template?.pageId !== templatePageId) throw new OutdatedError()
  const copyId = await insertDuplicate(db, template)
  await makePrivate(db, workspaceId, copyId, personId, now)
  await insertGrant(db, workspaceId, botId, copyId, now)
  return copyId
}

function invalidRequest(message: string): OAuthError {
  return new OAuthError('invalid_request', { message })
}
