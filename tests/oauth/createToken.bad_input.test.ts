import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson, removePerson } from '../../server/domain/administration/people.ts'
import { createWorkspace } from '../../server/domain/administration/workspaces.ts'
import { makeClient, obtainCode, readTokens, RETURN_URI } from '../harness/oauth.ts'
import { exchange, expectOAuthError, SECOND_URI } from './support/exchange.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server)
const several = await makeClient(server, { redirectUris: [RETURN_URI, SECOND_URI] })

describe('createToken', () => {
  const bodies: readonly (readonly [what: string, body: unknown, error: string, place: string])[] = [
    ['{}', {}, 'invalid_request', 'body.grant_type'],
    [
      'grant_type: "password"',
      { grant_type: 'password', username: 'a', password: 'b' },
      'unsupported_grant_type',
      'body.grant_type',
    ],
    ['grant_type: "client_credentials"', { grant_type: 'client_credentials' }, 'unsupported_grant_type', 'body.grant_type'],
    ['grant_type: 7', { grant_type: 7 }, 'invalid_request', 'body.grant_type'],
    ['grant_type: ""', { grant_type: '' }, 'invalid_request', 'body.grant_type'],
    ['no code', { grant_type: 'authorization_code' }, 'invalid_request', 'body.code'],
    ['code: ""', { grant_type: 'authorization_code', code: '' }, 'invalid_request', 'body.code'],
    ['code: null', { grant_type: 'authorization_code', code: null }, 'invalid_request', 'body.code'],
    ['code of another type', { grant_type: 'authorization_code', code: ['a'] }, 'invalid_request', 'body.code'],
    ['no refresh_token', { grant_type: 'refresh_token' }, 'invalid_request', 'body.refresh_token'],
    [
      'redirect_uri: ""',
      { grant_type: 'authorization_code', code: 'a', redirect_uri: '' },
      'invalid_request',
      'body.redirect_uri',
    ],
    [
      'redirect_uri of another type',
      { grant_type: 'authorization_code', code: 'a', redirect_uri: 7 },
      'invalid_request',
      'body.redirect_uri',
    ],
    ['an unknown code', { grant_type: 'authorization_code', code: 'code_unknown' }, 'invalid_grant', 'unknown'],
    [
      'an unknown refresh token',
      { grant_type: 'refresh_token', refresh_token: 'ort_unknown' },
      'invalid_grant',
      'not issued to this client',
    ],
    [
      'external_account without name',
      { grant_type: 'authorization_code', code: 'a', external_account: { key: 'a' } },
      'invalid_request',
      'body.external_account.name',
    ],
    [
      'external_account without key',
      { grant_type: 'authorization_code', code: 'a', external_account: { name: 'a' } },
      'invalid_request',
      'body.external_account.key',
    ],
    [
      'external_account that is a text',
      { grant_type: 'authorization_code', code: 'a', external_account: 'a' },
      'invalid_request',
      'body.external_account',
    ],
  ]
  for (const [what, body, error, location] of bodies) {
    it(`400 ${error} for ${what}`, async () => expectOAuthError(await client.call('createToken', body), 400, error, location))
  }

  it('400 invalid_grant for the code of another client, which can still use the code', async () => {
    const code = await obtainCode(server, client)
    expectOAuthError(await exchange(several, code), 400, 'invalid_grant', 'not issued to this client')
    expect((await exchange(client, code)).status).toBe(200)
  })

  it('400 for an access token sent as refresh token, and for a refresh token sent as code', async () => {
    const { accessToken, refreshToken } = readTokens(server, await exchange(client, await obtainCode(server, client)))
    expectOAuthError(
      await client.call('createToken', { grant_type: 'refresh_token', refresh_token: accessToken }),
      400,
      'invalid_grant',
    )
    expectOAuthError(await exchange(client, refreshToken), 400, 'invalid_grant')
  })

  it('400 for the code of a member who has left the workspace', async () => {
    const { id, email } = exampleWorkspace.people[2]
    const code = await obtainCode(server, client, { email })
    await server.service.database.write(async (db) => {
      const now = server.clock.now()
      // Another home workspace makes no difference.
      const elsewhere = await createWorkspace(db, 'Elsewhere', now)
      expect(await createPerson(db, { workspaceId: elsewhere, email, name: 'Tomas', role: 'member' }, now)).toBe(id)
      await removePerson(db, exampleWorkspace.workspace.id, id, now)
    })
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant', 'left')
  })

  it('400 with a message that never repeats a code or token', async () => {
    const secret = 'ort_Secret0Secret1Secret2Secret3Secret4Secret5Se'
    for (const body of [
      { grant_type: 'refresh_token', refresh_token: secret },
      { grant_type: 'authorization_code', code: secret },
      { grant_type: 'refresh_token', refresh_token: [secret] },
      { grant_type: 'refresh_token', refresh_token: secret.repeat(50) },
      { grant_type: secret },
      { grant_type: 'authorization_code', code: 'a', code_verifier: `${secret} ` },
    ]) {
      const { status, text } = await client.call('createToken', body)
      expect(status).toBe(400)
      expect(text).not.toContain('Secret0')
    }
  })
})
