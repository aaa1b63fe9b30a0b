import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { findRefusals, type NamedRefusal } from '../../server/domain/administration/refused_requests.ts'
import { createSignInLink, setPassword } from '../../server/domain/administration/people.ts'
import { REFUSED_REQUESTS_MAX } from '../../server/domain/shared/refused_requests.ts'
import { listRefusedRequests } from '../../server/store/refused_requests.ts'
import type { TestResponse, RawResponse } from '../harness/responses.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { upload } from '../harness/files.ts'
import { authorizeAddress, decide, makeClient, obtainCode } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const [person] = exampleWorkspace.people
const PASSWORD = 'Wanderfalke-4711'
const WRONG = 'Turmfalke-0815'

const server = await serverOfFile({ REFUSED_BODIES: 'true' })
const { database } = server.service
await database.write((db) => setPassword(db, person.email, PASSWORD))
const client = await makeClient(server)
const elsewhere = await makeClient(server, { name: 'Elsewhere', allowedWorkspaces: [] })
const browser = new Browser(server)
await browser.signIn(server, person.email)
const consent = hiddenFields((await browser.open(authorizeAddress(client))).text)

const idOfResponse = ({ headers }: TestResponse | RawResponse): string => String(headers['x-service-request-id'])
const signInForm = async (by: Browser): Promise<Record<string, string>> => hiddenFields((await by.open('/sign-in')).text)

/** A browser whose session has ended. */
async function staleBrowser(): Promise<Browser> {
  const stale = new Browser(server)
  await stale.signIn(server, person.email)
  const { cookies } = stale
  const kept = new Map(cookies)
  await stale.signOut()
  stale.take(kept)
  return stale
}

/**
 * Sends bytes that are not HTTP.
 * @returns the head and body of the response
 */
async function sendBytes(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const socket = connect(Number(port), hostname)
  socket.write(bytes)
  return readText(socket)
}

async function signedLink(): Promise<string> {
  const body = { parent: { page_id: exampleWorkspace.pages.handbook }, properties: {}, children: [] as object[] }
  const id = await upload(server.owner, 'one two three', 'a.txt')
  body.children.push({ file: { type: 'file_upload', file_upload: { id } } })
  const page = await server.owner.call('createPage', { body })
  const children = await server.owner.call('listBlockChildren', { path: { block_id: String(page.body['id']) } })
  const url = /"url":"([^"]*\/files\/[^"]*)"/.exec(children.text)?.[1]
  if (url === undefined) throw new Error(children.text)
  return url.slice(server.url.length)
}

const member = { id: person.id }
const connection = { id: client.connectionId, name: 'Tide Planner' }
const page = { operation: 'page', workspace: undefined, connection: undefined }

