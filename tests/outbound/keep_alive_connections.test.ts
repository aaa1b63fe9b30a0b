import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { createServer, type Server, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { WebhookReceivers } from '../../server/outbound/webhook_receivers.ts'
import { scratchFolder } from '../harness/databases.ts'
import { makeCertificate } from '../protocol/once/certificate.ts'

/** Where responses end, and whether another webhook follows on the connection, tested with a receiver that writes exact bytes. */

let server: Server
let certificates: readonly string[]
let receivers: WebhookReceivers
/** How many connections have been opened. */
let opened = 0
/** Chunks to write for each request. */
let pieces: readonly string[] = []
/** Bytes to write for later requests on a connection, which then ends; undefined for the same response. */
let finalBytes: string | undefined
const requests: string[] = []

beforeAll(async () => {
  const { cert, keyFile } = makeCertificate(scratchFolder('webhooks-'), 'receiver')
  server = createServer({ cert, key: readFileSync(keyFile) }, response)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  certificates = [cert.toString()]
})
beforeEach(() => void (receivers = new WebhookReceivers({ allowedHosts: ['localhost'], brands: ['Service'], certificates })))
afterEach(() => receivers.close())
afterAll(() => void server.close())

function response(socket: TLSSocket): void {
  opened += 1
  let text = ''
  let isUsed = false
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    if (!text.endsWith('{"for":"them"}')) return
    requests.push(text)
    text = ''
    if (isUsed && finalBytes !== undefined) return void socket.end(finalBytes)
    isUsed = true
    for (const piece of pieces) socket.write(piece)
  })
}

const send = async (): ReturnType<WebhookReceivers['send']> => {
  const url = `https://localhost:${(server.address() as AddressInfo).port}/in?a=%20b`
  const reply = await receivers.send({ url, body: '{"for":"them"}', signature: 'sha256=00' }, new AbortController().signal)
  // A connection becomes free shortly after its response.
  await setImmediate()
  return reply
}

/** @returns the response to the first of two webhooks, and the number of connections for both */
async function sendTwo(...written: readonly string[]): Promise<{ reply: Awaited<ReturnType<typeof send>>; connections: number }> {
  const before = opened
  pieces = written
  const reply = await send()
  await send()
  return { reply, connections: opened - before }
}

it('a webhook request states its host and its length', async () => {
  pieces = ['HTTP/1.1 204 No Content\r\n\r\n']
  await send()
  const port = (server.address() as AddressInfo).port
  const [head = '', body] = requests.at(-1)?.split('\r\n\r\n') ?? []
  const [first, ...headers] = head.split('\r\n')
  expect([first, body]).toEqual(['POST /in?a=%20b HTTP/1.1', '{"for":"them"}'])
  expect(headers.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).toSorted()).toEqual([
    'connection: keep-alive',
    'content-length: 14',
    'content-type: application/json',
    `host: localhost:${port}`,
    'user-agent: workspace-service',
    'x-service-signature: sha256=00',
  ])
})

describe('a receiver that closes a connection', () => {
  beforeAll(() => void (pieces = ['HTTP/1.1 204 No Content\r\n\r\n']))
  afterEach(() => void (finalBytes = undefined))

  it('before responding gets the same webhook again on a new connection', async () => {
    await send()
    finalBytes = ''
    const before = opened
    const known = requests.length
    expect(await send()).toEqual({ statusCode: 204, error: null })
    expect(requests).toHaveLength(known + 2)
    expect(opened).toBe(before + 1)
  })
})

describe('the connection to a webhook receiver is reused after', () => {
  it.each<[string, ...string[]]>([
    ['a response without a body', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['a response with a reason of several words, or none', 'HTTP/1.1 202 \r\nContent-Length: 0\r\n\r\n'],
    ['a response in pieces', 'HT', 'TP/1.1 200 OK\r', '\ncontent-LENGTH:  4 \r\n', '\r', '\nab', 'c', 'd'],
    [
      'a response in chunks',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n3;last=no\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\n',
    ],
    [
      'a response in chunks sent in pieces',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n',
      '3\r',
      '\nab',
      'c\r',
      '\n0\r\n',
      '\r\n',
    ],
    [
      'a response after an informational response',
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
    ],
  ])('%s', async (_name, ...written) => {
    const { reply, connections } = await sendTwo(...written)
    expect(reply.error).toBeNull()
    expect(connections).toBe(1)
  })
})

describe('a new connection to a webhook receiver is opened after', () => {
  it.each<[string, ...string[]]>([
    ['a response with Connection: close', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['a response of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['a response with excess bytes', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nabHTTP/1.1 500 Oh\r\n\r\n'],
    ['a response with a body that its status forbids', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nab'],
    ['a response with an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n', 'x'.repeat(70_000)],
    ['a response with a malformed chunk length', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n+3\r\nabc\r\n0\r\n\r\n'],
    [
      'a response with chunks longer than announced',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
    ],
    ['a response with a long body', 'HTTP/1.1 200 OK\r\nContent-Length: 70000\r\n\r\n', 'x'.repeat(70_000)],
  ])('%s', async (_name, ...written) => {
    const { reply, connections } = await sendTwo(...written)
    expect(reply.error).toBeNull()
    expect(connections).toBe(2)
  })
})

it.each([
  ['another protocol', 'SSH-2.0-Server\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  ['a line that is not a header', 'HTTP/1.1 200 OK\r\nfine\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n'],
  ['a malformed length', 'HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\n'],
  ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n'],
  ['endless headers', `HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(20_000)}`],
])('a webhook response is invalid with %s', async (_name, written) => {
  pieces = [written]
  expect(await send()).toEqual({ statusCode: null, error: 'The response of the receiver was not HTTP.' })
})

it('a protocol upgrade does not acknowledge a webhook', async () => {
  pieces = ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\n\r\n']
  expect((await send()).statusCode).toBeNull()
})
