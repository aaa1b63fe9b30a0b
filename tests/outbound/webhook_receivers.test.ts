import { createSocket, type Socket } from 'node:dgram'
import { Resolver } from 'node:dns'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { signatureOf } from '../../server/domain/events/webhooks/payload.ts'
import { WebhookReceivers } from '../../server/outbound/webhook_receivers.ts'
import { scratchFolder } from '../harness/databases.ts'
import { until } from '../harness/process.ts'
import { makeCertificate } from '../protocol/once/certificate.ts'
import { startReceiver, type HookReceiver } from '../harness/webhook_receiver.ts'

/** Receivers of all kinds. The service's own timeouts are longer than in these tests. */

const TOKEN = 'secret_4kTqZ8mVb2Xn7RcYp1LsWd9Hf3GjUa6EoQiKyMtBvNx'
const BODY = '{"id":"5b0f5f6e-1f0a-4a3e-9a4e-8c2d6c1b7a10","type":"page.created"}'

let receiver: HookReceiver
let receivers: WebhookReceivers
/** Has short timeouts. */
let impatient: WebhookReceivers
beforeAll(async () => {
  receiver = await startReceiver()
  const terms = { allowedHosts: [receiver.host.host], brands: ['Service', 'Acme'] }
  receivers = new WebhookReceivers({ ...terms, responseMilliseconds: 60_000 })
  impatient = new WebhookReceivers({ ...terms, responseMilliseconds: 400 })
})
afterAll(async () => {
  receivers.close()
  impatient.close()
  await receiver.close()
})

const send = (
  url = receiver.url(),
  signal = new AbortController().signal,
  sender = receivers,
): ReturnType<typeof receivers.send> => sender.send({ url, body: BODY, signature: signatureOf(TOKEN, BODY) }, signal)

it('a webhook receiver has ten seconds to respond, as the log states', async () => {
  const usual = new WebhookReceivers({ allowedHosts: [receiver.host.host], brands: ['Service'] })
  const passing = vi.spyOn(AbortSignal, 'timeout').mockImplementationOnce((milliseconds) => {
    expect(milliseconds).toBe(10_000)
    return AbortSignal.abort(new DOMException('over', 'TimeoutError'))
  })
  onTestFinished(() => void passing.mockRestore())
  receiver.respondWith(() => undefined)
  onTestFinished(() => receiver.respondWith(undefined))
  expect(await send(undefined, undefined, usual)).toEqual({
    statusCode: null,
    error: 'The receiver did not respond within 10 seconds.',
  })
  usual.close()
})

describe('webhook signatures', () => {
  it.each([
    [`{"verification_token":"${TOKEN}"}`, 'sha256=0fa2609e06868d028d1d4f92cdf0ccfa5f9f6480ad1a607c6487817248d45de5'],
    [BODY, 'sha256=385afc31582edc482ed695efee3fd716ac26572b1d9c3c9aed670c4589b28373'],
  ])('match the test vector %s', (body, signature) => expect(signatureOf(TOKEN, body)).toBe(signature))

  it('are sent in a header of each brand of the deployment, and cover the exact bytes', async () => {
    const body = '{"workspace_name":"Værft “Nord” 🚢"}'
    const signature = signatureOf(TOKEN, body)
    expect(await receivers.send({ url: receiver.url(), body, signature }, new AbortController().signal)).toEqual({
      statusCode: 204,
      error: null,
    })
    const { text, headers } = receiver.received.at(-1) ?? { text: '', headers: {} }
    expect(text).toBe(body)
    expect(headers).toMatchObject({
      'x-service-signature': signature,
      'x-acme-signature': signature,
      'user-agent': 'Acme',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    })
  })
})