/** Refused pages, and the stored record of each. */
const CASES: readonly (readonly [title: string, send: () => Promise<TestResponse | RawResponse>, kept: object])[] = [
  [
    'sign-in: 400 for a wrong password',
    async () => {
      const stranger = new Browser(server)
      return stranger.submit('/sign-in', { ...(await signInForm(stranger)), email: person.email, password: WRONG })
    },
    { ...page, status: 400, code: 'wrong_password', path: '/sign-in', places: ['body.password'], member: undefined, body: null },
  ],
  [
    'sign-in: 403 without the csrf token',
    () => new Browser(server).submit('/sign-in', { email: person.email, password: PASSWORD }),
    { ...page, status: 403, code: 'invalid_csrf_token', places: ['body.csrf_token'], body: null },
  ],
  [
    'sign-in link: 403 with the csrf token of another browser',
    async () => {
      const { path } = await database.write((db) => createSignInLink(db, person.email, server.clock.now()))
      return new Browser(server).submit('/sign-in/link', hiddenFields((await new Browser(server).open(path)).text))
    },
    { ...page, status: 403, code: 'invalid_csrf_token', path: '/sign-in/link', body: null },
  ],
  [
    'sign-in link: 400 for a link that was used',
    async () => {
      const stranger = new Browser(server)
      const { path } = await database.write((db) => createSignInLink(db, person.email, server.clock.now()))
      const fields = hiddenFields((await stranger.open(path)).text)
      return stranger.submit('/sign-in/link', { ...fields, token: `link_${WRONG}` })
    },
    { ...page, status: 400, code: 'invalid_sign_in_link', places: ['body.token'], body: null },
  ],
  [
    'sign-out: 403 with a wrong csrf token, naming the member',
    () => browser.submit('/sign-out', { csrf_token: WRONG }),
    { ...page, status: 403, code: 'invalid_csrf_token', path: '/sign-out', member: { ...member, name: person.email } },
  ],
  [
    'authorization request: 400 for an unknown connection, naming the member',
    () => browser.open(authorizeAddress({ clientId: randomUUID() })),
    {
      ...{ operation: 'retrieveAuthorizationPage', status: 400, code: 'invalid_request', places: ['query.client_id'] },
      ...{ connection: undefined, member: { ...member, name: person.email } },
    },
  ],
  [
    'authorization request: 400 for a redirect URI that is not registered',
    () => new Browser(server).open(authorizeAddress(client, { redirect_uri: 'https://evil.example/' })),
    { status: 400, code: 'invalid_request', places: ['query.redirect_uri'], member: undefined },
  ],
  [
    'authorization request: a redirect to the connection for an invalid parameter',
    () => browser.open(authorizeAddress(client, { owner: 'everybody', state: 'abc' })),
    { status: 302, code: 'invalid_request', message: 'owner should be user', places: ['query.owner'], member: { id: person.id } },
  ],
  [
    'authorization request: a redirect to the connection when the member may not install it',
    () => browser.open(authorizeAddress(elsewhere)),
    {
      ...{ status: 302, code: 'unauthorized_client', connection: { id: elsewhere.connectionId, name: 'Elsewhere' } },
      member: { ...member, name: person.name },
    },
  ],
  [
    'authorization request: a redirect to sign-in when the session has ended',
    async () => (await staleBrowser()).open(authorizeAddress(client)),
    { status: 302, code: 'session_ended', connection, member: undefined },
  ],
  [
    'decision: 403 with a wrong csrf token, naming member and connection, and no secret of the form',
    () => browser.submit('/v1/oauth/authorize', { ...consent, csrf_token: WRONG, decision: 'allow' }),
    {
      ...{ operation: 'createAuthorization', status: 403, code: 'invalid_csrf_token', places: ['body.csrf_token'] },
      ...{ workspace: { id: exampleWorkspace.workspace.id, name: exampleWorkspace.workspace.name }, connection },
      ...{ member: { ...member, name: person.name }, body: { csrf_token: '[redacted]', decision: 'allow' } },
    },
  ],
  [
    'decision: 400 when nothing is picked',
    () => browser.submit('/v1/oauth/authorize', { ...consent, workspace_id: exampleWorkspace.workspace.id, decision: 'allow' }),
    { status: 400, code: 'validation_error', places: ['body.page_ids'], connection, member: { ...member, name: person.name } },
  ],
  [
    'decision: a redirect to the connection when the form violates the contract',
    () => browser.submit('/v1/oauth/authorize', { ...consent, decision: 'perhaps' }),
    { status: 303, code: 'invalid_request', places: ['body.decision'], connection },
  ],
  [
    'decision: a redirect to sign-in when nobody is signed in',
    () => new Browser(server).submit('/v1/oauth/authorize', { ...consent, decision: 'allow' }),
    { status: 303, code: 'session_ended', connection, member: undefined },
  ],
  [
    'introspectToken: 400 for a list of tokens',
    () => client.call('introspectToken', { token: [WRONG] }),
    { operation: 'introspectToken', code: 'invalid_request', places: ['body.token'], connection, body: { token: '[redacted]' } },
  ],
  [
    'revokeToken: 400 without a token',
    () => client.call('revokeToken', {}),
    { operation: 'revokeToken', code: 'invalid_request', places: ['body.token'], connection },
  ],
  [
    'createToken: 401 for a wrong client secret',
    () => client.call('createToken', {}, { Authorization: `Basic ${Buffer.from(`x:${WRONG}`).toString('base64')}` }),
    { operation: 'createToken', status: 401, code: 'invalid_client', connection: undefined },
  ],
  [
    'file address: 403 with a wrong signature',
    async () => server.owner.page((await signedLink()).replace(/signature=.*/, `signature=${WRONG}`)),
    { operation: 'file', status: 403, code: 'restricted_resource', workspace: undefined },
  ],
  [
    'file address: 416 beyond the end of the file, naming its workspace',
    async () => server.owner.page(await signedLink(), 'GET', { Range: 'bytes=1000-' }),
    { operation: 'file', status: 416, code: 'range_not_satisfiable', workspace: { id: exampleWorkspace.workspace.id } },
  ],
  [
    'file address: 400 for another method',
    async () => server.owner.page(await signedLink(), 'PUT'),
    { operation: 'file', status: 400, code: 'invalid_request_url', method: 'PUT' },
  ],
  [
    'page of the reference: 404 for an unknown one',
    () => server.owner.page('/docs/nothing-here'),
    { ...page, status: 404, code: 'invalid_request_url', path: '/docs/nothing-here' },
  ],
  [
    'path that is neither a page nor of the API: 400',
    () => server.owner.page('/mcp', 'POST'),
    { operation: 'unknown', status: 400, code: 'invalid_request_url', path: '/mcp' },
  ],
]

