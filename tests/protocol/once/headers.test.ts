import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { expectError } from '../../harness/expectations.ts'
import { at, idOf } from '../../harness/json.ts'
import { basic, makeClient } from '../../harness/oauth.ts'
import { startTestServer, type TestServer } from '../../harness/server.ts'

/** Service-Version, and a deployment's own brand in the protocol's headers. */

let server: TestServer
let branded: TestServer
beforeAll(async () => {
  server = await startTestServer()
  branded = await startTestServer({ HEADER_BRAND: 'Acme' })
})
afterAll(async () => {
  await server.stop()
  await branded.stop()
})

const me = (headers: Record<string, string | string[] | undefined>, where = server): ReturnType<typeof where.owner.call> =>
  where.owner.call('retrieveMe', { headers })

describe('Service-Version', () => {
  it('200 with the version used', async () => {
    for (const value of ['2026-03-11', ' 2026-03-11 ', ['2026-03-11', '2026-03-11'], '2026-03-11, 2026-03-11']) {
      const response = await me({ 'Service-Version': value })
      expect([response.status, response.headers['service-version']]).toStrictEqual([200, '2026-03-11'])
    }
  })

  it.each([
    undefined,
    '',
    '   ',
    'latest',
    'v1',
    '2026-3-11',
    '"2026-03-11"',
    '2021-05-12',
    '2099-01-01',
    '2026-03-11T00:00:00Z',
    'x'.repeat(5000),
  ])('400 missing_version for %j', async (value) => {
    const response = await me({ 'Service-Version': value })
    expectError(response, 400, 'missing_version', 'Service-Version header')
    expect(response.headers['service-version']).toBeUndefined()
    expect(String(response.body['message']).length).toBeLessThan(1000)
  })

  it('400 missing_version for two different values, shown joined', async () => {
    expectError(await me({ 'Service-Version': ['2026-03-11', '2099-01-01'] }), 400, 'missing_version', '2026-03-11, 2099-01-01')
  })
})

describe('HEADER_BRAND', () => {
  it('200 for both spellings of a header, and with both in the response', async () => {
    for (const headers of [
      { 'Acme-Version': newestRelease, 'Service-Version': undefined },
      { 'Service-Version': newestRelease },
      { 'Acme-Version': newestRelease },
    ]) {
      const response = await me({ ...headers, 'Acme-Beta': 'strict-ids-2026-06-15' }, branded)
      expect(response.status).toBe(200)
      for (const brand of ['acme', 'service']) {
        expect(response.headers[`${brand}-version`]).toBe(newestRelease)
        expect(response.headers[`${brand}-beta`]).toBe('strict-ids-2026-06-15')
        expect(response.headers[`x-${brand}-request-id`]).toBe(response.body['request_id'])
      }
    }
  })

  it('400 when both spellings are sent with different values', async () => {
    expectError(await me({ 'Service-Version': '2026-03-11', 'Acme-Version': '2099-01-01' }, branded), 400, 'missing_version')
    expectError(
      await me({ 'Service-Beta': 'strict-ids-2026-06-15', 'Acme-Beta': 'strict-ids-2026-06-15' }, branded),
      400,
      'invalid_beta',
    )
  })

  const betaOf = { 'Service-Version': '2022-06-28', 'Service-Beta': 'explicit-position-2026-05-20' }
  it.each<[code: string, what: string, headers: Record<string, string | undefined>]>([
    ['missing_version', 'no version', { 'Service-Version': undefined }],
    ['missing_version', 'a version that never existed', { 'Service-Version': '2099-01-01' }],
    ['missing_version', 'two versions', { 'Service-Version': '2026-03-11', 'Acme-Version': '2025-09-03' }],
    ['invalid_beta', 'a beta of a newer version', betaOf],
    ['invalid_beta', 'a malformed beta', { 'Service-Beta': 'strict' }],
  ])("400 %s for %s, naming headers by the deployment's brand", async (code, _what, headers) => {
    const [plain, other] = [await me({ ...headers, 'Acme-Version': undefined }), await me(headers, branded)]
    expectError(other, 400, code)
    expect(other.body['message']).not.toContain('Service-')
    if (headers['Acme-Version'] === undefined)
      expect(other.body['message']).toBe(String(plain.body['message']).replaceAll('Service-', 'Acme-'))
  })

  it('400 missing_version for an OAuth client, naming the branded header', async () => {
    const { clientId, clientSecret } = await makeClient(branded)
    const response = await branded.caller(undefined).send('POST', '/v1/oauth/token', {
      headers: { Authorization: basic(clientId, clientSecret), 'Acme-Version': 'x', 'Content-Type': 'application/json' },
    })
    expect(response.text).toContain('Acme-Version')
    expect(response.text).not.toContain('Service-')
  })

  it('400 when only the version header of another brand is sent', async () => {
    expectError(await me({ 'Service-Version': undefined, 'Acme-Version': '2026-03-11' }), 400, 'missing_version')
    expect((await me({}, branded)).headers).not.toHaveProperty('other-version')
  })
})

describe("icons on the brand's host", () => {
  it('200 with native icons on pages, blocks and databases, and external ones elsewhere', async () => {
    const icon = { type: 'external', external: { url: 'https://www.acme.so/icons/user_blue.svg' } }
    const native = { type: 'icon', icon: { name: 'user', color: 'blue' } }
    for (const [where, read] of [
      [branded, native],
      [server, icon],
    ] as const) {
      const { body } = await where.owner.call('createPage', {
        body: { parent: { page_id: exampleWorkspace.pages.handbook }, icon },
      })
      expect(body['icon']).toStrictEqual(read)
      const children = [{ callout: { rich_text: [], icon } }]
      const path = { block_id: idOf(body) }
      const appended = await where.owner.call('appendBlockChildren', { path, body: { children } })
      expect(at(appended.body, 'results', 0, 'callout', 'icon')).toStrictEqual(read)
      const made = await where.owner.call('createDatabase', { body: { parent: { page_id: idOf(body) }, icon } })
      expect(made.body['icon']).toStrictEqual(read)
    }
  })
})
