import { request as httpRequest } from 'node:http'
import { describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPersonalToken } from '../../server/domain/administration/tokens.ts'
import { tokenDigest } from '../../server/store/tokens.ts'
import { authorize, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
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

describe('revocation', () => {
  for (const which of ['accessToken', 'refreshToken'] as const) {
    it(`of the ${which} ends both tokens of the pair, and keeps grants and other authorizations`, async () => {
      const [one, bystander] = [await authorize(server, client), await authorize(server, client)]
      const response = await client.call('revokeToken', { token: one[which] })
      expect(response.status).toBe(200)
      expect(Object.keys(response.body)).toStrictEqual(['request_id'])
      expect((await one.caller.call('retrieveMe')).status).toBe(401)
      expect(
        (await client.call('createToken', { grant_type: 'refresh_token', refresh_token: one.refreshToken })).body['error'],
      ).toBe('invalid_grant')
      expect((await bystander.caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })).status).toBe(
        200,
      )
      for (const token of [one.accessToken, one.refreshToken])
        expect((await client.call('revokeToken', { token })).status).toBe(200)
    })
  }

  it('lets a request in progress finish, and refuses the next one', async () => {
    const { accessToken, caller } = await authorize(server, client)
    const body = JSON.stringify({ children: [{ paragraph: { rich_text: [{ text: { content: 'under way' } }] } }] })
    const request = httpRequest(`${server.url}/v1/blocks/${exampleWorkspace.pages.handbook}/children`, {
      method: 'PATCH',
      headers: {
        Authorization: `Bearer ${accessToken}`,
        'Service-Version': newestRelease,
        'Content-Type': 'application/json',
        'Content-Length': String(body.length),
      },
    })
    const status = new Promise((resolve, reject) => {
      request.on('response', (response) => resolve(response.resume().statusCode))
      request.on('error', reject)
    })
    request.write(body.slice(0, 10))
    // The bot's first request is visible once the first use of the token has been recorded.
    await until(async () => {
      const row = await server.service.database.read((db) =>
        db.get({ used_time: 'integer?' }, 'select used_time from tokens where digest = ?', tokenDigest(accessToken)),
      )
      return row?.used_time === null ? undefined : true
    })
    expect((await client.call('revokeToken', { token: accessToken })).status).toBe(200)
    expect((await caller.call('retrieveMe')).status).toBe(401)
    request.end(body.slice(10))
    expect(await status).toBe(200)
  })

  it('of an unknown token gets 200', async () => {
    expect((await client.call('revokeToken', { token: 'oat_unknown' })).status).toBe(200)
  })

  it("of another client's token gets 400 invalid_grant, and the token remains valid", async () => {
    const foreign = await authorize(server, other)
    for (const token of [foreign.accessToken, foreign.refreshToken, TOKEN, memberToken]) {
      const response = await client.call('revokeToken', { token })
      expect({ status: response.status, error: response.body['error'] }).toStrictEqual({ status: 400, error: 'invalid_grant' })
    }
    expect((await foreign.caller.call('retrieveMe')).status).toBe(200)
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
    // After a token has ended, its owner is not revealed.
    await other.call('revokeToken', { token: foreign.accessToken })
    expect((await client.call('revokeToken', { token: foreign.accessToken })).status).toBe(200)
  })
})

for (const body of [{}, { token: '' }, { token: null }, { token: 7 }]) {
  it(`revokeToken: 400 invalid_request at body.token for ${JSON.stringify(body)}`, async () => {
    const response = await client.call('revokeToken', body)
    expect({ status: response.status, error: response.body['error'] }).toStrictEqual({ status: 400, error: 'invalid_request' })
    expect(response.body['message']).toContain('body.token')
  })
}
