import { createHash, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateConnection } from '../../server/domain/administration/connections.ts'
import { formText } from '../harness/browser.ts'
import {
  basic,
  makeClient,
  obtainCode,
  readTokens,
  RETURN_URI,
  type AuthorizationOptions,
  type OAuthClient,
} from '../harness/oauth.ts'
import { exchange, expectOAuthError, SECOND_URI } from './support/exchange.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server)
const several = await makeClient(server, { redirectUris: [RETURN_URI, SECOND_URI] })

describe('the exchange of a valid code', () => {
  it('returns both tokens, the bot, the workspace and the owner, for JSON and for forms', async () => {
    // A form field without a value counts as missing.
    const code = await obtainCode(server, client)
    const form = formText({ grant_type: 'authorization_code', code, redirect_uri: RETURN_URI, code_verifier: '', scope: '' })
    const byForm = await server.caller(undefined, undefined).send('POST', '/v1/oauth/token', {
      headers: {
        Authorization: basic(client.clientId, client.clientSecret),
        'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8',
      },
      body: form,
    })
    for (const { body, headers } of [byForm, await exchange(client, await obtainCode(server, client))]) {
      expect(body).toMatchObject({
        token_type: 'bearer',
        workspace_id: exampleWorkspace.workspace.id,
        workspace_name: exampleWorkspace.workspace.name,
        workspace_icon: null,
        duplicated_template_id: null,
        owner: {
          type: 'user',
          user: {
            object: 'user',
            id: exampleWorkspace.people[0].id,
            type: 'person',
            name: 'Ines Varga',
            avatar_url: null,
            person: { email: exampleWorkspace.people[0].email },
          },
        },
      })
      expect(body['access_token']).toMatch(/^oat_[A-Za-z0-9]{40,76}$/)
      expect(body['refresh_token']).toMatch(/^ort_[A-Za-z0-9]{40,76}$/)
      expect(headers.pragma).toBe('no-cache')
    }
  })

  it('returns a partial owner to connections without access to email addresses', async () => {
    const discreet = await makeClient(server, { capabilities: ['read_content', 'read_user_without_email'] })
    const { body } = await exchange(discreet, await obtainCode(server, discreet))
    expect(body['owner']).toStrictEqual({ type: 'user', user: { object: 'user', id: exampleWorkspace.people[0].id } })
  })

  it('gives access to the chosen pages and everything below them, immediately, and to nothing else', async () => {
    const code = await obtainCode(server, client, { pages: [exampleWorkspace.pages.launchPlan] })
    const { caller, body } = readTokens(server, await exchange(client, code))
    expect(body['owner']).toBeDefined()
    expect((await caller.call('retrievePage', { path: { page_id: exampleWorkspace.pages.launchPlan } })).status).toBe(200)
    expect((await caller.call('retrieveBlock', { path: { block_id: '479dd02e-5974-4f6b-8eeb-4467a5c46004' } })).status).toBe(200)
    for (const page of [exampleWorkspace.pages.handbook, exampleWorkspace.pages.checklist]) {
      const fresh = await makeClient(server)
      const other = readTokens(
        server,
        await exchange(fresh, await obtainCode(server, fresh, { pages: [exampleWorkspace.pages.launchPlan] })),
      )
      expect((await other.caller.call('retrievePage', { path: { page_id: page } })).status).toBe(404)
    }
  })

  it('ignores unknown fields, and accepts a complete external account', async () => {
    const code = await obtainCode(server, client)
    const response = await exchange(client, code, {
      redirect_uri: RETURN_URI,
      scope: 'all',
      external_account: { key: 'a', name: 'b', more: 1 },
    })
    expect(response.status).toBe(200)
  })

  it('succeeds for 10 minutes after the authorization', async () => {
    const [early, late] = [await obtainCode(server, client), await obtainCode(server, client)]
    server.clock.advance(10 * 60_000 - 1)
    expect((await exchange(client, early)).status).toBe(200)
    server.clock.advance(1)
    expectOAuthError(await exchange(client, late), 400, 'invalid_grant', 'expired')
  })

  it('is the first effect of an authorization: nothing changes before', async () => {
    const lonely = await makeClient(server, { name: 'Lonely' })
    const bots = async (): Promise<number> =>
      JSON.stringify((await server.owner.call('listUsers')).body).split('"Lonely"').length - 1
    const code = await obtainCode(server, lonely)
    expect(await bots()).toBe(0)
    expect((await exchange(lonely, code)).status).toBe(200)
    expect(await bots()).toBe(1)
  })
})

