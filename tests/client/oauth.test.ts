import { describe, expect, it } from 'vitest'
import { createOAuth, createWorkspaceClient, type OAuthTokenResponse } from '../../client/src/index.ts'
import { decide, makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const made = await makeClient(server)
const connection = createWorkspaceClient({ baseUrl: server.url, clientId: made.clientId, clientSecret: made.clientSecret })

it('a connection exchanges a code, calls with the token, refreshes, introspects and revokes it', async () => {
  const code = await obtainCode(server, made)
  const first = await connection.oauth.token.create({ grant_type: 'authorization_code', code, redirect_uri: RETURN_URI })
  expect(await connection.users.me.retrieve({}, { token: first.access_token })).toMatchObject({ id: first.bot_id })
  const second = await connection.oauth.token.create({ grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' })
  const token = second.access_token
  expect(await connection.oauth.introspect({ token })).toMatchObject({ active: true })
  const { status, requestId } = await connection.oauth.revoke({ token }).withResponse()
  expect([status, requestId]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  expect(await connection.oauth.introspect({ token })).toMatchObject({ active: false })
})

it("the client returns the consent page's redirect to sign-in with its status and headers", async () => {
  const query = { client_id: made.clientId, redirect_uri: RETURN_URI, response_type: 'code', owner: 'user' } as const
  const page = connection.oauth.authorize.retrieve(query).withResponse()
  await expect(page).resolves.toMatchObject({ status: 302, headers: expect.any(Headers) as Headers })
})

describe('an authorization with createOAuth', () => {
  const options = { baseUrl: server.url, clientId: made.clientId, clientSecret: made.clientSecret, redirectUri: RETURN_URI }
  const oauth = createOAuth(options)
  const returnedFrom = (url: string, decision: 'allow' | 'cancel'): Promise<URL> => {
    const { searchParams, origin, pathname } = new URL(url)
    expect(`${origin}${pathname}`).toBe(`${server.url}/v1/oauth/authorize`)
    return decide(server, made, decision, { parameters: Object.fromEntries(searchParams) })
  }
  const authorize = async (): Promise<OAuthTokenResponse> => {
    const started = await oauth.authorize()
    return oauth.exchange(await returnedFrom(started.url, 'allow'), started)
  }

  it('exchanges a code with PKCE, introspects and revokes the tokens', async () => {
    const tokens = await authorize()
    expect(await oauth.introspect(tokens.access_token)).toMatchObject({ active: true })
    await oauth.revoke(tokens.access_token)
    expect(await oauth.introspect(tokens.access_token)).toMatchObject({ active: false })
  })

  it('reports a refusal, a foreign state, a missing code and a wrong verifier', async () => {
    const started = await oauth.authorize()
    const refused = oauth.exchange(await returnedFrom(started.url, 'cancel'), started)
    await expect(refused).rejects.toMatchObject({ name: 'AuthorizationError', code: 'access_denied' })
    const returned = await returnedFrom(started.url, 'allow')
    const foreign = oauth.exchange(returned, { ...started, state: 'another' })
    await expect(foreign).rejects.toMatchObject({ name: 'AuthorizationError', code: 'wrong_state' })
    const empty = oauth.exchange(`${RETURN_URI}?state=${started.state}`, started)
    await expect(empty).rejects.toMatchObject({ code: 'no_code' })
    // Only the one who started the authorization can use its code.
    await expect(oauth.exchange(returned, { ...started, verifier: 'x'.repeat(43) })).rejects.toMatchObject({
      code: 'invalid_grant',
    })
  })

  it('refreshes refused tokens once for concurrent calls, and stores the new tokens', async () => {
    const first = await authorize()
    await oauth.refresh(first.refresh_token)
    const second = await authorize()
    const stored: OAuthTokenResponse[] = []
    const store = (tokens: OAuthTokenResponse): void => void stored.push(tokens)
    // The access token is already refused, the refresh token is not.
    const token = oauth.provider({ ...second, access_token: first.access_token }, store)
    const client = createWorkspaceClient({ baseUrl: server.url, token, retries: 0 })
    const ids = await Promise.all(Array.from({ length: 5 }, () => client.users.me.retrieve().then(({ id }) => id)))
    expect(new Set(ids).size).toBe(1)
    expect(stored).toHaveLength(1)
    await expect(client.users.me.retrieve({}, { token: stored[0]?.access_token })).resolves.toMatchObject({ object: 'user' })
  })

  it('fails with the error of the refresh', async () => {
    const token = oauth.provider({ access_token: 'old', refresh_token: 'unknown' }, () => undefined)
    const client = createWorkspaceClient({ baseUrl: server.url, token })
    await expect(client.users.me.retrieve()).rejects.toMatchObject({ code: 'invalid_grant' })
  })
})

it('wrong credentials are reported with the code invalid_client', async () => {
  const call = connection.oauth.introspect({ token: 'x' }, { clientId: made.clientId, clientSecret: 'wrong' })
  await expect(call).rejects.toMatchObject({ name: 'ApiError', status: 401, code: 'invalid_client', isRetryable: false })
})

it('errors never contain the secret', async () => {
  const error = await connection.oauth.token
    .create({ grant_type: 'refresh_token', refresh_token: 'x' })
    .catch((caught: unknown) => caught)
  if (!(error instanceof Error)) throw new Error('it went well')
  expect(JSON.stringify([error, String(error), error.stack])).not.toContain(made.clientSecret)
  expect(error).toMatchObject({ code: 'invalid_grant' })
})
