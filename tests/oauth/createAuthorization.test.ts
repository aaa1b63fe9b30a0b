import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateConnection } from '../../server/domain/administration/connections.ts'
import { changeRole, createPerson } from '../../server/domain/administration/people.ts'
import type { RawResponse } from '../harness/responses.ts'
import { Browser, hiddenFields, type Fields } from '../harness/browser.ts'
import { authorizeAddress, decide, makeClient, RETURN_URI, type OAuthClient } from '../harness/oauth.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const client = await makeClient(server, { developerName: 'Harbour <Labs>', developerUrl: 'https://planner.example' })
const ines = new Browser(server)
await ines.signIn(server, exampleWorkspace.people[0].email)

async function pageText(of: OAuthClient = client, parameters = {}): Promise<string> {
  const response = await ines.open(authorizeAddress(of, parameters))
  expect(response.status).toBe(200)
  return response.text
}

/** @returns the error and the code in the redirect to the connection */
function outcomeOf({ status, headers }: RawResponse): [error: string | null, code: string | null] {
  expect(status).toBe(303)
  const { searchParams } = new URL(String(headers.location))
  return [searchParams.get('error'), searchParams.get('code')]
}

describe('the decision of a member', () => {
  it('returns a code and the state after Allow, and an error and the state after Cancel', async () => {
    const allowed = await decide(server, client, 'allow', {
      browser: ines,
      workspaceId: exampleWorkspace.workspace.id,
      parameters: { state: 'launch & day' },
    })
    expect(allowed.origin + allowed.pathname).toBe(RETURN_URI)
    expect([...allowed.searchParams.keys()]).toStrictEqual(['code', 'state', 'iss'])
    expect(allowed.searchParams.get('code')).toMatch(/^code_[A-Za-z0-9]{40,75}$/)
    expect(allowed.searchParams.get('state')).toBe('launch & day')
    const canceled = await decide(server, client, 'cancel', { browser: ines, parameters: { state: 'launch & day' } })
    expect([...canceled.searchParams.keys()]).toStrictEqual(['error', 'error_description', 'state', 'iss'])
    expect(canceled.searchParams.get('error')).toBe('access_denied')
    const stateless = await decide(server, client, 'allow', { browser: ines, workspaceId: exampleWorkspace.workspace.id })
    expect([...stateless.searchParams.keys()]).toStrictEqual(['code', 'iss'])
  })

  it('is requested again when Allow was sent without a page', async () => {
    const hidden = hiddenFields(await pageText())
    const response = await ines.submit('/v1/oauth/authorize', {
      ...hidden,
      workspace_id: exampleWorkspace.workspace.id,
      decision: 'allow',
    })
    expect(response.status).toBe(400)
    expect(response.text).toContain('Pick at least one page')
    expect(hiddenFields(response.text)['csrf_token']).toBe(hidden['csrf_token'])
  })

  it('gets 403, without a redirect, if the form lacks the form token of the session', async () => {
    const hidden = hiddenFields(await pageText())
    const other = new Browser(server)
    await other.signIn(server, exampleWorkspace.people[0].email)
    const foreign = hiddenFields((await other.open(authorizeAddress(client))).text)['csrf_token'] ?? ''
    for (const token of ['wrong', '', 'a'.repeat(2001), foreign]) {
      const response = await ines.submit('/v1/oauth/authorize', {
        ...hidden,
        csrf_token: token,
        decision: 'allow',
        page_ids: exampleWorkspace.pages.handbook,
      })
      expect(response.status).toBe(403)
      expect(response.headers.location).toBeUndefined()
    }
  })

  it('with 101 pages redirects to the connection with invalid_request and a message about the limit', async () => {
    const hidden = hiddenFields(await pageText())
    const response = await ines.submit('/v1/oauth/authorize', [
      ...Object.entries({ ...hidden, workspace_id: exampleWorkspace.workspace.id, decision: 'allow' }),
      ...Array.from({ length: 101 }, () => ['page_ids', randomUUID()] as const),
    ])
    expect(outcomeOf(response)).toStrictEqual(['invalid_request', null])
    expect(new URL(String(response.headers.location)).searchParams.get('error_description')).toContain('page_ids')
  })

  it('redirects to the sign-in page without a session', async () => {
    const browser = new Browser(server)
    await browser.signIn(server, exampleWorkspace.people[1].email)
    const hidden = hiddenFields((await browser.open(authorizeAddress(client))).text)
    expect((await browser.submit('/sign-out', { csrf_token: hidden['csrf_token'] ?? '' })).status).toBe(303)
    const response = await browser.submit('/v1/oauth/authorize', {
      ...hidden,
      decision: 'allow',
      page_ids: exampleWorkspace.pages.handbook,
    })
    expect(response.status).toBe(303)
    expect(String(response.headers.location)).toMatch(new RegExp(`^${server.url}/sign-in\\?`))
  })

  const faulty: readonly (readonly [what: string, changes: Readonly<Record<string, string | undefined>>, error: string])[] = [
    ['an unknown decision', { decision: 'maybe' }, 'invalid_request'],
    ['no decision', { decision: undefined }, 'invalid_request'],
    ['no workspace', { workspace_id: undefined }, 'invalid_request'],
    ['a malformed workspace', { workspace_id: 'x' }, 'invalid_request'],
    ['a malformed page', { page_ids: 'x' }, 'invalid_request'],
    ['an unknown page', { page_ids: '11111111-2222-4333-8444-555555555555' }, 'invalid_request'],
    ['use_template that is neither true nor false', { use_template: 'yes' }, 'invalid_request'],
    ['a missing template', { use_template: 'true' }, 'invalid_request'],
    ['an unsupported response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ]
  for (const [what, changes, error] of faulty) {
    it(`redirects with ${error} for ${what}`, async () => {
      const form = {
        ...hiddenFields(await pageText(client, { state: 's1' })),
        workspace_id: exampleWorkspace.workspace.id,
        decision: 'allow',
        page_ids: exampleWorkspace.pages.handbook,
        ...changes,
      }
      const response = await ines.submit(
        '/v1/oauth/authorize',
        Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined),
      )
      expect(response.status).toBe(303)
      const location = new URL(String(response.headers.location))
      expect(location.searchParams.get('error')).toBe(error)
      expect(location.searchParams.get('state')).toBe('s1')
      expect(location.searchParams.get('code')).toBeNull()
    })
  }

  it('redirects with invalid_request for an unshareable page beside a shareable one', async () => {
    const response = await ines.submit('/v1/oauth/authorize', [
      ...Object.entries({ ...hiddenFields(await pageText()), workspace_id: exampleWorkspace.workspace.id, decision: 'allow' }),
      ...[exampleWorkspace.pages.handbook, randomUUID()].map((id) => ['page_ids', id] as const),
    ])
    expect(outcomeOf(response)).toEqual(['invalid_request', null])
  })

  it('is checked against the rights that connection and member have when it is submitted, not when the page was opened', async () => {
    const { database } = server.service
    const bound = await makeClient(server)
    const member = await database.write((db) =>
      createPerson(
        db,
        { workspaceId: exampleWorkspace.workspace.id, email: 'bo@northshore.example', name: 'Bo', role: 'member' },
        0,
      ),
    )
    const bo = new Browser(server)
    await bo.signIn(server, 'bo@northshore.example')
    const [hidden, ofBo] = [hiddenFields(await pageText(bound)), hiddenFields((await bo.open(authorizeAddress(client))).text)]
    const chosen = { workspace_id: exampleWorkspace.workspace.id, decision: 'allow', page_ids: exampleWorkspace.pages.handbook }
    await database.write((db) => updateConnection(db, bound.connectionId, { allowedWorkspaces: [randomUUID()] }))
    expect(outcomeOf(await ines.submit('/v1/oauth/authorize', { ...hidden, ...chosen }))).toEqual(['unauthorized_client', null])
    await database.write((db) => changeRole(db, exampleWorkspace.workspace.id, member, 'guest'))
    expect(outcomeOf(await bo.submit('/v1/oauth/authorize', { ...ofBo, ...chosen }))).toEqual(['access_denied', null])
  })

  it('with 101 equal pages redirects with invalid_request', async () => {
    const hidden = hiddenFields(await pageText())
    const fields: Fields = [
      ...Object.entries({ ...hidden, workspace_id: exampleWorkspace.workspace.id, decision: 'allow' }),
      ...Array.from({ length: 101 }, () => ['page_ids', exampleWorkspace.pages.handbook] as const),
    ]
    const response = await ines.submit('/v1/oauth/authorize', fields)
    expect(new URL(String(response.headers.location)).searchParams.get('error')).toBe('invalid_request')
  })

  it('gets 400 on an error page for an unknown client or redirect URI', async () => {
    const hidden = hiddenFields(await pageText())
    for (const wrong of [{ client_id: 'x' }, { redirect_uri: 'https://evil.example' }]) {
      const response = await ines.submit('/v1/oauth/authorize', { ...hidden, ...wrong, decision: 'allow' })
      expect(response.status).toBe(400)
      expect(response.headers.location).toBeUndefined()
    }
  })

  it('gets 400 when it is sent as JSON', async () => {
    const response = await ines.submit('/v1/oauth/authorize', {}, { 'Content-Type': 'application/json' })
    expect(response.status).toBe(400)
  })
})
