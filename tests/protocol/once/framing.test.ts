import { describe, expect, it } from 'vitest'
import { children, makePage } from '../../harness/content.ts'
import { expectError } from '../../harness/expectations.ts'
import { exchangeBytes, openBytes, sendBytes } from '../../harness/raw_socket.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

/** The end of a request is never ambiguous: otherwise a second request could hide in its body behind a proxy. */

const server = await serverOfFile()
const page = await makePage(server.owner)

const AUTH = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\nService-Version: 2026-03-11\r\n`
const BODY = '{"children":[{"paragraph":{"rich_text":[]}}]}'
const CHUNK = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`
/** A request whose execution would be noticed. */
const hidden = (): string =>
  `PATCH /v1/blocks/${page}/children HTTP/1.1\r\n${AUTH}Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`
const append = (fields: string, body: string, version = '1.1'): string =>
  `PATCH /v1/blocks/${page}/children HTTP/${version}\r\n${AUTH}Content-Type: application/json\r\n${fields}\r\n${body}`
const statuses = (text: string): string[] => text.match(/HTTP\/1\.1 \d{3}/g) ?? []

describe('400 invalid_request once, then a closed connection without execution of the rest, for', () => {
  it.each([
    ['chunks in HTTP/1.0', 'Transfer-Encoding: chunked\r\n', '1.0'],
    ['chunks in HTTP/1.0, kept alive', 'Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n', '1.0'],
    ['a length beside chunks', `Content-Length: ${CHUNK.length}\r\nTransfer-Encoding: chunked\r\n`, '1.1'],
    ['chunks beside a length', `Transfer-Encoding: chunked\r\nContent-Length: ${CHUNK.length}\r\n`, '1.1'],
    ['a repeated length', `Content-Length: ${CHUNK.length}\r\nContent-Length: ${CHUNK.length}\r\n`, '1.1'],
    ['a list of lengths', `Content-Length: ${CHUNK.length}, ${CHUNK.length}\r\n`, '1.1'],
    ['a length in non-ASCII digits', 'Content-Length: 0x10\r\n', '1.1'],
    ['a negative length', 'Content-Length: -1\r\n', '1.1'],
    ['the identity coding', 'Transfer-Encoding: identity\r\n', '1.1'],
    ['a misspelled coding', 'Transfer-Encoding: xchunked\r\n', '1.1'],
    ['another coding before chunked', 'Transfer-Encoding: gzip, chunked\r\n', '1.1'],
    ['identity before chunked', 'Transfer-Encoding: identity, chunked\r\n', '1.1'],
    ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '1.1'],
    ['a folded coding', 'Transfer-Encoding:\r\n chunked\r\n', '1.1'],
    ['a coding line that ends without a carriage return', 'Transfer-Encoding: chunked\n', '1.1'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n', '1.1'],
    ['a vertical tab', 'Transfer-Encoding: \x0bchunked\r\n', '1.1'],
    ['a long line', `X-Filler: ${'x'.repeat(20_000)}\r\n`, '1.1'],
  ])('%s', async (_name, fields, version) => {
    const before = (await children(server.owner, page)).length
    const text = await exchangeBytes(server.url, append(fields, CHUNK + hidden(), version))
    expect([statuses(text), /^connection: close$/im.test(text)]).toEqual([['HTTP/1.1 400'], true])
    expect(text).toContain('"code":"invalid_request"')
    expect((await children(server.owner, page)).length).toBe(before)
  })

  it('such a request to a page for people', async () => {
    for (const target of ['/sign-in', '/healthz', '/docs/'])
      expectError(
        await sendBytes(server.url, `POST ${target} HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
        400,
        'invalid_request',
      )
  })

  it.each([
    ['a chunk without a size', 'x\r\n'],
    ['a chunk that ends without a carriage return', '1\n{\r\n0\r\n\r\n'],
    ['a chunk longer than announced', '1\r\n{}\r\n0\r\n\r\n'],
    ['a size beyond the range of numbers', `${'f'.repeat(17)}\r\n{`],
    ['an endless chunk extension', `1;${'x'.repeat(40_000)}`],
  ])('%s within a body', async (_name, body) => {
    const text = await exchangeBytes(server.url, append('Transfer-Encoding: chunked\r\n', body))
    expect(statuses(text)).toEqual(['HTTP/1.1 400'])
    expect(text).toContain('"code":"invalid_request"')
  })
})

it('200 for a body chunk with an extension, which is ignored', async () => {
  const body = CHUNK.replace('\r\n', ';name=value\r\n')
  expect(statuses(await exchangeBytes(server.url, append('Connection: close\r\nTransfer-Encoding: chunked\r\n', body)))).toEqual([
    'HTTP/1.1 200',
  ])
})

describe('pipelined requests get one response each, in order:', () => {
  const GET = `GET /v1/users/me HTTP/1.1\r\n${AUTH}\r\n`

  it('200 before bytes that are not HTTP, after which the connection closes', async () => {
    expect(statuses(await exchangeBytes(server.url, `${GET}${GET}no HTTP\r\n\r\n`))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200'])
  })

  it('200 before a request with a malformed body, which gets 400', async () => {
    const broken = append('Transfer-Encoding: chunked\r\n', 'x\r\n')
    expect(statuses(await exchangeBytes(server.url, GET + broken))).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
  })

  it('401 for a request whose body is malformed, without a second response', async () => {
    const head = 'POST /v1/pages HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n'
    const { socket, ended } = openBytes(server.url, head)
    socket.once('data', () => socket.write('no chunk\r\n'))
    expect(statuses(await ended)).toEqual(['HTTP/1.1 401'])
  })
})
