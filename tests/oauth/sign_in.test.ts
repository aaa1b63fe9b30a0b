import { beforeEach, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createSignInLink, setPassword } from '../../server/domain/administration/people.ts'
import { openSession } from '../../server/domain/people/sessions.ts'
import { sweep } from '../harness/sweeps.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { authorizeAddress, makeClient } from '../harness/oauth.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'

const EMAIL = exampleWorkspace.people[0].email
const PASSWORD = 'Käpt’n Blaubär 7'

let browser: Browser
/** Every test has its own client address, so that sign-in attempts are counted separately. */
let address = ''
let addresses = 0

const server = await serverOfFile({ TRUST_PROXY: '1', ALLOW_PLAIN_HTTP: 'true' })
await server.service.database.write((db) => setPassword(db, EMAIL, PASSWORD))
beforeEach(() => {
  address = `192.0.2.${(addresses += 1)}`
  browser = new Browser(server, address)
})

async function signIn(email: string, password: string, path = '/sign-in'): ReturnType<Browser['submit']> {
  const { text } = await browser.open(path)
  return browser.submit('/sign-in', { ...hiddenFields(text), email, password })
}

async function isSignedIn(): Promise<boolean> {
  return (await browser.open('/sign-in')).text.includes('You are signed in')
}

describe('a sign-in with a password', () => {
  it('redirects to the authorization request with its state', async () => {
    const client = await makeClient(server)
    const address = authorizeAddress(client, { state: 'a&b=c#d%' })
    const first = await browser.open(address)
    const response = await signIn(EMAIL, PASSWORD, String(first.headers.location))
    expect(response.status).toBe(303)
    expect(String(response.headers.location).startsWith(`${server.url}/v1/oauth/authorize?`)).toBe(true)
    const page = await browser.open(String(response.headers.location))
    expect(page.status).toBe(200)
    expect(hiddenFields(page.text)['state']).toBe('a&b=c#d%')
  })

  it('accepts email addresses in upper or lower case, and passwords in either Unicode form of accents', async () => {
    expect((await signIn(` ${EMAIL.toUpperCase()} `, PASSWORD.normalize('NFD'))).status).toBe(303)
    expect(await isSignedIn()).toBe(true)
  })

  for (const [what, email, password] of [
    ['a wrong password', EMAIL, 'wrong'],
    ['an unknown person', 'nobody@northshore.example', PASSWORD],
    ['a person without a password', exampleWorkspace.people[1].email, ''],
    ['no password', EMAIL, ''],
    ['a person without a password, with any', exampleWorkspace.people[1].email, 'x'],
  ] as const) {
    it(`gets 400 with the same message, and no session, for ${what}`, async () => {
      const response = await signIn(email, password)
      expect(response.status).toBe(400)
      expect(response.text).toContain('The email address or the password is wrong.')
      expect(response.text).not.toContain(PASSWORD)
      expect(await isSignedIn()).toBe(false)
    })
  }

  it('sets a cookie that is hidden from scripts and other sites, and starts a new session each time', async () => {
    const response = await signIn(EMAIL, PASSWORD)
    const [session = '', device = ''] = response.headers['set-cookie'] ?? []
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=43200']) expect(session).toContain(part)
    for (const part of ['HttpOnly', 'SameSite=Lax', 'Path=/', 'Max-Age=31536000']) expect(device).toContain(part)
    const first = browser.cookies.get('session')
    browser = new Browser(server, address)
    await signIn(EMAIL, PASSWORD)
    expect(browser.cookies.get('session')).not.toBe(first)
  })

  it('sets cookies only for HTTPS and this host if the service uses HTTPS', async () => {
    const secure = await startTestServer({ BASE_URL: 'https://workspace.example' })
    try {
      const page = await secure.caller(undefined, undefined).page('/sign-in')
      expect(String(page.headers['set-cookie'])).toMatch(
        /^__Host-visitor=\w+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      )
      const secret = await secure.service.database.write((db) =>
        openSession(db, exampleWorkspace.people[0].id, undefined, secure.clock.now()),
      )
      const greeting = async (name: string): Promise<boolean> => {
        const { text } = await secure.caller(undefined, undefined).page('/sign-in', 'GET', { Cookie: `${name}=${secret}` })
        return text.includes(EMAIL)
      }
      expect([await greeting('session'), await greeting('__Host-session')]).toEqual([false, true])
    } finally {
      await secure.stop()
    }
  })

  it('still works with the old password after an easily guessed new one is refused', async () => {
    for (const weak of ['password', '12345678', EMAIL])
      await expect(server.service.database.write((db) => setPassword(db, EMAIL, weak))).rejects.toThrow(
        /Choose one that is hard to guess/,
      )
    expect((await signIn(EMAIL, PASSWORD)).status).toBe(303)
  })

  it('gets 403 without the form token of the browser', async () => {
    const { text } = await browser.open('/sign-in')
    const other = new Browser(server)
    const foreign = hiddenFields((await other.open('/sign-in')).text)
    expect(hiddenFields(text)['csrf_token']).not.toBe(foreign['csrf_token'])
    for (const fields of [foreign, {}]) {
      expect((await browser.submit('/sign-in', { ...fields, email: EMAIL, password: PASSWORD })).status).toBe(403)
      expect(await isSignedIn()).toBe(false)
    }
  })

  it('ends after 12 hours, and when the password changes', async () => {
    await signIn(EMAIL, PASSWORD)
    server.clock.advance(12 * 60 * 60_000 - 1)
    expect(await isSignedIn()).toBe(true)
    server.clock.advance(1)
    expect(await isSignedIn()).toBe(false)
    await signIn(EMAIL, PASSWORD)
    await server.service.database.write((db) => setPassword(db, EMAIL, PASSWORD))
    expect(await isSignedIn()).toBe(false)
  })
})

