import { argon2Sync, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { createPerson } from '../../server/domain/administration/people.ts'
import { Browser, hiddenFields } from '../harness/browser.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const OWNER = exampleWorkspace.people[0].email
const COLLEAGUE = exampleWorkspace.people[1].email
const CREW = Array.from({ length: 6 }, (_, index) => `crew${index}@northshore.example`)
const PASSWORD = 'Kaept-n Blaubaer 7'

/**
 * Maximum attempts: on one account from one address, on one account from unknown devices, from one address on any account, from one device.
 */
const [OF_ACCOUNT_AND_ADDRESS, OF_ACCOUNT, OF_ADDRESS, OF_DEVICE] = [10, 60, 60, 10]

let server: TestServer
let hosts = 0
const host = (): string => `192.0.2.${(hosts += 1)}`

/** A password with a fast hash, as an old password may have, because the tests check hundreds of passwords. */
function cheapPassword(): string {
  const cost = { memory: 8, passes: 1, parallelism: 1 }
  const nonce = randomBytes(16)
  const tag = argon2Sync('argon2id', { message: PASSWORD, nonce, tagLength: 32, ...cost })
  const plain64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=8,t=1,p=1$${plain64(nonce)}$${plain64(tag)}`
}

async function start(settings: Readonly<Record<string, string>> = {}): Promise<TestServer> {
  const started = await startTestServer({ TRUST_PROXY: '1', ALLOW_PLAIN_HTTP: 'true', ...settings })
  await started.service.database.write(async (db) => {
    for (const email of CREW)
      await createPerson(
        db,
        { workspaceId: exampleWorkspace.workspace.id, email, name: 'Crew', role: 'member' },
        started.clock.now(),
      )
    await db.run('update accounts set password = ?', cheapPassword())
  })
  return started
}

/**
 * Requests the form and submits it.
 * @param cookies of a known browser
 */
class Guesser {
  readonly browser: Browser
  #hidden: Record<string, string> | undefined

  constructor(address = host(), cookies: ReadonlyMap<string, string> = new Map()) {
    this.browser = new Browser(server, address)
    this.browser.take(cookies)
  }

  async try(email: string, password = 'a guess'): ReturnType<Browser['submit']> {
    this.#hidden ??= hiddenFields((await this.browser.open('/sign-in')).text)
    return this.browser.submit('/sign-in', { ...this.#hidden, email, password })
  }

  async status(email: string, password?: string): Promise<number> {
    return (await this.try(email, password)).status
  }
}

async function guess(guesser: Guesser, email: string, times: number): Promise<void> {
  for (let count = 0; count < times; count += 1) expect(await guesser.status(email)).toBe(400)
}

/** @returns the cookies of a browser after signing in and out */
async function knownBrowser(email: string): Promise<ReadonlyMap<string, string>> {
  const browser = new Browser(server)
  await browser.signIn(server, email)
  await browser.signOut()
  expect([...browser.cookies.keys()].sort()).toStrictEqual(['device', 'visitor'])
  return browser.cookies
}

for (const limit of ['off', '180/60']) {
  describe(`sign-in with RATE_LIMIT=${limit}`, () => {
    beforeAll(async () => {
      server = await start({ RATE_LIMIT: limit })
    })
    afterAll(() => server.stop())

    it('limits attempts on an account from one address, even with the right password and for unknown accounts', async () => {
      const pages: string[] = []
      for (const [email, right] of [
        [OWNER, PASSWORD],
        ['nobody@northshore.example', 'x'],
      ] as const) {
        const guesser = new Guesser()
        await guess(guesser, email, OF_ACCOUNT_AND_ADDRESS)
        expect(await guesser.status(` ${email.toUpperCase()} `)).toBe(429)
        const refusal = await guesser.try(email, right)
        expect(refusal).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^(?:[78]\d\d|900)$/) } })
        expect(refusal.headers['set-cookie']).toBeUndefined()
        pages.push(refusal.text)
      }
      expect(pages[0]).toBe(pages[1])
      expect(pages[0]).toContain('sign-in link')
      // Other members are not affected.
      expect(await new Guesser().status(OWNER, PASSWORD)).toBe(303)
    })

    it('limits attempts from an address on any number of accounts', async () => {
      const known = await knownBrowser(OWNER)
      const address = host()
      const guesser = new Guesser(address)
      for (const email of CREW) await guess(guesser, email, OF_ADDRESS / CREW.length)
      const refusal = await guesser.try('another@northshore.example')
      expect(refusal).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^[1-5]?\d$|^60$/) } })
      expect(await guesser.status(OWNER, PASSWORD)).toBe(429)
      // A member at the same address, with a browser known to the account, signs in.
      expect(await new Guesser(address, known).status(OWNER, PASSWORD)).toBe(303)
    })
  })
}

describe('an attacker who knows the email address and has many addresses', () => {
  let known: ReadonlyMap<string, string>
  beforeAll(async () => {
    server = await start()
    known = await knownBrowser(OWNER)
    for (let address = 0; address < OF_ACCOUNT / OF_ACCOUNT_AND_ADDRESS; address += 1)
      await guess(new Guesser(), OWNER, OF_ACCOUNT_AND_ADDRESS)
  })
  afterAll(() => server.stop())

  it('gets 429 from any address for an hour', async () => {
    const refusal = await new Guesser().try(OWNER)
    expect(refusal).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^3[0-6]\d\d$/) } })
  })

  it('does not lock out the owner in a browser with an earlier sign-in, wherever the browser is', async () => {
    const owner = new Guesser(host(), known)
    expect(await owner.status(OWNER, 'mistyped')).toBe(400)
    expect(await owner.status(OWNER, PASSWORD)).toBe(303)
    expect((await owner.browser.open('/sign-in')).text).toContain(`As ${OWNER}`)
  })

  it('does not lock out an owner with a new browser, whom the page offers a sign-in link', async () => {
    const fresh = new Guesser()
    const refusal = await fresh.try(OWNER, PASSWORD)
    expect(refusal.status).toBe(429)
    expect(refusal.text).toContain('use a browser in which you have signed in before')
    expect(refusal.text).toContain('ask the operator of this service for a sign-in link')
    await fresh.browser.signIn(server, OWNER)
    expect((await fresh.browser.open('/sign-in')).text).toContain(`As ${OWNER}`)
    // Afterwards the browser is known.
    await fresh.browser.signOut()
    expect(await new Guesser(host(), fresh.browser.cookies).status(OWNER, PASSWORD)).toBe(303)
  })

  it('does not affect other accounts', async () => {
    expect(await new Guesser().status(COLLEAGUE, PASSWORD)).toBe(303)
  })

  it('gains nothing from the cookie of another account or a forged cookie', async () => {
    const [own, real = ''] = [await knownBrowser(COLLEAGUE), known.get('device')]
    expect(real).toMatch(/^device_\w{44}_[0-9a-f]{32}$/)
    const other = real.endsWith('0') ? '1' : '0'
    for (const device of [
      own.get('device') ?? '',
      real.replace('device_', 'device_x'),
      real.slice(0, -1),
      real.slice(0, -1) + other,
      `device_${'a'.repeat(44)}_${'0'.repeat(32)}`,
      'device_',
    ]) {
      expect(await new Guesser(host(), new Map([['device', device]])).status(OWNER, PASSWORD), device).toBe(429)
    }
    expect(await new Guesser(host(), new Map([['device', real]])).status(OWNER, PASSWORD)).toBe(303)
  })

  it('has only the attempts of one browser when using a known browser', async () => {
    const stolen = await knownBrowser(OWNER)
    await guess(new Guesser(host(), stolen), OWNER, OF_DEVICE)
    expect(await new Guesser(host(), stolen).status(OWNER, PASSWORD)).toBe(429)
    expect(await new Guesser(host(), known).status(OWNER, PASSWORD)).toBe(303)
  })
})