describe('responses of webhook receivers', () => {
  it.each([200, 201, 202, 204, 299])('acknowledge the webhook with status %i', async (statusCode) => {
    receiver.respondWith((response) => response.writeHead(statusCode).end())
    expect(await send()).toEqual({ statusCode, error: null })
  })

  it.each([300, 301, 302, 307, 308, 400, 401, 404, 410, 429, 500, 503])(
    'do not acknowledge the webhook with status %i',
    async (statusCode) => {
      receiver.respondWith((response) => response.writeHead(statusCode, { Location: receiver.url('other') }).end())
      expect(await send()).toEqual({ statusCode, error: `The receiver responded with status ${statusCode}.` })
      expect(receiver.events('other')).toEqual([])
    },
  )

  it('acknowledge even if they never end, and are cut off', async () => {
    let sent = 0
    receiver.respondWith((response) => {
      response.writeHead(200)
      const more = (): void => {
        if (response.destroyed) return
        sent += 65_536
        response.write(Buffer.alloc(65_536), more)
      }
      more()
    })
    expect(await send()).toEqual({ statusCode: 200, error: null })
    await until(() => receiver.host.openResponses() === 0 || undefined)
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  it('acknowledge immediately, even with slow bodies', async () => {
    receiver.respondWith((response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await send()).toEqual({ statusCode: 200, error: null })
  })

  it('count as failed at the time limit when they never arrive, or arrive byte by byte', async () => {
    const late = { statusCode: null, error: 'The receiver did not respond within 0.4 seconds.' }
    const wait = (): ReturnType<typeof send> => send(receiver.url(), new AbortController().signal, impatient)
    receiver.respondWith(() => undefined)
    expect(await wait()).toEqual(late)
    receiver.respondWith((response) => {
      const drip = setInterval(() => response.socket?.write('H'), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect((await wait()).statusCode).toBeNull()
  })

  it('count as failed when the receiver closes the connection', async () => {
    receiver.respondWith((response) => response.destroy())
    expect(await send()).toEqual({ statusCode: null, error: 'The receiver closed the connection without a response.' })
  })

  it('count as failed when they are not HTTP, or have too many headers', async () => {
    receiver.respondWith((response) => response.socket?.end('what do you want\r\n\r\n'))
    expect((await send()).statusCode).toBeNull()
    receiver.respondWith((response) => response.writeHead(200, { 'X-Long': 'x'.repeat(20_000) }).end())
    expect((await send()).statusCode).toBeNull()
  })

  it('arrive over keep-alive connections, and a closed connection is not a failure', async () => {
    const sockets = new Set<unknown>()
    receiver.respondWith((response) => {
      sockets.add(response.socket)
      response.writeHead(204).end()
    })
    await send()
    sockets.clear()
    for (let count = 0; count < 5; count += 1) await send()
    // A connection becomes free shortly after its response.
    expect(sockets.size).toBeLessThanOrEqual(2)
    receiver.respondWith((response) => {
      // The next request on this connection finds the receiver gone.
      response.writeHead(204).end()
      response.socket?.once('data', () => undefined)
      response.on('finish', () => setImmediate(() => response.socket?.destroy()))
    })
    for (let count = 0; count < 5; count += 1) expect((await send()).error).toBeNull()
    receiver.respondWith(undefined)
  })

  it('are aborted when the service stops', async () => {
    receiver.respondWith(() => undefined)
    const stopping = new AbortController()
    const sending = send(receiver.url(), stopping.signal)
    stopping.abort(new Error('stopping'))
    await expect(sending).rejects.toThrow('stopping')
    receiver.respondWith(undefined)
  })
})

describe('connections to webhook receivers', () => {
  it('fail when no program listens, or the certificate is not trusted', async () => {
    const { cert, keyFile } = makeCertificate(scratchFolder('webhooks-'), 'stranger')
    const stranger = createServer({ cert, key: readFileSync(keyFile) }, (_request, response) => response.end())
    await new Promise<void>((resolve) => stranger.listen(0, '127.0.0.1', resolve))
    const own = new WebhookReceivers({ allowedHosts: ['localhost'], brands: ['Service'] })
    const deliver = (url: string): ReturnType<typeof own.send> =>
      own.send({ url, body: BODY, signature: 'x' }, new AbortController().signal)
    expect(await deliver('https://localhost:1/')).toEqual({ statusCode: null, error: 'The receiver refused the connection.' })
    expect(await deliver(`https://localhost:${(stranger.address() as AddressInfo).port}/`)).toEqual({
      statusCode: null,
      error: 'The TLS certificate of the receiver is invalid.',
    })
    own.close()
    stranger.close()
  })

  it.each([
    'https://localhost/in',
    'https://127.0.0.1/in',
    'https://[::1]/in',
    'https://10.0.0.1/in',
    'https://169.254.169.254/in',
  ])('are not opened to %s', async (url) =>
    expect(await send(url)).toEqual({ statusCode: null, error: 'The receiver has no public address.' }),
  )
})

/** A name server that resolves every name to its current addresses. */
describe('host names of webhook receivers', () => {
  let nameServer: Socket
  let addresses: readonly string[] = []
  let guarded: WebhookReceivers
  beforeAll(async () => {
    nameServer = createSocket('udp4')
    nameServer.on('message', (query, peer) => nameServer.send(dnsResponse(query, addresses), peer.port, peer.address))
    await new Promise<void>((resolve) => nameServer.bind(0, '127.0.0.1', resolve))
    const resolver = new Resolver({ timeout: 2_000, tries: 1 })
    resolver.setServers([`127.0.0.1:${(nameServer.address() as AddressInfo).port}`])
    guarded = new WebhookReceivers({ allowedHosts: [], brands: ['Service'], resolver, responseMilliseconds: 5_000 })
  })
  afterAll(() => {
    guarded.close()
    nameServer.close()
  })

  const deliver = (): ReturnType<typeof guarded.send> =>
    guarded.send(
      { url: receiver.url().replace('localhost', 'hooks.orchard.example'), body: BODY, signature: 'x' },
      new AbortController().signal,
    )

  it('are refused at delivery if they now resolve to private addresses', async () => {
    addresses = ['1.1.1.1']
    expect(await guarded.refusalOf('https://hooks.orchard.boats/in')).toBeUndefined()
    addresses = ['127.0.0.1']
    const known = receiver.received.length
    expect(await deliver()).toEqual({ statusCode: null, error: 'The receiver has no public address.' })
    expect(receiver.received).toHaveLength(known)
  })

  it('are refused in requests if any of their addresses is private', async () => {
    for (const found of [['10.0.0.1'], ['1.1.1.1', '192.168.1.1'], ['169.254.169.254']]) {
      addresses = found
      expect(await guarded.refusalOf('https://hooks.orchard.boats/in')).toBe(
        'be the address of a public host, not of a private network',
      )
    }
  })

  it('are refused in requests if they do not resolve', async () => {
    addresses = []
    expect(await guarded.refusalOf('https://hooks.orchard.boats/in')).toBe(
      'name a host that exists: no address was found for "hooks.orchard.boats"',
    )
  })

  it('are accepted if reserved for examples, although deliveries fail', async () => {
    addresses = []
    expect(await guarded.refusalOf('https://hooks.orchard.example/in')).toBeUndefined()
    expect(await deliver()).toEqual({ statusCode: null, error: 'The host name of the receiver has no address in DNS.' })
  })

  it('are accepted while no name server responds', async () => {
    const silent = new Resolver({ timeout: 50, tries: 1 })
    silent.setServers(['127.0.0.1:9'])
    const offline = new WebhookReceivers({ allowedHosts: [], brands: ['Service'], resolver: silent })
    expect(await offline.refusalOf('https://hooks.orchard.boats/in')).toBeUndefined()
    offline.close()
  })
})

/** The response of the name server to a query. It has only IPv4 addresses. */
function dnsResponse(query: Buffer, addresses: readonly string[]): Buffer {
  const end = query.indexOf(0, 12) + 5
  const isForV4 = query.readUInt16BE(end - 4) === 1
  const addressesFound = isForV4 ? addresses : []
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  for (const [offset, count] of [
    [4, 1],
    [6, addressesFound.length],
    [8, 0],
    [10, 0],
  ] as const)
    header.writeUInt16BE(count, offset)
  const records = addressesFound.map((address) =>
    Buffer.concat([Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]), Buffer.from(address.split('.').map(Number))]),
  )
  return Buffer.concat([header, query.subarray(12, end), ...records])
}
