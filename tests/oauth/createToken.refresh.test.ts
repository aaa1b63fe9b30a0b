import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../harness/responses.ts'
import { authorize, makeClient, readTokens, type Authorization } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server)

function refresh(refreshToken: string, of = client): Promise<TestResponse> {
  return of.call('createToken', { grant_type: 'refresh_token', refresh_token: refreshToken })
}

async function refreshed(refreshToken: string): Promise<Authorization> {
  return readTokens(server, await refresh(refreshToken))
}

async function isAlive({ caller }: Authorization): Promise<boolean> {
  return (await caller.call('retrieveMe')).status === 200
}

function expectInvalidGrant({ status, body }: TestResponse): void {
  expect({ status, error: body['error'] }).toStrictEqual({ status: 400, error: 'invalid_grant' })
}

describe('a refresh token', () => {
  it('is exchanged for a new pair of the same authorization, and the old access token stops working immediately', async () => {
    const first = await authorize(server, client)
    expect(await isAlive(first)).toBe(true)
    const second = await refreshed(first.refreshToken)
    expect(second.accessToken).not.toBe(first.accessToken)
    expect(second.refreshToken).not.toBe(first.refreshToken)
    const withoutTokens = ({ body }: Authorization): object => ({ ...body, access_token: '', refresh_token: '', request_id: '' })
    expect(withoutTokens(second)).toStrictEqual(withoutTokens(first))
    expect(await isAlive(first)).toBe(false)
    expect(await isAlive(second)).toBe(true)
    expect((await second.caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })).status).toBe(200)
  })

  it('is exchanged for a pair with the current name of the workspace', async () => {
    const first = await authorize(server, client)
    await server.service.database.write((db) =>
      db.run('update workspaces set name = ? where id = ?', 'Southshore', exampleWorkspace.workspace.id),
    )
    expect((await refreshed(first.refreshToken)).body['workspace_name']).toBe('Southshore')
    await server.service.database.write((db) =>
      db.run('update workspaces set name = ? where id = ?', exampleWorkspace.workspace.name, exampleWorkspace.workspace.id),
    )
  })

  it('can be exchanged repeatedly, even when each pair is 90 days old', async () => {
    let current = await authorize(server, client)
    for (let round = 0; round < 4; round += 1) {
      server.clock.advance(90 * 24 * 60 * 60_000)
      current = await refreshed(current.refreshToken)
    }
    expect(await isAlive(current)).toBe(true)
  })

  it('does not limit the life of its access token, which does not expire', async () => {
    const authorization = await authorize(server, client)
    server.clock.advance(5 * 365 * 24 * 60 * 60_000)
    expect(await isAlive(authorization)).toBe(true)
  })
})

describe('a refresh token whose response was lost', () => {
  it('can be exchanged again within 60 seconds for another pair, which replaces the unused one', async () => {
    const first = await authorize(server, client)
    const lost = await refreshed(first.refreshToken)
    server.clock.advance(60_000)
    const again = await refreshed(first.refreshToken)
    expect(await isAlive(lost)).toBe(false)
    expect(await isAlive(again)).toBe(true)
    expect(await isAlive(await refreshed(again.refreshToken))).toBe(true)
  })

  it('can be sent several times, even if it was an hour old at its first use', async () => {
    const first = await authorize(server, client)
    server.clock.advance(60 * 60_000)
    await refreshed(first.refreshToken)
    await refreshed(first.refreshToken)
    expect(await isAlive(await refreshed(first.refreshToken))).toBe(true)
  })

  it('can be exchanged again after an introspection of the new token, which does not count as use', async () => {
    const first = await authorize(server, client)
    const second = await refreshed(first.refreshToken)
    expect((await client.call('introspectToken', { token: second.accessToken })).body['active']).toBe(true)
    expect((await refresh(first.refreshToken)).status).toBe(200)
  })
})

describe('reuse of a refresh token revokes its authorization, and no other,', () => {
  const reuses: readonly (readonly [
    what: string,
    reuse: (first: Authorization) => Promise<{ offered: string; survivors: readonly Authorization[] }>,
  ])[] = [
    [
      'after the new access token was used',
      async (first) => {
        const second = await refreshed(first.refreshToken)
        await isAlive(second)
        return { offered: first.refreshToken, survivors: [second] }
      },
    ],
    [
      'after the new refresh token was used',
      async (first) => {
        const second = await refreshed(first.refreshToken)
        const third = await refreshed(second.refreshToken)
        return { offered: first.refreshToken, survivors: [second, third] }
      },
    ],
    [
      '61 seconds later',
      async (first) => {
        const second = await refreshed(first.refreshToken)
        server.clock.advance(60_001)
        return { offered: first.refreshToken, survivors: [second] }
      },
    ],
    [
      'of a token of the replaced pair',
      async (first) => {
        const lost = await refreshed(first.refreshToken)
        const again = await refreshed(first.refreshToken)
        return { offered: lost.refreshToken, survivors: [lost, again] }
      },
    ],
  ]
  for (const [what, reuse] of reuses) {
    it(what, async () => {
      const first = await authorize(server, client)
      const bystander = await authorize(server, client)
      const { offered, survivors } = await reuse(first)
      expectInvalidGrant(await refresh(offered))
      for (const each of survivors) {
        expect(await isAlive(each)).toBe(false)
        expectInvalidGrant(await refresh(each.refreshToken))
      }
      // The same bot, but another authorization: it stays valid, and so do its shared pages.
      expect(bystander.botId).toBe(first.botId)
      expect((await bystander.caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.handbook } })).status).toBe(
        200,
      )
    })
  }

  it('after a request with the new token, even one that failed with 400', async () => {
    const first = await authorize(server, client)
    const second = await refreshed(first.refreshToken)
    expect((await second.caller.call('retrieveBlock', { path: { block_id: 'no-id' } })).status).toBe(400)
    expectInvalidGrant(await refresh(first.refreshToken))
  })
})

describe('concurrent refreshes', () => {
  it('leave one pair that works', async () => {
    const first = await authorize(server, client)
    const responses = await Promise.all(Array.from({ length: 5 }, () => refresh(first.refreshToken)))
    const pairs = responses.map((response) => readTokens(server, response))
    const alive = await Promise.all(
      pairs.map(async ({ accessToken }) => (await client.call('introspectToken', { token: accessToken })).body['active']),
    )
    expect(alive.filter(Boolean)).toHaveLength(1)
  })

  it('let a use of the new pair or a concurrent retry succeed, and keep only one pair valid', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await authorize(server, client)
      const second = await refreshed(first.refreshToken)
      const [use, retry] = await Promise.all([second.caller.call('retrieveMe'), refresh(first.refreshToken)])
      expect([use.status, retry.status]).not.toStrictEqual([401, 400])
      if (retry.status === 200) expect(await isAlive(second)).toBe(false)
      else expectInvalidGrant(retry)
    }
  })
})

describe('createToken with a refresh token', () => {
  it('400 for the token of another client, which can still use the token', async () => {
    const other = await makeClient(server)
    const first = await authorize(server, client)
    expectInvalidGrant(await refresh(first.refreshToken, other))
    expect(await isAlive(first)).toBe(true)
    expect((await refresh(first.refreshToken)).status).toBe(200)
  })

  it('401 when the refresh token is sent as a bearer token of the API', async () => {
    const { refreshToken } = await authorize(server, client)
    expect((await server.caller(refreshToken).call('retrieveMe')).status).toBe(401)
  })
})
