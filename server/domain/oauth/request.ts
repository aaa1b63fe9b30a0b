import { canonicalId } from '../../kernel/ids.ts'
import { findClient, type ConnectionRecord } from '../../store/connections.ts'
import type { Connection } from '../../store/database.ts'
import { AuthorizationPageError, AuthorizationRedirect, type RedirectTarget } from './refusals.ts'

/** All values of each parameter, in the order of the request. */
type AuthorizationParameters = ReadonlyMap<string, readonly string[]>

/** A valid authorization request, which can be presented to a member. */
export interface AuthorizationRequest extends RedirectTarget {
  readonly client: ConnectionRecord
  /** Whether the request contains its redirect URI; if so, the token request must contain it too. */
  readonly redirectUriSent: boolean
  readonly codeChallenge: string | undefined
}

const ID = /^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$/
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/
const STATE_LENGTH_MAX = 2000

/** Parameters of the protocol, which may occur only once. The consent page adds parameters of its own. */
const PROTOCOL_PARAMETERS = [
  'client_id',
  'redirect_uri',
  'response_type',
  'owner',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
]

/**
 * Checks an authorization request in the order of the contract, starting with the client and its redirect URI.
 * @param issuer the address of this service
 * @throws AuthorizationPageError if an error is found before the redirect URI has been checked
 * @throws AuthorizationRedirect for later errors
 */
export async function checkRequest(
  db: Connection,
  parameters: AuthorizationParameters,
  issuer: string,
): Promise<AuthorizationRequest> {
  const client = await requireClient(db, valuesOf(parameters, 'client_id'))
  const { uri, sent } = requireRedirectUri(client, valuesOf(parameters, 'redirect_uri'))
  const [state] = valuesOf(parameters, 'state')
  const target: RedirectTarget = { redirectUri: uri, state, issuer }
  const repeated = PROTOCOL_PARAMETERS.find((name) => valuesOf(parameters, name).length > 1)
  if (repeated !== undefined) throw invalidRequest(target, repeated, 'is given more than once')
  const [responseType] = valuesOf(parameters, 'response_type')
  const [owner] = valuesOf(parameters, 'owner')
  if (responseType === undefined) throw invalidRequest(target, 'response_type', 'is missing')
  if (owner === undefined) throw invalidRequest(target, 'owner', 'is missing')
  if (responseType !== 'code')
    throw new AuthorizationRedirect(target, 'unsupported_response_type', 'response_type should be code', 'response_type')
  if (owner !== 'user') throw invalidRequest(target, 'owner', 'should be user')
  if (state !== undefined && state.length > STATE_LENGTH_MAX)
    throw invalidRequest(target, 'state', `is longer than ${STATE_LENGTH_MAX} characters`)
  return { ...target, client, redirectUriSent: sent, codeChallenge: requireChallenge(parameters, target) }
}

/** A parameter without a value counts as omitted (RFC 6749, section 3.1). */
function valuesOf(parameters: AuthorizationParameters, name: string): readonly string[] {
  return (parameters.get(name) ?? []).filter((value) => value !== '')
}

async function requireClient(db: Connection, [id, ...more]: readonly string[]): Promise<ConnectionRecord> {
  if (id === undefined)
    throw new AuthorizationPageError('The address of this page names no connection: client_id is missing.', 'client_id')
  if (more.length > 0)
    throw new AuthorizationPageError('The address of this page names its connection more than once.', 'client_id')
  const client = ID.test(id) ? await findClient(db, canonicalId(id)) : undefined
  if (!client || client.kind !== 'public' || client.disabledTime !== null) {
    throw new AuthorizationPageError(
      'The connection that this page is for does not exist, or cannot be authorized at present.',
      'client_id',
    )
  }
  return client
}

function requireRedirectUri(client: ConnectionRecord, [uri, ...more]: readonly string[]): { uri: string; sent: boolean } {
  if (more.length > 0)
    throw new AuthorizationPageError('The address of this page names its redirect URI more than once.', 'redirect_uri')
  const [only, ...others] = client.redirectUris
  if (uri !== undefined) {
    if (!client.redirectUris.includes(uri))
      throw new AuthorizationPageError('The redirect URI of this page is not registered for the connection.', 'redirect_uri')
    return { uri, sent: true }
  }
  if (only === undefined || others.length > 0)
    throw new AuthorizationPageError(
      'The address of this page names no redirect URI, and the connection has several.',
      'redirect_uri',
    )
  return { uri: only, sent: false }
}

function requireChallenge(parameters: AuthorizationParameters, target: RedirectTarget): string | undefined {
  const [challenge] = valuesOf(parameters, 'code_challenge')
  const [method] = valuesOf(parameters, 'code_challenge_method')
  if (challenge === undefined && method === undefined) return undefined
  if (challenge === undefined) throw invalidRequest(target, 'code_challenge', 'is missing')
  if (method !== 'S256') throw invalidRequest(target, 'code_challenge_method', 'should be S256')
  if (!CHALLENGE.test(challenge)) throw invalidRequest(target, 'code_challenge', 'should be a SHA-256 digest in base64url')
  return challenge
}

function invalidRequest(target: RedirectTarget, parameter: string, claim: string): AuthorizationRedirect {
  return new AuthorizationRedirect(target, 'invalid_request', `${parameter} ${claim}`, parameter)
}
