import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makePage, paragraph, snapshot } from '../../harness/content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { exchangeBytes, sendBytes } from '../../harness/raw_socket.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

/** Invalid bytes, URLs and headers. None may cause a crash, a hang or a 500. */

const server = await serverOfFile()
const page = await makePage(server.owner)

const JSON_TYPE = { 'Content-Type': 'application/json' }
const appendRaw = (
  body: string | Buffer,
  headers: Record<string, string | undefined> = JSON_TYPE,
): ReturnType<typeof server.owner.send> => server.owner.send('PATCH', `/v1/blocks/${page}/children`, { headers, body })

describe('the URL of a request', () => {
  it.each([
    '/v1/blocks/../users/me',
    '/v1/../v1/users/me',
    '/v1/users/%2e%2e/me',
    '/v1/users/%2E%2e',
    '/v1/blocks/..',
    '/v1/blocks/a..b',
    '/v1/./users/me',
    '/v1/blocks/%2f',
    '/v1/blocks/a%2Fb',
    '/v1/blocks/a%5Cb',
    '/v1/blocks/%00',
    '/v1//users/me',
    '//v1/users/me',
    '/v1/users/me//',
    '/v1/blocks/',
    '/v1/blocks/%',
    '/v1/blocks/%zz',
    '/v1/blocks/%c3%28',
    '/v1/blocks/%ff',
    '/V1/users/me',
    '/v1/Users/me',
    '/v1/users/me/x',
    '/v1',
    '/v1/',
  ])('400 invalid_request_url for %s', async (target) => {
    expectError(await server.owner.send('GET', target), 400, 'invalid_request_url')
  })

  it('200 for one trailing slash, which is ignored, and for an encoded letter, which is decoded', async () => {
    for (const target of ['/v1/users/me/', '/v1/users/%6de', '/v1/users/me/?', '/v1/users/me?', '/v1/users/me?&'])
      expect((await server.owner.send('GET', target)).status, target).toBe(200)
  })

  it('400 invalid_request_url for more than 8 KiB', async () => {
    const target = (length: number): string => `/v1/users?start_cursor=${'x'.repeat(length - '/v1/users?start_cursor='.length)}`
    expectError(await server.owner.send('GET', target(8193)), 400, 'invalid_request_url')
    expectInvalid(await server.owner.send('GET', target(8192)), 'query.start_cursor.length')
  })

  it('400 validation_error for a repeated parameter that is not a list', async () => {
    for (const query of ['page_size=1&page_size=2', 'page_size=1&page_size=1', 'page_size=1&page%5Fsize=2'])
      expectInvalid(await server.owner.send('GET', `/v1/users?${query}`), 'query.page_size')
  })

  it('400 validation_error when the query is not UTF-8', async () => {
    for (const query of ['%', '%zz', 'page_size=%ff', '%ff=1'])
      expectInvalid(await server.owner.send('GET', `/v1/users?${query}`), 'query')
  })

  it('200 with literal segments matched before parameters', async () => {
    expect((await server.owner.send('GET', '/v1/users/me')).body['type']).toBe('bot')
    const notes = await server.owner.send('POST', '/v1/blocks/meeting_notes', { headers: JSON_TYPE, body: '{}' })
    expectInvalid(notes, 'body.source')
  })
})

describe('a HEAD request', () => {
  it('200 with the headers of GET and no body', async () => {
    const head = await server.owner.send('HEAD', '/v1/users/me')
    const get = await server.owner.send('GET', '/v1/users/me')
    expect([head.status, head.text]).toStrictEqual([200, ''])
    expect(head.headers['content-length']).toBe(get.headers['content-length'])
    expect((await server.owner.send('HEAD', '/v1/blocks/x')).status).toBe(400)
    expect((await server.owner.send('HEAD', '/v1/pages')).status).toBe(400)
  })
})

