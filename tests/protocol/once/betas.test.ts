import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { parseBetas } from '../../../server/http/parse_betas.ts'
import { newestRelease } from '../../../server/versions/index.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, paragraph } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at } from '../../harness/json.ts'
import { serverOfFile, startTestServer, TOKEN } from '../../harness/server.ts'

/** Flags that make the contract stricter for one request. */

const STRICT = 'strict-ids-2026-06-15'
const POSITION = 'explicit-position-2026-05-20'

const server = await serverOfFile()

const me = (flags: string | string[]): Promise<TestResponse> =>
  server.owner.call('retrieveMe', { headers: { 'Service-Beta': flags } })

describe('Service-Beta', () => {
  it.each<[string, string, string | undefined]>([
    ['strict-ids', 'malformed', undefined],
    ['Strict-Ids-2026-06-15', 'malformed', undefined],
    ['strict-ids-2026-13-01', 'malformed', undefined],
    ['strict-ids-2026-02-30', 'malformed', undefined],
    ['', 'malformed', undefined],
    ['   ', 'malformed', undefined],
    [`${STRICT},,${POSITION}`, 'malformed', undefined],
    [`${STRICT},`, 'malformed', undefined],
    ['strict_ids-2026-06-15', 'malformed', undefined],
    ['1strict-2026-06-15', 'malformed', undefined],
    ['a-2026-06-15', 'malformed', undefined],
    [`${'a'.repeat(61)}-2026-06-15`, 'malformed', undefined],
    [`${STRICT} ${POSITION}`, 'malformed', undefined],
    [`"${STRICT}"`, 'malformed', undefined],
    [Array.from({ length: 11 }, (_none, index) => `beta${index}-2026-06-15`).join(), 'malformed', undefined],
    [Array.from({ length: 10 }, (_none, index) => `beta${index}-2026-06-15`).join(), 'unknown', undefined],
    [`${STRICT},${' '.repeat(500)}${POSITION}`, 'malformed', undefined],
    [`${'a'.repeat(502)}-2026-06-15`, 'malformed', undefined],
    [`${STRICT}, ${STRICT}`, 'duplicate', STRICT],
    [`${STRICT},strict-ids-2026-04-20`, 'duplicate', STRICT],
    ['time-travel-2026-06-15', 'unknown', undefined],
    ['nope-2026-01-01, strict-ids', 'unknown', undefined],
    ['strict-ids-2026-04-20', 'unsupported_revision', STRICT],
    ['strict-ids-2027-01-01', 'unsupported_revision', STRICT],
  ])('400 invalid_beta for %j: %s', async (flags, kind, current) => {
    const response = await me(flags)
    expectError(response, 400, 'invalid_beta', current)
    const data = response.body['additional_data']
    expect(data).toMatchObject({
      beta_error: kind,
      supported_flags: [POSITION, STRICT],
      ...(current === undefined ? {} : { current_flag: current }),
    })
    if (current === undefined) expect(data).not.toHaveProperty('current_flag')
    expect(response.headers['service-beta']).toBeUndefined()
  })

  it('is refused as malformed, in linear time, when it exceeds the maximum length', () => {
    const { replace } = String.prototype
    let longest = 0
    String.prototype.replace = function (this: string, ...by: Parameters<typeof replace>): string {
      longest = Math.max(longest, this.length)
      return replace.apply(this, by)
    } as typeof replace
    try {
      expect(() => parseBetas(`a${' '.repeat(15_000)}b`, newestRelease, 0, 'Service-Version')).toThrow('is malformed')
    } finally {
      String.prototype.replace = replace
    }
    expect(longest).toBeLessThanOrEqual(512)
  })

  it('400 invalid_beta for a beta that requires a newer version, naming that version', async () => {
    const request = (version: string): Promise<TestResponse> =>
      server.caller(TOKEN, version).call('retrieveMe', { headers: { 'Service-Beta': `${STRICT}, ${POSITION}` } })
    const response = await request('2025-09-03')
    expectError(response, 400, 'invalid_beta', POSITION)
    expect(response.body['additional_data']).toEqual({
      beta_error: 'version_too_old',
      flag: POSITION,
      current_flag: POSITION,
      supported_flags: [POSITION, STRICT],
      minimum_api_version: '2026-03-11',
    })
    expect((await request('2026-03-11')).status).toBe(200)
    const strict = { headers: { 'Service-Beta': STRICT } }
    expect((await server.caller(TOKEN, '2022-06-28').call('retrieveMe', strict)).status).toBe(200)
    expectError(await server.caller(TOKEN, '2022-02-22').call('retrieveMe', strict), 400, 'invalid_beta', '2022-06-28')
  })

  it('400 quoting at most 100 characters of the value', async () => {
    for (const flags of [`${'a'.repeat(300)}-2026-06-15`, 'x,'.repeat(250)]) {
      const { body } = await me(flags)
      expect(String(at(body, 'additional_data', 'flag')).length).toBeLessThanOrEqual(100)
      expect(String(body['message']).length).toBeLessThan(300)
    }
  })

  it('200 with active flags in the order of the request, even from several headers', async () => {
    for (const flags of [`${POSITION},${STRICT}`, ` ${POSITION} ,\t${STRICT} `, [POSITION, STRICT]]) {
      const response = await me(flags)
      expect([response.status, response.headers['service-beta']]).toStrictEqual([200, `${POSITION}, ${STRICT}`])
    }
    expect((await me(`${STRICT}, ${POSITION}`)).headers['service-beta']).toBe(`${STRICT}, ${POSITION}`)
    expect((await server.owner.call('retrieveMe')).headers['service-beta']).toBeUndefined()
  })

  it('200 for a retired flag, which is ignored until its grace period ends and is then unknown', async () => {
    const later = await startTestServer()
    const request = (): Promise<TestResponse> =>
      later.owner.call('retrieveMe', { headers: { 'Service-Beta': 'markdown-pages-2026-02-26' } })
    const response = await request()
    expect([response.status, response.headers['service-beta'], response.headers['sunset']]).toStrictEqual([
      200,
      undefined,
      'Fri, 26 Feb 2027 00:00:00 GMT',
    ])
    later.clock.advance(Date.parse('2027-02-26T00:00:00Z') - later.clock.now())
    expectError(await request(), 400, 'invalid_beta')
    await later.stop()
  })

  it('400 with strict-ids for any other spelling of an id in path, query and body', async () => {
    const page = await makePage(server.owner)
    const headers = { 'Service-Beta': STRICT }
    for (const id of [page.replaceAll('-', ''), page.toUpperCase()]) {
      expectInvalid(await server.owner.call('retrievePage', { path: { page_id: id }, headers }), 'path.page_id')
      expect((await server.owner.call('retrievePage', { path: { page_id: id } })).status).toBe(200)
      const child = { paragraph: { rich_text: [{ mention: { page: { id } } }] } }
      expectInvalid(
        await server.owner.call('appendBlockChildren', { path: { block_id: page }, body: { children: [child] }, headers }),
        'body.children[0].paragraph.rich_text[0].mention.page.id',
      )
      expectInvalid(await server.owner.call('createPage', { body: { parent: { page_id: id } }, headers }), 'body.parent.page_id')
    }
    expect((await server.owner.call('retrievePage', { path: { page_id: page }, headers })).status).toBe(200)
    expect((await server.owner.call('retrieveUser', { path: { user_id: exampleWorkspace.people[0].id }, headers })).status).toBe(
      200,
    )
  })

  it('400 with explicit-position for an append without a position, and no other effect', async () => {
    const page = await makePage(server.owner)
    const headers = { 'Service-Beta': POSITION }
    const body = { children: [paragraph('x')] }
    expectInvalid(await server.owner.call('appendBlockChildren', { path: { block_id: page }, body, headers }), 'body.position')
    expect(
      (
        await server.owner.call('appendBlockChildren', {
          path: { block_id: page },
          body: { ...body, position: { type: 'end' } },
          headers,
        })
      ).status,
    ).toBe(200)
    expect((await server.owner.call('appendBlockChildren', { path: { block_id: page }, body })).status).toBe(200)
    expect((await server.owner.call('createPage', { body: {}, headers })).status).toBe(200)
  })
})