describe('a sign-in link', () => {
  const makeLink = (email: string = EMAIL): ReturnType<typeof createSignInLink> =>
    server.service.database.write((db) => createSignInLink(db, email, server.clock.now()))

  it('works once, and is not consumed by opening its page', async () => {
    const { path } = await makeLink(exampleWorkspace.people[1].email)
    for (let look = 0; look < 3; look += 1) await new Browser(server).open(path)
    const hidden = hiddenFields((await browser.open(path)).text)
    expect((await browser.submit('/sign-in/link', hidden)).status).toBe(303)
    expect((await browser.open('/sign-in')).text).toContain(exampleWorkspace.people[1].email)
    const second = new Browser(server)
    const again = await second.submit('/sign-in/link', hiddenFields((await second.open(path)).text))
    expect(again.status).toBe(400)
    expect(second.cookies.get('session')).toBeUndefined()
  })

  it('no longer works after an hour', async () => {
    const { path } = await makeLink()
    server.clock.advance(60 * 60_000)
    expect((await browser.submit('/sign-in/link', hiddenFields((await browser.open(path)).text))).status).toBe(400)
    expect(await isSignedIn()).toBe(false)
  })

  it('is deleted after it expires, in batches', async () => {
    const { database } = server.service
    for (let count = 0; count < 201; count += 1) await makeLink()
    server.clock.advance(61 * 60_000)
    await sweep(database, server.clock.now())
    expect(await database.read((db) => db.get({}, 'select 1 as one from sign_in_links'))).toBeUndefined()
  })

  it('works once when used several times at the same moment', async () => {
    const { path } = await makeLink()
    const hidden = hiddenFields((await browser.open(path)).text)
    const statuses = await Promise.all(
      Array.from({ length: 4 }, async () => (await browser.submit('/sign-in/link', hidden)).status),
    )
    expect(statuses.sort()).toStrictEqual([303, 400, 400, 400])
  })

  it('gets 403 when another browser submits the form, and 400 without a valid token', async () => {
    const { path } = await makeLink()
    const hidden = hiddenFields((await browser.open(path)).text)
    expect((await new Browser(server).submit('/sign-in/link', hidden)).status).toBe(403)
    expect((await browser.submit('/sign-in/link', { ...hidden, token: 'link_unknown' })).status).toBe(400)
    expect((await browser.submit('/sign-in/link', { csrf_token: hidden['csrf_token'] ?? '' })).status).toBe(400)
  })
})

describe('signing out', () => {
  it('ends the session on the server and deletes its cookie', async () => {
    await browser.signIn(server, EMAIL)
    const session = browser.cookies.get('session')
    const hidden = hiddenFields((await browser.open('/sign-in')).text)
    expect((await browser.submit('/sign-out', { csrf_token: 'wrong' })).status).toBe(403)
    expect(await isSignedIn()).toBe(true)
    expect((await browser.submit('/sign-out', hidden)).status).toBe(303)
    expect(browser.cookies.get('session')).toBeUndefined()
    const old = await server.caller(undefined, undefined).page('/sign-in', 'GET', { Cookie: `session=${session}` })
    expect(old.text).not.toContain('You are signed in')
  })
})

describe('the return address of a sign-in', () => {
  const elsewhere = [
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/docs/',
    '/v1/oauth/authorize',
    '/v1/oauth/authorize/../../evil?x',
    '/v1/oauth/authorized?x',
    'javascript:alert(1)',
    ' /v1/oauth/authorize?x',
    '/v1/oauth/authorize?x\r\nSet-Cookie: a=b',
    '@evil.example/v1/oauth/authorize?x',
  ]
  for (const address of elsewhere) {
    it(`is ignored if outside the pages: ${JSON.stringify(address)}`, async () => {
      const page = await browser.open(`/sign-in?return_to=${encodeURIComponent(address)}`)
      expect(hiddenFields(page.text)['return_to']).toBeUndefined()
      const response = await browser.submit('/sign-in', {
        ...hiddenFields(page.text),
        return_to: address,
        email: EMAIL,
        password: PASSWORD,
      })
      expect(response.headers.location).toBe(`${server.url}/sign-in`)
      expect((await browser.open(`/sign-in?return_to=${encodeURIComponent(address)}`)).headers.location).toBeUndefined()
    })
  }

  it('stays on the service when an authorization address contains another host', async () => {
    for (const address of ['/v1/oauth/authorize?@evil.example/', '/v1/oauth/authorize?\\\\evil.example#x']) {
      browser = new Browser(server, address)
      const response = await browser.submit('/sign-in', {
        ...hiddenFields((await browser.open('/sign-in')).text),
        return_to: address,
        email: EMAIL,
        password: PASSWORD,
      })
      const { origin, hash } = new URL(String(response.headers.location))
      expect([origin, hash]).toEqual([server.url, ''])
      expect(new URL(String(response.headers.location)).pathname).toBe('/v1/oauth/authorize')
    }
  })
})

it('the sign-in pages cannot be framed, scripted or cached', async () => {
  for (const path of ['/sign-in', '/sign-in/link?token=link_x']) {
    const { headers, text } = await browser.open(path)
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(text).not.toContain('<script')
  }
})
