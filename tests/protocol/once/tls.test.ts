import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { connect as netConnect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as tlsConnect } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestRelease } from '../../../generated/operations.ts'
import { checked, type RawResponse } from '../../harness/responses.ts'
import { expectError } from '../../harness/expectations.ts'
import { runService, until } from '../../harness/process.ts'
import { sendBytes } from '../../harness/raw_socket.ts'
import { startTestServer, TOKEN, type TestServer } from '../../harness/server.ts'
import { makeCertificate } from './certificate.ts'

const folder = mkdtempSync(join(tmpdir(), 'tls-'))
const certificate = makeCertificate(folder, 'first')
const HEADERS = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': newestRelease }
const TLS = { TLS_CERT: certificate.certFile, TLS_KEY: certificate.keyFile }

function get(url: string, ca: Buffer = certificate.cert): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const options = url.startsWith('https:') ? { agent: new Agent({ ca }), headers: HEADERS } : { headers: HEADERS }
    const request = (url.startsWith('https:') ? httpsRequest : httpRequest)(url, options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
    request.on('error', reject)
    request.end()
  })
}

const plainOf = (url: string): string => url.replace('https:', 'http:')

describe('a service with a certificate', () => {
  let server: TestServer
  beforeAll(async () => void (server = await startTestServer(TLS)))
  afterAll(() => server.stop())

  it('serves HTTPS at an https address', async () => {
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    expect(checked('retrieveMe', 'GET', await get(`${server.url}/v1/users/me`)).status).toBe(200)
  })

  it('400 invalid_request for plain HTTP on the same port', async () => {
    expectError(checked('retrieveMe', 'GET', await get(`${plainOf(server.url)}/v1/users/me`)), 400, 'invalid_request', 'HTTPS')
  })

  it('checks the path before it refuses plain HTTP', async () => {
    expectError(checked(undefined, 'GET', await get(`${plainOf(server.url)}/v1/nothing`)), 400, 'invalid_request_url')
  })

  it.each(['/docs/', '/openapi.yaml'])('refuses plain HTTP for the page %s', async (path) => {
    const response = await get(plainOf(server.url) + path)
    expect(response.status).toBe(400)
    expect(JSON.parse(response.text)).toMatchObject({ code: 'invalid_request' })
  })

  it('serves health checks over plain HTTP', async () => {
    expect((await get(`${plainOf(server.url)}/healthz`)).status).toBe(200)
    expect((await get(`${plainOf(server.url)}/readyz`)).status).toBe(200)
  })

  it('supports only TLS 1.2 and newer', async () => {
    const { hostname, port } = new URL(server.url)
    const outcome = await new Promise((resolve) => {
      const socket = tlsConnect({
        host: hostname,
        port: Number(port),
        ca: certificate.cert,
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      })
      socket.on('error', (error: Error & { code?: string }) => resolve(error.code))
      socket.on('secureConnect', () => resolve(socket.getProtocol()))
    })
    expect(outcome).toMatch(/^ERR_SSL|ECONNRESET/)
  })

  it.each([
    ['a broken handshake', Buffer.from([0x16, 0x03, 0x01, 0x00, 0x02, 0xff, 0xff])],
    ['one byte of a handshake', Buffer.from([0x16])],
    ['an empty connection', Buffer.alloc(0)],
  ])('survives %s', async (_what, bytes) => {
    const { hostname, port } = new URL(server.url)
    await new Promise<void>((resolve) => {
      const socket = netConnect(Number(port), hostname, () => {
        if (bytes.length > 0) socket.write(bytes)
        setTimeout(() => socket.destroy(), 50)
      })
      socket.on('error', () => undefined)
      socket.on('close', () => resolve())
    })
    expect((await get(`${server.url}/v1/users/me`)).status).toBe(200)
  })

  it('responds with 400 invalid_request to bytes that are neither TLS nor HTTP', async () => {
    expectError(await sendBytes(plainOf(server.url), '\x00\x01\x02 nonsense\r\n\r\n'), 400, 'invalid_request')
  })

  it('keeps a connection open for several requests', async () => {
    const agent = new Agent({ ca: certificate.cert, keepAlive: true, maxSockets: 1 })
    const ports = new Set<number | undefined>()
    for (let count = 0; count < 3; count += 1) {
      await new Promise<void>((resolve, reject) => {
        httpsRequest(`${server.url}/v1/users/me`, { agent, headers: HEADERS }, (response) => {
          ports.add(response.socket.localPort)
          response.resume().on('end', resolve)
        })
          .on('error', reject)
          .end()
      })
    }
    agent.destroy()
    expect(ports.size).toBe(1)
  })
})

describe('ALLOW_PLAIN_HTTP beside a certificate', () => {
  it('serves HTTP and HTTPS on one port', async () => {
    const server = await startTestServer({ ...TLS, ALLOW_PLAIN_HTTP: 'true' })
    try {
      expect((await get(`${server.url}/v1/users/me`)).status).toBe(200)
      expect((await get(`${plainOf(server.url)}/v1/users/me`)).status).toBe(200)
    } finally {
      await server.stop()
    }
  })
})

describe('a renewed certificate', () => {
  it('is used after SIGHUP unless invalid', async () => {
    const [certFile, keyFile] = [join(folder, 'live.crt'), join(folder, 'live.key')]
    copyFileSync(certificate.certFile, certFile)
    copyFileSync(certificate.keyFile, keyFile)
    const service = await runService({ TLS_CERT: certFile, TLS_KEY: keyFile })
    expect((await get(`${service.url}/healthz`)).status).toBe(200)

    const next = makeCertificate(folder, 'second')
    copyFileSync(next.certFile, certFile)
    copyFileSync(next.keyFile, keyFile)
    service.kill('SIGHUP')
    await until(
      () =>
        get(`${service.url}/healthz`, next.cert).then(
          ({ status }) => (status === 200 ? true : undefined),
          () => undefined,
        ),
      service,
    )
    await expect(get(`${service.url}/healthz`, certificate.cert)).rejects.toThrow(/self-signed/)

    writeFileSync(certFile, 'broken')
    service.kill('SIGHUP')
    await until(() => service.log().find(({ msg }) => String(msg).includes('the old one stays in use')), service)
    expect((await get(`${service.url}/healthz`, next.cert)).status).toBe(200)
    service.kill()
    expect(await service.ended).toEqual({ code: 0, signal: null })
  })
})