const MALFORMED: readonly (readonly [what: string, bytes: string, message: string])[] = [
  ['a malformed request line', `NONSENSE ${PASSWORD}\r\n\r\n`, 'This request is not valid HTTP.'],
  ['headers over 16 KiB', `GET /v1/users HTTP/1.1\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 'larger than 16 KiB'],
  ['an unknown transfer encoding', 'POST /v1/pages HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'chunked'],
]

it('the service stores every refusal of pages, OAuth endpoints, files and malformed requests, with caller, location and reason', async () => {
  const ids: string[] = []
  for (const [title, send] of CASES) {
    const id = idOfResponse(await send())
    expect(id, title).toMatch(/^[0-9a-f-]{36}$/)
    ids.push(id)
  }
  const malformed: string[] = []
  for (const [, bytes] of MALFORMED) malformed.push(/X-Service-Request-Id: (\S+)/i.exec(await sendBytes(bytes))?.[1] ?? '')
  let found: readonly NamedRefusal[] = []
  const last = malformed.at(-1)
  const isKept = async (): Promise<boolean> => {
    found = await database.read((db) => findRefusals(db, {}, REFUSED_REQUESTS_MAX))
    return found.some(({ requestId }) => requestId === last)
  }
  await expect.poll(isKept, { timeout: 10_000 }).toBe(true)
  const byId = new Map(found.map((refusal) => [refusal.requestId, refusal]))
  CASES.forEach(([title, , kept], index) => expect(byId.get(ids[index] ?? ''), title).toMatchObject(kept))
  MALFORMED.forEach(([what, , message], index) =>
    expect(byId.get(malformed[index] ?? ''), what).toMatchObject({
      ...{ status: 400, code: 'invalid_request', message: expect.stringContaining(message) },
      ...{ method: '', path: '', workspace: undefined, connection: undefined, member: undefined },
    }),
  )
  const stored = JSON.stringify(await database.read((db) => listRefusedRequests(db, REFUSED_REQUESTS_MAX)))
  const cookies = [...browser.cookies.values()]
  for (const secret of [PASSWORD, WRONG, client.clientSecret, consent['csrf_token'] ?? '', ...cookies])
    expect(stored).not.toContain(secret)
})

it('the service stores no refusal when a member signs in, cancels or allows', async () => {
  const before = await database.read((db) => listRefusedRequests(db, 1))
  await decide(server, client, 'cancel', { browser })
  await obtainCode(server, client, { browser })
  await new Browser(server).open(authorizeAddress(client))
  const { body } = await server.caller(undefined).call('retrieveMe')
  const ids = async (): Promise<unknown[]> =>
    (await database.read((db) => listRefusedRequests(db, 10))).map(({ request_id: id }) => id)
  await expect.poll(ids, { timeout: 10_000 }).toContain(body['request_id'])
  expect((await ids()).slice(0, 2)).toEqual([body['request_id'], before[0]?.request_id])
})