describe('a code that was used before', () => {
  it('is refused, and the tokens created from the code stop working', async () => {
    const code = await obtainCode(server, client)
    const { caller, refreshToken } = readTokens(server, await exchange(client, code))
    expect((await caller.call('retrieveMe')).status).toBe(200)
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant', 'already used')
    expect((await caller.call('retrieveMe')).status).toBe(401)
    expectOAuthError(
      await client.call('createToken', { grant_type: 'refresh_token', refresh_token: refreshToken }),
      400,
      'invalid_grant',
    )
  })

  it('is detected even long after it expired', async () => {
    const code = await obtainCode(server, client)
    const { caller } = readTokens(server, await exchange(client, code))
    server.clock.advance(24 * 60 * 60_000)
    expectOAuthError(await exchange(client, code), 400, 'invalid_grant', 'already used')
    expect((await caller.call('retrieveMe')).status).toBe(401)
  })

  it('does not revoke the tokens created from it when another client sends it', async () => {
    const code = await obtainCode(server, client)
    const { caller } = readTokens(server, await exchange(client, code))
    expectOAuthError(await exchange(several, code), 400, 'invalid_grant', 'not issued to this client')
    expect((await caller.call('retrieveMe')).status).toBe(200)
  })

  it('was accepted exactly once when sent several times at the same moment', async () => {
    const code = await obtainCode(server, client)
    const responses = await Promise.all(Array.from({ length: 6 }, () => exchange(client, code)))
    expect(responses.map(({ status }) => status).sort()).toStrictEqual([200, 400, 400, 400, 400, 400])
  })
})

describe('the redirect_uri of a code exchange', () => {
  const cases: readonly (readonly [
    what: string,
    of: () => OAuthClient,
    named: string | undefined,
    sent: string | undefined,
    outcome: 200 | string,
  ])[] = [
    ['it is in both requests', () => client, RETURN_URI, RETURN_URI, 200],
    ['it is in the authorization request but not repeated', () => client, RETURN_URI, undefined, 'invalid_request'],
    ['it is omitted both times', () => client, undefined, undefined, 200],
    ['it is omitted first and then sent', () => client, undefined, RETURN_URI, 'invalid_request'],
    ['several are registered, and the used one is repeated', () => several, SECOND_URI, SECOND_URI, 200],
    ['several are registered, and another one is sent', () => several, SECOND_URI, RETURN_URI, 'invalid_grant'],
    ['several are registered, and none is sent', () => several, SECOND_URI, undefined, 'invalid_request'],
    ['an unregistered URI is sent', () => client, RETURN_URI, `${RETURN_URI}?`, 'invalid_grant'],
  ]
  for (const [what, of, named, sent, outcome] of cases) {
    it(`gets ${outcome} when ${what}`, async () => {
      const code = await obtainCode(server, of(), { parameters: { redirect_uri: named } })
      const response = await exchange(of(), code, sent === undefined ? {} : { redirect_uri: sent })
      if (outcome === 200) expect(response.status, response.text).toBe(200)
      else expectOAuthError(response, 400, String(outcome), 'body.redirect_uri')
    })
  }

  it('must be sent, with the URI that was used, if another URI is registered between authorization and exchange', async () => {
    const growing = await makeClient(server)
    const code = await obtainCode(server, growing, { parameters: { redirect_uri: undefined } })
    await server.service.database.write((db) =>
      updateConnection(db, growing.connectionId, { redirectUris: [RETURN_URI, SECOND_URI] }),
    )
    expectOAuthError(await exchange(growing, code, {}), 400, 'invalid_request', 'body.redirect_uri')
    expectOAuthError(await exchange(growing, code, { redirect_uri: SECOND_URI }), 400, 'invalid_grant', 'body.redirect_uri')
    expect((await exchange(growing, code)).status).toBe(200)
  })
})

describe('a code verifier', () => {
  const verifier = randomBytes(32).toString('base64url')
  const challenged: AuthorizationOptions = {
    parameters: { code_challenge: createHash('sha256').update(verifier).digest('base64url'), code_challenge_method: 'S256' },
  }
  const withVerifier = (code_verifier: string): object => ({ redirect_uri: RETURN_URI, code_verifier })

  it('must match the challenge, and a mismatch does not consume the code', async () => {
    const code = await obtainCode(server, client, challenged)
    expectOAuthError(await exchange(client, code), 400, 'invalid_request', 'body.code_verifier')
    expectOAuthError(await exchange(client, code, withVerifier('x'.repeat(43))), 400, 'invalid_grant', 'body.code_verifier')
    expect((await exchange(client, code, withVerifier(verifier))).status).toBe(200)
  })

  it('is accepted as in RFC 7636, appendix B', async () => {
    const code = await obtainCode(server, client, {
      parameters: { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
    })
    expect((await exchange(client, code, withVerifier('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'))).status).toBe(200)
  })

  it('is refused without a challenge, so that removing the challenge is detected', async () => {
    expectOAuthError(
      await exchange(client, await obtainCode(server, client), withVerifier(verifier)),
      400,
      'invalid_request',
      'body.code_verifier',
    )
  })

  for (const malformed of ['x'.repeat(42), 'x'.repeat(129), `${'x'.repeat(42)} `, 7]) {
    it(`is refused when malformed: ${JSON.stringify(malformed).slice(0, 12)}…`, async () => {
      const response = await exchange(client, await obtainCode(server, client, challenged), {
        redirect_uri: RETURN_URI,
        code_verifier: malformed,
      })
      expectOAuthError(response, 400, 'invalid_request', 'body.code_verifier')
    })
  }
})
