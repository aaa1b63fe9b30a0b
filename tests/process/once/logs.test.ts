import { Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../server/config.ts'
import { maskText } from '../../../server/kernel/masking.ts'
import { makeLog, terminal } from '../../../server/log.ts'
import { Caller } from '../../harness/caller.ts'
import { parseObject, type JsonObject } from '../../harness/json.ts'
import { runService, until, type RunningProcess } from '../../harness/process.ts'
import { sendBytes } from '../../harness/raw_socket.ts'
import { TOKEN } from '../../harness/server.ts'

const lineOf = (service: RunningProcess, requestId: unknown): Promise<JsonObject> =>
  until(() => service.log().find(({ request_id }) => request_id === requestId), service)

describe('the log', () => {
  it('has one line for each failure, with the id of the request, and none for successful requests', async () => {
    const service = await runService()
    const good = await service.owner.call('retrieveMe')
    const failures = [
      await new Caller(service.url, 'itk_stranger_stranger_stranger').call('retrieveMe'),
      await service.owner.call('retrieveBlock', { path: { block_id: '00000000-0000-4000-8000-000000000000' } }),
      await service.owner.send('GET', '/v1/nothing'),
    ]
    for (const { status, body } of failures) {
      expect(await lineOf(service, body['request_id'])).toMatchObject({
        level: 'info',
        status,
        code: body['code'],
        method: 'GET',
        address: '127.0.0.1',
      })
    }
    const ids = failures.map(({ body }) => body['request_id'])
    expect(
      service
        .log()
        .filter(({ request_id }) => request_id !== undefined)
        .map(({ request_id }) => request_id),
    ).toEqual(ids)
    expect(service.output()).not.toContain(String(good.body['request_id']))
    expect(await lineOf(service, ids[2])).toMatchObject({ operation: 'unknown' })
  })

  it('has a line for every request at level debug, with operation and duration', async () => {
    const service = await runService({ LOG_LEVEL: 'debug' })
    const { body } = await service.owner.call('retrieveMe')
    expect(await lineOf(service, body['request_id'])).toMatchObject({
      level: 'debug',
      operation: 'retrieveMe',
      status: 200,
      path: '/v1/users/me',
      duration_ms: expect.any(Number),
    })
  })

  it('has a line for a request that is not HTTP', async () => {
    const service = await runService()
    const { body } = await sendBytes(service.url, 'nonsense\r\n\r\n')
    expect(await lineOf(service, body['request_id'])).toMatchObject({ code: 'invalid_request', status: 400 })
  })

  it('contains no token, secret, cookie or query, whatever callers send', async () => {
    const service = await runService({ LOG_LEVEL: 'trace' })
    const secrets = [
      'itk_0123456789abcdefghijABCDEFGHIJ',
      'cs_0123456789abcdefghijABCDEFGHIJ',
      'ort_0123456789abcdefghijABCDEFGHIJ',
      'code_0123456789abcdefghijABCDEF',
      'c2VjcmV0OnNlY3JldA==',
      'cookie-secret',
      'query-secret',
    ]
    const [token = '', clientSecret = '', refresh = '', code = '', basic = '', cookie = '', query = ''] = secrets
    const stranger = new Caller(service.url, token)
    await stranger.page('/v1/users/me', 'GET', { Cookie: `session=${cookie}` })
    await stranger.page(`/v1/oauth/authorize?client_id=${query}&state=${query}&code=${code}`)
    await stranger.page(`/v1/users/me?token=${clientSecret}`)
    await stranger.page(`/v1/${refresh}`)
    await service.owner.page('/v1/users/me', 'GET', { 'Service-Version': clientSecret })
    await stranger.page('/v1/oauth/token', 'POST', { Authorization: `Basic ${basic}` })
    await service.owner.page(`/v1/users?token=${query}&token=${query}`)
    await service.owner.page(`/v1/pages?password=${query}`, 'POST')
    await sendBytes(service.url, `${token}\r\n\r\n`)
    service.kill()
    await service.ended
    expect(service.log().length).toBeGreaterThan(6)
    const log = service
      .log()
      .map((line) => JSON.stringify(line))
      .join('\n')
    for (const secret of [...secrets, TOKEN]) expect(log).not.toContain(secret)
  })
})

describe('masking in the log', () => {
  it.each([
    ['token itk_0123456789abcdefghij is unknown', 'token itk_[redacted] is unknown'],
    ['Authorization: Bearer abc.def-ghi', 'Authorization: Bearer [redacted]'],
    ['basic dXNlcjpwYXNz tried', 'basic [redacted] tried'],
    ['connect postgres://service:hunter2@db:5432/x failed', 'connect postgres://service:[redacted]@db:5432/x failed'],
    ['redis://:hunter2@cache/0', 'redis://:[redacted]@cache/0'],
    ['https://workspace.example/v1/users/me stays', 'https://workspace.example/v1/users/me stays'],
    ['block itk is a word, code_ok too', 'block itk is a word, code_ok too'],
  ])('replaces secrets, and nothing else, in: %s', (text, expected) => expect(maskText(text)).toBe(expected))

  it('prints level, message and fields on one line, without secrets, on a terminal', () => {
    let text = ''
    const screen = new Writable({ write: (chunk, _encoding, done) => done(void (text += String(chunk))) })
    const log = makeLog(parseConfig({ BOOTSTRAP_TOKEN: 'my_own_choice_of_words' }), terminal(screen))
    log.warn({ worker: 7 }, 'my_own_choice_of_words came')
    expect(stripVTControlCharacters(text)).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] WARN: \[redacted\] came \{"worker":7\}\n$/)
  })

  it('applies to names, errors, and secret texts from the settings', () => {
    const lines: string[] = []
    const log = makeLog(parseConfig({ BOOTSTRAP_TOKEN: 'my_own_choice_of_words', LOG_LEVEL: 'trace' }), {
      write: (line: string) => void lines.push(line),
    })
    log.info(
      {
        token: 'xyz-secret',
        request: { headers: { authorization: 'xyz-secret' } },
        options: { password: 'xyz-secret' },
        a: { b: { c: { d: [{ Client_Secret: 'xyz-secret', query: 'xyz-secret' }] } } },
      },
      'my_own_choice_of_words came',
    )
    log.error({ err: new Error('failed at postgres://a:xyz-secret@b/c') })
    log.error(new Error('pat_0123456789xyz-secret'.replace('-', '')))
    log.warn('Bearer xyz-secret')
    log.warn('redirected to https://a.example/?code=xyz-secret')
    expect(lines).toHaveLength(5)
    expect(lines.join('')).not.toMatch(/xyz-?secret|my_own_choice/)
    for (const line of lines) expect(() => parseObject(line)).not.toThrow()
  })
})
