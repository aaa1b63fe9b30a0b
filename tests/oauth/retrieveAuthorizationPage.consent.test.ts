import { describe, expect, it } from 'vitest'
import type { Capability } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { createWorkspace, setWorkspaceSuspended } from '../../server/domain/administration/workspaces.ts'
import { setMemberAccess } from '../../server/domain/people/sharing.ts'
import { Browser, hiddenFields, pickables, type Fields } from '../harness/browser.ts'
import { makePage } from '../harness/content.ts'
import { authorizeAddress, decide, makeClient, PICTURE, RETURN_URI, type OAuthClient } from '../harness/oauth.ts'
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

describe('the consent page', () => {
  it('names the connection, its developer, the workspace and the member, escaped, and cannot be framed, scripted or cached', async () => {
    const response = await ines.open(authorizeAddress(client))
    for (const words of [
      'Tide Planner asks for access to Northshore Boatworks',
      'Harbour &lt;Labs&gt;',
      'ines@northshore.example',
      'planner.example',
    ]) {
      expect(response.text).toContain(words)
    }
    expect(response.text).not.toMatch(/<script|\son\w+=|javascript:/i)
    expect(response.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(response.headers['content-security-policy']).toContain("default-src 'none'")
    expect(response.headers['content-security-policy']).toContain("form-action 'self' https://planner.example;")
    expect(response.headers['referrer-policy']).toBe('no-referrer')
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('escapes text that other people wrote', async () => {
    // Newest, so that it is among the first results.
    server.clock.advance(1000)
    await makePage(server.owner, '<img src=x onerror=alert(1)>"\'&')
    const nasty = await makeClient(server, { name: '"><script>alert(1)</script>' })
    const text = await pageText(nasty, { state: '"><script>alert(2)</script>' })
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;')
    expect(hiddenFields(text)['state']).toBe('"><script>alert(2)</script>')
  })

  const words: readonly (readonly [capability: Capability, text: string])[] = [
    ['read_content', 'Read the pages'],
    ['insert_content', 'Add pages'],
    ['update_content', 'Change what is in them'],
    ['read_comments', 'Read comments'],
    ['insert_comments', 'Comment on them'],
    ['interact_with_agents', 'Start agents by assigning them'],
    ['read_user_without_email', 'no email addresses'],
    ['read_user_with_email', 'pictures and email addresses'],
  ]
  for (const [capability] of words) {
    it(`describes what ${capability} allows, and nothing else`, async () => {
      const page = await pageText(await makeClient(server, { capabilities: [capability] }))
      for (const [other, otherText] of words) expect(page.includes(otherText), other).toBe(other === capability)
      expect(page.includes('will not see who is in the workspace')).toBe(!capability.startsWith('read_user'))
    })
  }

  it("shows the connection's icon, or otherwise the first letter of its name", async () => {
    expect(await pageText(await makeClient(server, { iconUrl: PICTURE }))).toContain(`src="${PICTURE}"`)
    const elsewhere = await pageText(await makeClient(server, { iconUrl: 'https://planner.example/icon.png' }))
    expect(elsewhere).toContain('<span class="badge">T</span>')
    expect(elsewhere).not.toContain('icon.png')
    expect(await pageText()).not.toContain('<img')
    for (const iconUrl of [
      'javascript:alert(1)',
      'data:text/html,x',
      '/icon.png',
      PICTURE.replace('image/png', 'image/svg+xml'),
      PICTURE.replace('image/png', 'image/jpeg'),
      PICTURE.replace(';base64', ''),
      PICTURE + 'A'.repeat(88_000),
      `${PICTURE}" onerror="alert(1)`,
    ]) {
      await expect(makeClient(server, { iconUrl })).rejects.toThrow('neither a web address nor')
      await expect(makeClient(server, { developerUrl: iconUrl })).rejects.toThrow('not a web address')
    }
  })

  it('keeps the parameters of the request, and adds no omitted ones', async () => {
    const challenge = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
    const all = hiddenFields(await pageText(client, { state: 's', ...challenge }))
    expect(all).toMatchObject({
      client_id: client.clientId,
      redirect_uri: RETURN_URI,
      response_type: 'code',
      owner: 'user',
      state: 's',
      ...challenge,
    })
    const few = hiddenFields(await pageText(client, { redirect_uri: undefined }))
    expect(Object.keys(few).sort()).toStrictEqual(['client_id', 'csrf_token', 'owner', 'response_type', 'workspace_id'])
  })

  it('offers the template only when the member can copy it', async () => {
    expect(await pageText()).not.toContain('use_template')
    const page = await makePage(server.owner, 'Starter kit')
    const withTemplate = await makeClient(server, { templatePageId: page })
    expect(await pageText(withTemplate)).toMatch(/use_template[\s\S]*Starter kit/)
    await server.owner.call('updatePage', { path: { page_id: page }, body: { in_trash: true } })
    expect(await pageText(withTemplate)).not.toContain('use_template')
    await expect(makeClient(server, { templatePageId: exampleWorkspace.repairLog })).rejects.toThrow('should be a page')
  })
})

describe('the picker of the consent page', () => {
  it('lists pages and databases, last edited first, with their location', async () => {
    const [page, database] = [
      await makePage(server.owner, 'Newest of all', exampleWorkspace.pages.handbook),
      exampleWorkspace.repairLog,
    ]
    server.clock.advance(1000)
    await server.owner.call('updatePage', {
      path: { page_id: page },
      body: { properties: { title: { title: [{ text: { content: 'Newest now' } }] } } },
    })
    const text = await pageText()
    expect(pickables(text)[0]).toStrictEqual({ id: page, title: 'Newest now', isPicked: false })
    expect(pickables(text).map(({ id }) => id)).toContain(database)
    expect(text).toContain('Page in Workshop handbook')
    expect(text).toContain('Database in Workshop handbook')
  })

  it('searches titles for every word, like the search operation, and keeps the choices', async () => {
    const umbrella = await makePage(server.owner, 'Überfahrt nach Föhr 100% _x_')
    const search = async (words: string, picks: readonly string[] = []): Promise<ReturnType<typeof pickables>> => {
      const fields: Fields = [
        ...Object.entries(hiddenFields(await pageText())),
        ['search', words],
        ...picks.map((id) => ['page_ids', id] as const),
      ]
      const response = await ines.submit('/consent', fields)
      expect(response.status).toBe(303)
      const location = new URL(String(response.headers.location))
      expect(location.origin + location.pathname).toBe(`${server.url}/v1/oauth/authorize`)
      expect(location.searchParams.get('csrf_token')).toBeNull()
      return pickables((await ines.open(location.href)).text)
    }
    for (const words of ['überfahrt', 'FOHR', 'nach über', '100%', '_x_'])
      expect(
        (await search(words)).map(({ id }) => id),
        words,
      ).toContain(umbrella)
    for (const words of ['100x', 'fahrt', 'nach nowhere', '_']) expect(await search(words), words).toStrictEqual([])
    expect(await search('no such page')).toStrictEqual([])
    expect(await search('safety', [umbrella, exampleWorkspace.repairLog])).toStrictEqual([
      { id: umbrella, title: 'Überfahrt nach Föhr 100% _x_', isPicked: true },
      { id: exampleWorkspace.repairLog, title: 'Repair log', isPicked: true },
      { id: exampleWorkspace.pages.checklist, title: 'Safety checklist', isPicked: false },
    ])
  })

  it('shows at most 20 results at a time, and mentions further ones', async () => {
    const parent = await makePage(server.owner, 'Crowded')
    for (let index = 0; index < 21; index += 1) await makePage(server.owner, `Bulk ${index}`, parent)
    const text = await pageText(client, { search: 'bulk' })
    expect(pickables(text)).toHaveLength(20)
    expect(text).toContain('There are more')
  })

  it('omits the trash, and pages to which the member has less than full access', async () => {
    const { database } = server.service
    const rule = (item: string, level: 'none' | 'read' | 'edit' | 'full'): Promise<void> =>
      database.write((db) =>
        setMemberAccess(db, exampleWorkspace.workspace.id, item, exampleWorkspace.people[0].id, level, server.clock.now()),
      )
    const [hidden, readable, editable, full, trashed] = [
      await makePage(server.owner, 'Zq hidden'),
      await makePage(server.owner, 'Zq readable'),
      await makePage(server.owner, 'Zq editable'),
      await makePage(server.owner, 'Zq full'),
      await makePage(server.owner, 'Zq trashed'),
    ]
    const below = await makePage(server.owner, 'Zq below', trashed)
    await server.owner.call('updatePage', { path: { page_id: trashed }, body: { in_trash: true } })
    await rule(hidden, 'none')
    await rule(readable, 'read')
    await rule(editable, 'edit')
    const inside = await makePage(server.owner, 'Zq inside', hidden)
    await rule(inside, 'full')
    const found = pickables(await pageText(client, { search: 'zq' })).map(({ id }) => id)
    expect(new Set(found)).toStrictEqual(new Set([full, inside]))
    // Pages that the member cannot see are not revealed by name either.
    expect(await pageText(client, { search: 'zq inside' })).not.toContain('Zq hidden')
    for (const page of [hidden, readable, editable, trashed, below]) {
      const location = await decide(server, client, 'allow', { browser: ines, pages: [full, page] })
      expect(location.searchParams.get('error')).toBe('invalid_request')
    }
  })
})

describe('the workspace chooser of the consent page', () => {
  it('offers the workspaces in which the member may install connections, and switches without scripts', async () => {
    const { database } = server.service
    const [second, suspended, asGuest] = await database.write(async (db) => {
      const ids = [
        await createWorkspace(db, 'Aft deck', 1),
        await createWorkspace(db, 'Sunken', 1),
        await createWorkspace(db, 'Visitors', 1),
      ] as const
      for (const [index, id] of ids.entries()) {
        await createPerson(
          db,
          { workspaceId: id, email: exampleWorkspace.people[0].email, name: 'Ines', role: index === 2 ? 'guest' : 'member' },
          server.clock.now(),
        )
      }
      await setWorkspaceSuspended(db, ids[1], true, server.clock.now())
      return ids
    })
    const text = await pageText()
    expect([...text.matchAll(/<option value="([^"]*)"/g)].map(([, id]) => id)).toStrictEqual([
      second,
      exampleWorkspace.workspace.id,
    ])
    const response = await ines.submit('/consent', [
      ...Object.entries(hiddenFields(text)),
      ['workspace_id', exampleWorkspace.workspace.id],
      ['page_ids', exampleWorkspace.pages.handbook],
    ])
    const switched = (await ines.open(String(response.headers.location))).text
    expect(switched).toContain('asks for access to Northshore Boatworks')
    expect(pickables(switched)[0]).toMatchObject({ id: exampleWorkspace.pages.handbook, isPicked: true })
    for (const workspaceId of [suspended, asGuest, '11111111-2222-4333-8444-555555555555']) {
      const location = await decide(server, client, 'allow', { browser: ines, workspaceId })
      expect(location.searchParams.get('error')).toBe('access_denied')
    }
    const bound = await makeClient(server, { allowedWorkspaces: [exampleWorkspace.workspace.id] })
    const location = await decide(server, bound, 'allow', { browser: ines, workspaceId: second })
    expect(location.searchParams.get('error')).toBe('unauthorized_client')
  })
})