describe('the body of a request', () => {
  it.each([
    ['an empty text', ''],
    ['truncated JSON', '{"children":['],
    ['a form instead of JSON', 'children=1'],
    ['a bare word', 'undefined'],
    ['NaN', '{"a":NaN}'],
    ['a comment', '{/**/}'],
    ['single quotes', "{'children':[]}"],
    ['two values', '{} {}'],
    ['a control character', '{"a":"\u0001"}'],
  ])('400 invalid_json for %s', async (_name, body) => {
    expectError(
      await appendRaw(body, { ...JSON_TYPE, ...(body === '' ? { 'Transfer-Encoding': 'chunked' } : {}) }),
      400,
      'invalid_json',
    )
  })

  it('400 invalid_json when the body is not UTF-8, without repeating the body', async () => {
    expectError(await appendRaw(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d])), 400, 'invalid_json')
    const secret = await appendRaw('{"token":"ntn_secret"')
    expect(secret.text).not.toContain('ntn_secret')
  })

  it.each([
    ['none', undefined],
    ['a form', 'application/x-www-form-urlencoded'],
    ['plain text', 'text/plain'],
    ['another charset', 'application/json; charset=latin1'],
    ['a misspelled type', 'application/jsonp'],
    ['a type with the suffix +json', 'application/vnd.api+json'],
    ['a malformed type', ';;;'],
    ['a multipart form', 'multipart/form-data; boundary=x'],
  ])('400 invalid_json for the content type %s', async (_name, type) => {
    expectError(await appendRaw('{"children":[]}', { 'Content-Type': type }), 400, 'invalid_json')
  })

  it('200 for a UTF-8 charset, and for a type in upper or lower case', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json; x=y']) {
      expect((await appendRaw('{"children":[]}', { 'Content-Type': type })).status, type).toBe(200)
    }
  })

  it.each([
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"x"'],
    ['a number', '1'],
    ['true', 'true'],
  ])('400 validation_error at body for %s', async (_name, body) => {
    expectInvalid(await appendRaw(body), 'body')
  })

  it('200 for an absent body as for {}, even with Content-Length 0', async () => {
    expectInvalid(await server.owner.send('PATCH', `/v1/blocks/${page}/children`), 'body.children')
    expect((await server.owner.send('PATCH', `/v1/blocks/${page}`, { headers: { 'Content-Length': '0' } })).status).toBe(200)
  })

  it('200 for GET with a body, which is ignored', async () => {
    expect((await server.owner.send('GET', '/v1/users/me', { headers: JSON_TYPE, body: '{"broken' })).status).toBe(200)
    expect((await server.owner.send('GET', '/v1/users/me', { body: 'x'.repeat(600_000) })).status).toBe(200)
  })

  it('200 for exactly 512,000 bytes, and 400 validation_error for one more, however they are sent', async () => {
    const sized = (bytes: number): string => `{"children":[]${' '.repeat(bytes - 15)}}`
    expect((await appendRaw(sized(512_000))).status).toBe(200)
    const over = await appendRaw(sized(512_001))
    expectInvalid(over, 'body')
    expect(over.body['message']).toContain('512000')
    expect(over.body['message']).toContain('512001')
    expectInvalid(await appendRaw(sized(512_001), { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }), 'body')
    expectInvalid(await appendRaw(sized(3_000_000)), 'body')
  })

  it('400 for more than 512,000 bytes after decompression', async () => {
    const packed = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
    expect((await appendRaw(gzipSync('{"children":[]}'), packed)).status).toBe(200)
    expectInvalid(await appendRaw(gzipSync(`{"children":[]${' '.repeat(50_000_000)}}`), packed), 'body')
    expectError(await appendRaw('no gzip at all', packed), 400, 'invalid_json')
    expectError(await appendRaw('{}', { ...JSON_TYPE, 'Content-Encoding': 'rot13' }), 400, 'invalid_json')
  })

  it('400 validation_error at body for more than 64 levels, quickly at any depth', async () => {
    const nested = (levels: number): string => `{"children":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expectInvalid(await appendRaw(nested(64)), 'body')
    expect((await appendRaw(nested(64))).body['message']).toContain('64')
    expectInvalid(await appendRaw(nested(250_000)), 'body')
    expectInvalid(await appendRaw(`{"a":`.repeat(80_000) + '1' + '}'.repeat(80_000)), 'body')
    const response = await appendRaw(nested(20))
    expect(response.body['message']).not.toContain('64')
  })

  it('200 with the last of two equal keys', async () => {
    expectInvalid(await appendRaw('{"children":[],"children":1}'), 'body.children')
    expect((await appendRaw('{"children":1,"children":[]}')).status).toBe(200)
  })

  it('200 for numbers in any spelling of a valid value', async () => {
    expectInvalid(
      await appendRaw('{"children":[{"table":{"table_width":1e400,"children":[{"table_row":{"cells":[[]]}}]}}]}'),
      'body.children[0].table.table_width',
    )
    expect(
      (await appendRaw('{"children":[{"table":{"table_width":1.0e0,"children":[{"table_row":{"cells":[[]]}}]}}]}')).status,
    ).toBe(200)
  })
})

describe('keys named like prototype members', () => {
  it('__proto__ and constructor have no effect', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', 'toString']) {
      expectInvalid(await appendRaw(`{"children":[],"${key}":{"polluted":true}}`), `body.${key}`)
      expectInvalid(await server.owner.send('GET', `/v1/users?${key}=1`), `query.${key}`)
      expectInvalid(await server.owner.send('GET', `/v1/blocks/${key}`), 'path.block_id')
      expectError(await server.owner.send('GET', `/v1/${key}`), 400, 'invalid_request_url')
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

describe('malformed HTTP', () => {
  const head = `GET /v1/users/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nService-Version: 2026-03-11\r\nConnection: close\r\n`

  it.each([
    ['bytes that are not HTTP', 'hello\r\n\r\n'],
    ['an unknown method', 'FETCH / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: x\r\n\r\n'],
    ['a header without name', 'GET / HTTP/1.1\r\n: x\r\n\r\n'],
    ['a space in a header name', 'GET / HTTP/1.1\r\nHo st: x\r\n\r\n'],
    ['two lengths', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
    ['length and chunks', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}'],
    ['chunks and length', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n{}'],
    ['a misspelled chunked', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    [
      'chunked before another coding',
      'POST /v1/pages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    ['a space before the colon', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['lines that end without a carriage return', 'GET /v1/users/me HTTP/1.1\nHost: x\n\n'],
    ['a folded header', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n'],
    ['a bare carriage return in a header', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: b\rContent-Length: 2\r\n\r\n'],
    ['a zero byte in a header', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nX-A: b\0c\r\n\r\n'],
    ['a length with a sign', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: +2\r\n\r\n{}'],
    ['two hosts', 'GET /v1/users/me HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['a malformed length', 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nContent-Length: two\r\n\r\n{}'],
    ['TLS', Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03])],
  ])('400 invalid_request for %s', async (_name, bytes) => {
    expectError(await sendBytes(server.url, bytes), 400, 'invalid_request')
  })

  it('400 invalid_request for headers over 16 KiB', async () => {
    expectError(await sendBytes(server.url, `${head}X-Filler: ${'x'.repeat(17_000)}\r\n\r\n`), 400, 'invalid_request', '16 KiB')
    expect((await sendBytes(server.url, `${head}X-Filler: ${'x'.repeat(12_000)}\r\n\r\n`)).status).toBe(200)
  })

  it('200 with an unknown Expect or an upgrade, and 200 or 400 without a Host', async () => {
    expect([200, 400]).toContain((await sendBytes(server.url, head.replace('Host: x\r\n', '') + '\r\n')).status)
    expect((await sendBytes(server.url, `${head}Expect: miracles\r\n\r\n`)).status).toBe(200)
    expect(
      (
        await sendBytes(
          server.url,
          head.replace('Connection: close', 'Connection: Upgrade, close\r\nUpgrade: websocket') + '\r\n',
        )
      ).status,
    ).toBe(200)
  })

  it('400 invalid_request_url for a target that is not a path', async () => {
    for (const target of ['*', 'http://other.example/v1/users/me', 'http://[/v1/users/me', 'other://x', '//v1/users/me']) {
      const text = await exchangeBytes(server.url, head.replace('/v1/users/me', target) + '\r\n')
      expect(text, target).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\nX-Service-Request-Id: [\s\S]*"code":"invalid_request_url"/)
    }
    expect(await exchangeBytes(server.url, head.replace('/v1/users/me', 'x') + '\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('no response and no change when the caller disconnects within the body', async () => {
    const before = await snapshot(server.owner, page)
    const begun = `PATCH /v1/blocks/${page}/children HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\nService-Version: 2026-03-11\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"children":[`
    const { connect } = await import('node:net')
    await new Promise<void>((resolve) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () =>
        socket.write(begun, () => setTimeout(() => socket.destroy(), 30)),
      )
      socket.on('close', () => resolve())
    })
    expect(await snapshot(server.owner, page)).toBe(before)
  })

  it('200 for the next request on a connection after two refused bodies', async () => {
    const one = (size: number): string =>
      `PATCH /v1/blocks/${page}/children HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer nobody\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`
    const text = await exchangeBytes(server.url, `${one(10)}${one(600_000)}${head}\r\n`)
    expect(text.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(['HTTP/1.1 401', 'HTTP/1.1 401', 'HTTP/1.1 200'])
  })
})

describe('every response of the service', () => {
  it('has a fresh request id, whatever the caller sends', async () => {
    const ids = new Set<unknown>()
    for (let count = 0; count < 5; count += 1) {
      const { headers } = await server.owner.call('retrieveMe', { headers: { 'X-Service-Request-Id': exampleWorkspace.bot.id } })
      ids.add(headers['x-service-request-id'])
    }
    expect(ids.size).toBe(5)
    expect(ids.has(exampleWorkspace.bot.id)).toBe(false)
  })

  it('reveals nothing about the server software, and allows no cross-origin access', async () => {
    const { headers } = await server.owner.call('retrieveMe', { headers: { Origin: 'https://planner.example' } })
    for (const name of ['x-powered-by', 'server', 'etag', 'access-control-allow-origin']) expect(headers).not.toHaveProperty(name)
  })
})

describe('pages of the service', () => {
  it.each([
    ['/healthz', 200, 'application/json'],
    ['/readyz', 200, 'application/json'],
    ['/openapi.yaml', 200, 'yaml'],
    ['/openapi.json', 200, 'json'],
    ['/', 302, ''],
    ['/docs', 301, ''],
  ])('at %s return %i', async (target, status, type) => {
    const response = await server.owner.page(target)
    expect([response.status, String(response.headers['content-type'] ?? '').includes(type)]).toStrictEqual([status, true])
    expect(response.headers).toHaveProperty('x-service-request-id')
  })

  it('at /docs/ are HTML', async () => {
    expect(String((await server.owner.page('/docs/')).headers['content-type'])).toContain('html')
  })

  it('include no file outside their folder', async () => {
    for (const target of [
      '/docs/../package.json',
      '/docs/..%2fpackage.json',
      '/docs/%2e%2e/package.json',
      '/docs/%zz',
      '/docs/%00',
      '/docs/.git/config',
    ]) {
      const response = await server.owner.page(target)
      expect(response.status, target).toBeGreaterThanOrEqual(400)
      expect(response.status, target).toBeLessThan(500)
      expect(response.text).not.toContain('devDependencies')
    }
  })

  it('do not disturb later requests to the API', async () => {
    expect(
      (
        await server.owner.call('appendBlockChildren', {
          path: { block_id: page },
          body: { children: [paragraph('still here')] },
        })
      ).status,
    ).toBe(200)
  })
})
