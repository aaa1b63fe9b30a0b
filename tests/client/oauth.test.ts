import { expect, it } from 'vitest'
import { createWorkspaceClient } from '../../client/src/index.ts'
import { makeClient, obtainCode, RETURN_URI } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const made = await makeClient(server)
const connection = createWorkspaceClient({ baseUrl: server.url, clientId: made.clientId, clientSecret: made.clientSecret })

it('a connection exchanges a code, calls with the token, refreshes, introspects and revokes it', async () => {
  const code = await obtainCode(server, made)
  const first = await connection.createToken({ body: { grant_type: 'authorization_code', code, redirect_uri: RETURN_URI } })
  expect(await connection.retrieveMe({ token: first.access_token })).toMatchObject({ id: first.bot_id })
  const second = await connection.createToken({ body: { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' } })
  const token = second.access_token
  expect(await connection.introspectToken({ body: { token } })).toMatchObject({ active: true })
  const { status, requestId } = await connection.withResponse('revokeToken', { body: { token } })
  expect([status, requestId]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)])
  expect(await connection.introspectToken({ body: { token } })).toMatchObject({ active: false })
})

it('the authorization URL opens the consent page', async () => {
  const query = {
    client_id: made.clientId,
    redirect_uri: RETURN_URI,
    response_type: 'code',
    owner: 'user',
    state: 'a b',
  } as const
  const url = new URL(connection.authorizationUrl(query))
  expect(`${url.origin}${url.pathname}`).toBe(`${server.url}/v1/oauth/authorize`)
  expect(Object.fromEntries(url.searchParams)).toEqual(query)
  const unknown = connection.withResponse('retrieveAuthorizationPage', { query })
  // Without a session, the page is the sign-in.
  await expect(unknown).resolves.toMatchObject({ status: 302, headers: expect.any(Headers) as Headers })
})

it('wrong credentials are reported by their code', async () => {
  const call = connection.introspectToken({ body: { token: 'x' }, clientId: made.clientId, clientSecret: 'wrong' })
  await expect(call).rejects.toMatchObject({ name: 'ApiError', status: 401, code: 'invalid_client', isRetryable: false })
})

it('no error contains the secret', async () => {
  const error = await connection
    .createToken({ body: { grant_type: 'refresh_token', refresh_token: 'x' } })
    .catch((caught: unknown) => caught)
  if (!(error instanceof Error)) throw new Error('it went well')
  expect(JSON.stringify([error, String(error), error.stack])).not.toContain(made.clientSecret)
  expect(error).toMatchObject({ code: 'invalid_grant' })
})
