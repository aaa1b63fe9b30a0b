import { describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateConnection } from '../../server/domain/administration/connections.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { formText } from '../harness/browser.ts'
import { authorize, basic, makeClient } from '../harness/oauth.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server)
const other = await makeClient(server)
const { database } = server.service
const memberToken = (
  await database.write((db) =>
    createPersonalToken(
      db,
      { workspaceId: exampleWorkspace.workspace.id, personId: exampleWorkspace.people[0].id },
      server.clock.now(),
    ),
  )
).token

async function inspect(token: string, of = client): Promise<object> {
  const { status, body } = await of.call('introspectToken', { token })
  expect(status).toBe(200)
  const { request_id: requestId, ...rest } = body
  expect(typeof requestId).toBe('string')
  return rest
}

describe('introspection', () => {
  it('returns the issue time of a live token in milliseconds, without side effects', async () => {
    const issued = server.clock.now()
    const { accessToken, refreshToken } = await authorize(server, client)
    server.clock.advance(5000)
    for (const token of [accessToken, refreshToken, accessToken])
      expect(await inspect(token)).toMatchObject({ active: true, iat: issued })
    expect((await client.call('createToken', { grant_type: 'refresh_token', refresh_token: refreshToken })).status).toBe(200)
  })

  const scopes: readonly (readonly [capabilities: readonly Capability[], scope: string])[] = [
    [['update_content', 'read_content', 'insert_content'], 'read_content insert_content update_content'],
    [['insert_comments', 'read_comments', 'read_user_without_email'], 'read_comments insert_comments read_user_without_email'],
    [['interact_with_agents', 'insert_comments'], 'insert_comments interact_with_agents'],
    [['read_user_with_email', 'read_content'], 'read_content read_user_with_email read_user_without_email'],
    [[], ''],
  ]
  for (const [capabilities, scope] of scopes) {
    it(`returns the scope ${scope || '""'} for the current capabilities: ${capabilities.join(', ') || 'none'}`, async () => {
      const changing = await makeClient(server)
      const { accessToken } = await authorize(server, changing)
      await server.service.database.write((db) => updateConnection(db, changing.connectionId, { capabilities }))
      expect(await inspect(accessToken, changing)).toMatchObject({ active: true, scope })
    })
  }

  it('returns only that the token is inactive for unknown, replaced, revoked and foreign tokens and for other kinds of tokens', async () => {
    const first = await authorize(server, client)
    const { body } = await client.call('createToken', { grant_type: 'refresh_token', refresh_token: first.refreshToken })
    const revoked = await authorize(server, client)
    await client.call('revokeToken', { token: revoked.accessToken })
    const foreign = await authorize(server, other)
    const dead = [
      'oat_unknown',
      first.accessToken,
      first.refreshToken,
      revoked.accessToken,
      revoked.refreshToken,
      foreign.accessToken,
      foreign.refreshToken,
      TOKEN,
      memberToken,
    ]
    for (const token of dead) expect(await inspect(token)).toStrictEqual({ active: false })
    expect(await inspect(String(body['access_token']))).toMatchObject({ active: true })
  })

  it('accepts forms', async () => {
    const { accessToken } = await authorize(server, client)
    const response = await server.caller(undefined, undefined).send('POST', '/v1/oauth/introspect', {
      headers: {
        Authorization: basic(client.clientId, client.clientSecret),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: formText({ token: accessToken, token_type_hint: 'access_token' }),
    })
    expect(response.body['active']).toBe(true)
  })
})

for (const body of [{}, { token: '' }, { token: null }, { token: 7 }]) {
  it(`introspectToken: 400 invalid_request at body.token for ${JSON.stringify(body)}`, async () => {
    const response = await client.call('introspectToken', body)
    expect({ status: response.status, error: response.body['error'] }).toStrictEqual({ status: 400, error: 'invalid_request' })
    expect(response.body['message']).toContain('body.token')
  })
}
