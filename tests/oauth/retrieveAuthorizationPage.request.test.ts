import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createConnection, setConnectionEnabled } from '../../server/domain/administration/connections.ts'
import { changeRole, createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace, setWorkspacePolicies } from '../../server/domain/administration/workspaces.ts'
import { updateConnectionRow } from '../../server/store/connections.ts'
import { Browser } from '../harness/browser.ts'
import { authorizeAddress, makeClient, RETURN_URI, type OAuthClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const SECOND_URI = 'https://planner.example/second?tenant=a%20b'
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'

const server = await serverOfFile()
const client = await makeClient(server)
const several = await makeClient(server, { name: 'Several', redirectUris: [RETURN_URI, SECOND_URI] })
const ines = new Browser(server)
await ines.signIn(server, exampleWorkspace.people[0].email)

type Parameters = Readonly<Record<string, string | undefined>>

describe('400 with an error page, and no redirect, for', () => {
  const pages: readonly (readonly [what: string, address: () => string | Promise<string>])[] = [
    ['no client_id', () => authorizeAddress(client, { client_id: undefined })],
    ['an empty client_id', () => authorizeAddress(client, { client_id: '' })],
    ['client_id twice', () => `${authorizeAddress(client)}&client_id=${client.clientId}`],
    ['an unknown client', () => authorizeAddress(client, { client_id: '11111111-2222-4333-8444-555555555555' })],
    ['a malformed client_id', () => authorizeAddress(client, { client_id: 'tide-planner' })],
    [
      'a disabled connection',
      async () => {
        const disabled = await makeClient(server)
        await server.service.database.write((db) => setConnectionEnabled(db, disabled.connectionId, false, server.clock.now()))
        return authorizeAddress(disabled)
      },
    ],
    [
      'an internal connection',
      async () => {
        const internal = await makeClient(server)
        await server.service.database.write((db) => updateConnectionRow(db, internal.connectionId, { kind: 'internal' }))
        return authorizeAddress(internal)
      },
    ],
    ['a redirect URI that is not registered', () => authorizeAddress(client, { redirect_uri: 'https://evil.example/return' })],
    ['a redirect URI that differs by one byte', () => authorizeAddress(client, { redirect_uri: `${RETURN_URI}/` })],
    [
      'a redirect URI that differs by letter case',
      () => authorizeAddress(client, { redirect_uri: RETURN_URI.replace('planner', 'Planner') }),
    ],
    [
      'a redirect URI of 2,001 characters',
      () => authorizeAddress(client, { redirect_uri: `${RETURN_URI}?${'a'.repeat(2000 - RETURN_URI.length)}` }),
    ],
    ['redirect_uri twice', () => `${authorizeAddress(client)}&redirect_uri=${encodeURIComponent(RETURN_URI)}`],
    ['no redirect URI although several are registered', () => authorizeAddress(several, { redirect_uri: undefined })],
    [
      'an unknown client, before any other error',
      () => authorizeAddress(client, { client_id: 'x', response_type: 'token', owner: undefined }),
    ],
  ]
  for (const [what, address] of pages) {
    it(what, async () => {
      for (const browser of [ines, new Browser(server)]) {
        const response = await browser.open(await address())
        expect(response.status).toBe(400)
        expect(response.headers.location).toBeUndefined()
        expect(response.text).toContain('role="alert"')
        expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
      }
    })
  }
})

describe('302 to the connection with an error, whether signed in or not, for', () => {
  const redirects: readonly (readonly [what: string, parameters: Parameters, error: string, suffix?: string])[] = [
    ['no response_type', { response_type: undefined }, 'invalid_request'],
    ['no owner', { owner: undefined }, 'invalid_request'],
    ['response_type without a value', { response_type: '' }, 'invalid_request'],
    ['response_type twice', {}, 'invalid_request', '&response_type=code'],
    ['state twice', { state: 'a' }, 'invalid_request', '&state=b'],
    ['owner twice', {}, 'invalid_request', '&owner=user'],
    ['scope twice', { scope: 'a' }, 'invalid_request', '&scope=b'],
    [
      'a challenge twice',
      { code_challenge: CHALLENGE, code_challenge_method: 'S256' },
      'invalid_request',
      `&code_challenge=${CHALLENGE}`,
    ],
    [
      'the method of a challenge twice',
      { code_challenge: CHALLENGE, code_challenge_method: 'S256' },
      'invalid_request',
      '&code_challenge_method=S256',
    ],
    ['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type'],
    [
      'an unsupported response_type before an unsupported owner',
      { response_type: 'token', owner: 'workspace' },
      'unsupported_response_type',
    ],
    ['no owner before an unsupported response_type', { response_type: 'token', owner: undefined }, 'invalid_request'],
    ['an unsupported owner', { owner: 'workspace' }, 'invalid_request'],
    ['a state of 2001 characters', { state: 's'.repeat(2001) }, 'invalid_request'],
    ['a challenge without a method', { code_challenge: CHALLENGE }, 'invalid_request'],
    ['a plain challenge', { code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'invalid_request'],
    ['a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge of 42 characters', { code_challenge: CHALLENGE.slice(1), code_challenge_method: 'S256' }, 'invalid_request'],
    ['a challenge of 44 characters', { code_challenge: `${CHALLENGE}a`, code_challenge_method: 'S256' }, 'invalid_request'],
    ['a malformed challenge', { code_challenge: 'short', code_challenge_method: 'S256' }, 'invalid_request'],
  ]
  for (const [what, parameters, error, suffix = ''] of redirects) {
    it(what, async () => {
      for (const browser of [ines, new Browser(server)]) {
        const response = await browser.open(authorizeAddress(client, parameters) + suffix)
        expect(response.status).toBe(302)
        const location = new URL(String(response.headers.location))
        expect(location.origin + location.pathname).toBe(RETURN_URI)
        expect(location.searchParams.get('error')).toBe(error)
        expect(location.searchParams.get('code')).toBeNull()
        expect(location.searchParams.get('state')).toBe(parameters['state'] ?? null)
      }
    })
  }

  it('any invalid request, with the query of the redirect URI and the state kept', async () => {
    const state = 'a b&c=d#é"<>%00+'
    const response = await ines.open(authorizeAddress(several, { redirect_uri: SECOND_URI, owner: 'workspace', state }))
    expect(String(response.headers.location)).toMatch(new RegExp(`^${SECOND_URI.replace('?', '\\?')}&error=invalid_request&`))
    expect(new URL(String(response.headers.location)).searchParams.get('state')).toBe(state)
  })

  it('any invalid request, without another separator if the redirect URI ends with ? or &', async () => {
    const [bare, open] = ['https://planner.example/return?', 'https://planner.example/return?a=1&']
    const odd = await makeClient(server, { redirectUris: [bare, open] })
    for (const uri of [bare, open]) {
      const response = await ines.open(authorizeAddress(odd, { redirect_uri: uri, owner: 'workspace' }))
      expect(String(response.headers.location).slice(0, uri.length + 6)).toBe(`${uri}error=`)
    }
  })
})

describe('retrieveAuthorizationPage', () => {
  it('302 to the sign-in page without a session, and back to the same request afterwards', async () => {
    const state = 'x&y=1'
    const browser = new Browser(server)
    const response = await browser.open(authorizeAddress(client, { state }))
    expect(response.status).toBe(302)
    const location = new URL(String(response.headers.location))
    expect(location.origin).toBe(server.url)
    expect(location.pathname).toBe('/sign-in')
    const back = new URL(location.searchParams.get('return_to') ?? '', server.url)
    expect(back.pathname).toBe('/v1/oauth/authorize')
    expect(Object.fromEntries(back.searchParams)).toStrictEqual({
      client_id: client.clientId,
      redirect_uri: RETURN_URI,
      response_type: 'code',
      owner: 'user',
      state,
    })
  })

  it('302 with unauthorized_client when the connection may not be installed in any workspace of the member', async () => {
    const elsewhere = await server.service.database.write((db) => createWorkspace(db, 'Elsewhere', server.clock.now()))
    const bound = await makeClient(server, { allowedWorkspaces: [elsewhere] })
    expect(await errorOf(ines, authorizeAddress(bound))).toBe('unauthorized_client')
    const nowhere = await makeClient(server, { allowedWorkspaces: [] })
    expect(await errorOf(ines, authorizeAddress(nowhere))).toBe('unauthorized_client')
    const here = await makeClient(server, { allowedWorkspaces: [elsewhere, exampleWorkspace.workspace.id] })
    expect((await ines.open(authorizeAddress(here))).status).toBe(200)
  })

  it('302 with access_denied for guests, for restricted members, and where only owners install connections', async () => {
    const { database } = server.service
    const browser = new Browser(server)
    const email = 'bo@northshore.example'
    const id = await database.write((db) =>
      createPerson(db, { workspaceId: exampleWorkspace.workspace.id, email, name: 'Bo', role: 'guest' }, server.clock.now()),
    )
    await browser.signIn(server, email)
    expect(await errorOf(browser, authorizeAddress(client))).toBe('access_denied')
    await database.write((db) => changeRole(db, exampleWorkspace.workspace.id, id, 'restricted'))
    expect(await errorOf(browser, authorizeAddress(client))).toBe('access_denied')
    await database.write((db) => changeRole(db, exampleWorkspace.workspace.id, id, 'member'))
    expect((await browser.open(authorizeAddress(client))).status).toBe(200)
    await database.write((db) => setWorkspacePolicies(db, exampleWorkspace.workspace.id, { installers: 'owners' }))
    expect(await errorOf(browser, authorizeAddress(client))).toBe('access_denied')
    expect((await ines.open(authorizeAddress(client))).status).toBe(200)
    await database.write((db) => setWorkspacePolicies(db, exampleWorkspace.workspace.id, { installers: 'members' }))
  })

  it('200 for a client id with or without dashes, and with unknown parameters or a scope, which are ignored', async () => {
    const response = await ines.open(
      `${authorizeAddress(client, { client_id: client.clientId.replaceAll('-', '').toUpperCase() })}&scope=everything&foo=1&foo=2`,
    )
    expect(response.status).toBe(200)
  })

  it('200 without a redirect URI if the connection has only one', async () => {
    expect((await ines.open(authorizeAddress(client, { redirect_uri: undefined }))).status).toBe(200)
  })

  it('200 with a challenge of 43 characters and the method S256', async () => {
    const address = authorizeAddress(client, { code_challenge: CHALLENGE, code_challenge_method: 'S256' })
    expect((await ines.open(address)).status).toBe(200)
  })

  it('200 with a state of 2,000 characters', async () => {
    expect((await ines.open(authorizeAddress(client, { state: 's'.repeat(2000) }))).status).toBe(200)
  })

  it('200 with a policy that lets the form redirect to the host of the redirect URI, or to its scheme for an IPv6 address', async () => {
    const loopback = 'http://[::1]:9/return'
    const local = await makeClient(server, { redirectUris: [RETURN_URI, loopback] })
    for (const [uri, target] of [
      [RETURN_URI, new URL(RETURN_URI).origin],
      [loopback, 'http:'],
    ] as const) {
      const response = await ines.open(authorizeAddress(local, { redirect_uri: uri }))
      expect(String(response.headers['content-security-policy']).split('; ')).toContain(`form-action 'self' ${target}`)
    }
  })

  it('400 for HEAD as for GET, and a response without a body', async () => {
    const response = await server.caller(undefined, undefined).send('HEAD', authorizeAddress(client, { client_id: 'x' }))
    expect(response.status).toBe(400)
    expect(response.text).toBe('')
  })
})

async function errorOf(browser: Browser, address: string): Promise<string | null> {
  const response = await browser.open(address)
  return response.status === 302
    ? new URL(String(response.headers.location)).searchParams.get('error')
    : `status ${response.status}`
}

describe('the redirect URI of a request', () => {
  const [web, local] = ['https://xn--plnner-bua.example/oauth/return?kept=1', 'http://127.0.0.1:8080/oauth/return']
  let registered: OAuthClient
  beforeAll(async () => void (registered = await makeClient(server, { redirectUris: [web, local] })))

  it.each([web, local])('is accepted if equal to a registered one: %s', async (uri) => {
    expect((await ines.open(authorizeAddress(registered, { redirect_uri: uri }))).status).toBe(200)
  })

  it.each([
    ['a different scheme', web.replace('https:', 'http:')],
    ['a scheme in capitals', web.replace('https:', 'HTTPS:')],
    ['a host in capitals', web.replace('xn--', 'XN--')],
    ['a host in letters rather than Punycode', web.replace('xn--plnner-bua', 'plänner')],
    ['a subdomain', web.replace('https://', 'https://www.')],
    ['a host with a trailing dot', web.replace('.example', '.example.')],
    ['the explicit default port', web.replace('.example', '.example:443')],
    ['a different port', web.replace('.example', '.example:8443')],
    ['a different port of the loopback', local.replace('8080', '8081')],
    ['no port of the loopback', local.replace(':8080', '')],
    ['a different name of the loopback', local.replace('127.0.0.1', 'localhost')],
    ['a user before the host', web.replace('https://', 'https://x@')],
    ['the registered host as a user', 'https://xn--plnner-bua.example@evil.example/oauth/return?kept=1'],
    ['a path in capitals', web.replace('/oauth', '/OAuth')],
    ['an additional slash', web.replace('return', 'return/')],
    ['a path with dot segments', web.replace('/oauth/', '/oauth/x/../')],
    ['a longer path', web.replace('return', 'return/evil')],
    ['a percent-encoded letter', web.replace('return', 'retur%6e')],
    ['a different query', `${web}&more=1`],
    ['no query', web.replace('?kept=1', '')],
    ['a fragment', `${web}#top`],
    ['a trailing space', `${web} `],
    ['a wildcard', web.replace('return', '*')],
    ['a JavaScript URI', 'javascript:alert(1)'],
    ['a data URI', 'data:text/html,x'],
  ])('is refused with 400 on a page, without a redirect, for %s', async (_what, uri) => {
    for (const browser of [ines, new Browser(server)]) {
      const response = await browser.open(authorizeAddress(registered, { redirect_uri: uri }))
      expect([response.status, response.headers.location]).toEqual([400, undefined])
    }
  })
})

describe('a redirect URI in a registration', () => {
  const uris: readonly (readonly [uri: string, good: boolean])[] = [
    ['https://planner.example/return?x=1', true],
    ['http://127.0.0.1:8080/return', true],
    ['http://localhost/return', true],
    ['http://[::1]:9/return', true],
    ['http://planner.example/return', false],
    ['https://planner.example/return#top', false],
    ['https://planner.example/return#', false],
    ['/return', false],
    ['javascript:alert(1)', false],
    ['planner://return', false],
    ['https://user:secret@planner.example/', false],
    ['https://user@planner.example/', false],
    ['https://:secret@planner.example/', false],
    ['https://planner.example/a b', false],
    ['https://planner.example/\\evil', false],
    ['data:text/html,x', false],
    ['JavaScript:alert(1)', false],
    ['file:///etc/passwd', false],
    ['//planner.example/return', false],
    ['https://*.planner.example/return', false],
    ['https://%2a.planner.example/return', false],
    ['https://plänner.example/return', false],
    ['https://xn--plnner-bua.example/return', true],
    ['http://127.0.0.1.planner.example/return', false],
    ['http://localhost.planner.example/return', false],
    ['http://2130706433/return', true],
    ['https://planner.example/\r\nSet-Cookie:a=b', false],
    ['https://planner.example/a/../b', false],
    ['https://planner.example/a/./b', false],
    ['https://planner.example/..', false],
    ['https://planner.example/a/.?x=1', false],
    ['https://planner.example/a/%2e%2e/b', false],
    ['https://planner.example/a/%2E./b', false],
    ['https://planner.example/a/.%2E', false],
    ['https://planner.example/a/%2e', false],
    ['https://planner.example/a%2f..%2Fb', false],
    ['https://planner.example/a%5C..%5cb', false],
    ['https://planner.example/a/.../b', true],
    ['https://planner.example/a/..b/.well-known/c..', true],
    ['https://planner.example/a%2fb', true],
    ['https://planner.example/a%252e%252e/b', true],
    ['https://planner.example/return?next=/a/../b', true],
    ['https://planner.example/a\tb', false],
    ['https://planner.example/a\u0000', false],
    ['https:///return', false],
    ['https:/planner.example/return', false],
    ['https:planner.example/return', false],
    ['https://@planner.example/return', false],
    ['https://planner%2eexample/return', false],
    ['https://', false],
    [`https://planner.example/${'a'.repeat(1976)}`, true],
    [`https://planner.example/${'a'.repeat(1977)}`, false],
  ]
  for (const [uri, good] of uris) {
    it(`${good ? 'is accepted' : 'is refused'}: ${JSON.stringify(uri.slice(0, 60))}`, async () => {
      const made = server.service.database.write((db) =>
        createConnection(
          db,
          {
            workspaceId: exampleWorkspace.workspace.id,
            kind: 'public',
            name: 'X',
            capabilities: [],
            redirectUris: [uri],
          },
          server.clock.now(),
        ),
      )
      await (good ? expect(made).resolves.toBeDefined() : expect(made).rejects.toThrow('redirect URI'))
    })
  }

  it('is one of 1 to 20; 0 and 21 are refused', async () => {
    const make = (count: number): Promise<unknown> =>
      makeClient(server, { redirectUris: Array.from({ length: count }, (_, index) => `https://planner.example/${index}`) })
    await expect(make(20)).resolves.toBeDefined()
    await expect(make(21)).rejects.toThrow('at most 20')
    await expect(make(0)).rejects.toThrow('needs a redirect URI')
  })
})
