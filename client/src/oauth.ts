import { clientOperations } from '../../generated/client_operations.ts'
import type { OAuthIntrospectResponse, OAuthTokenResponse } from '../../generated/types.ts'
import { createWorkspaceClient } from './client.ts'
import { InvalidCallError, WorkspaceServiceError } from './errors.ts'
import type { ClientOptions, TokenProvider } from './options.ts'
import { addressOf, parseBaseUrl } from './request.ts'

export interface OAuthOptions extends Omit<ClientOptions, 'token'> {
  readonly clientId: string
  readonly clientSecret: string
  /** Where the service sends the user back to; registered with the connection. */
  readonly redirectUri: string
}

/** A started authorization. Keep `state` and `verifier`, for example in the user's session, and open `url` in the browser. */
export interface StartedAuthorization {
  readonly url: string
  readonly state: string
  readonly verifier: string
}

/** The tokens of an authorization. */
export type OAuthTokens = Pick<OAuthTokenResponse, 'access_token' | 'refresh_token'>

/** Stores new tokens. The old ones are no longer valid. */
export type StoreTokens = (tokens: OAuthTokenResponse) => void | Promise<void>

/** The authorization of a public connection. */
export interface OAuthConnection {
  /** Starts an authorization with PKCE and a random state. Sends nothing. */
  authorize(): Promise<StartedAuthorization>
  /**
   * Exchanges the code with which the user came back.
   * @param returned the address to which the service sent the user
   * @throws AuthorizationError if the user refused, or the address is not that of this authorization
   */
  exchange(returned: string | URL, started: Pick<StartedAuthorization, 'state' | 'verifier'>): Promise<OAuthTokenResponse>
  refresh(refreshToken: string): Promise<OAuthTokenResponse>
  /**
   * Provides the access token, as the option `token` of a client. When the service refuses it, it is refreshed once for all concurrent calls,
   * and `store` is called with the new tokens.
   */
  provider(tokens: OAuthTokens, store: StoreTokens): TokenProvider
  /** Revokes both tokens of an authorization by one of them. */
  revoke(token: string): Promise<void>
  introspect(token: string): Promise<OAuthIntrospectResponse>
}

/** The user came back without a code for this authorization. */
export class AuthorizationError extends WorkspaceServiceError {
  override readonly name = 'AuthorizationError'
  /** `access_denied` if the user refused, `wrong_state` if the request may be forged, or another OAuth code. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** @throws InvalidCallError for an invalid option */
export function createOAuth({ redirectUri, ...options }: OAuthOptions): OAuthConnection {
  const client = createWorkspaceClient(options)
  const baseUrl = parseBaseUrl(options.baseUrl)
  const redirect_uri = redirectUri
  const refresh = (refresh_token: string): Promise<OAuthTokenResponse> =>
    client.call('createToken', { body: { grant_type: 'refresh_token', refresh_token } })
  return {
    async authorize() {
      const [state, verifier] = [randomText(), randomText()]
      const challenge = { code_challenge: await challengeOf(verifier), code_challenge_method: 'S256' }
      const query = { client_id: options.clientId, redirect_uri, response_type: 'code', owner: 'user', state, ...challenge }
      return { url: addressOf(baseUrl, clientOperations.retrieveAuthorizationPage, { query }), state, verifier }
    },
    async exchange(returned, { state, verifier }) {
      const code = codeIn(new URL(returned), state)
      const grant = { grant_type: 'authorization_code' as const, code, redirect_uri, code_verifier: verifier }
      return client.call('createToken', { body: grant })
    },
    refresh,
    provider: (tokens, store) => refreshingProvider(refresh, tokens, store),
    revoke: async (token) => void (await client.call('revokeToken', { body: { token } })),
    introspect: (token) => client.call('introspectToken', { body: { token } }),
  }
}

function codeIn({ searchParams }: URL, state: string): string {
  if (state === '') throw new InvalidCallError('The state of the authorization is empty.')
  if (searchParams.get('state') !== state)
    throw new AuthorizationError('wrong_state', 'The state is not that of the authorization: the request may be forged.')
  const error = searchParams.get('error')
  if (error !== null)
    throw new AuthorizationError(error, searchParams.get('error_description') ?? `The service returned ${error}.`)
  const code = searchParams.get('code')
  if (code === null) throw new AuthorizationError('no_code', 'The address has neither a code nor an error.')
  return code
}

function refreshingProvider(
  refresh: (refreshToken: string) => Promise<OAuthTokenResponse>,
  initial: OAuthTokens,
  store: StoreTokens,
): TokenProvider {
  let tokens = initial
  let refreshing: Promise<void> | undefined
  const replace = async (): Promise<void> => {
    const next = await refresh(tokens.refresh_token)
    // First, because the old tokens are no longer valid even if the new ones cannot be stored.
    tokens = next
    await store(next)
  }
  return async (refused) => {
    if (refused === tokens.access_token) refreshing ??= replace().finally(() => (refreshing = undefined))
    await refreshing
    return tokens.access_token
  }
}

/** 43 characters that an address can contain. */
function randomText(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
