import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedExchange } from '../../conformance/src/exchange.ts'
import { checkingProxy } from '../../conformance/src/checking_proxy.ts'
import { reportText } from '../../conformance/src/report/report.ts'
import { Run } from '../../conformance/src/run.ts'
import { Caller } from '../harness/caller.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { parseObject } from '../harness/json.ts'
import { exchangeBytes } from '../harness/raw_socket.ts'
import { startAlteringServer, type Alteration } from './support/altering_server.ts'

const service = await serverOfFile()
const altering = await startAlteringServer(service.url)
let run = new Run('proxy', altering.url)
const exchanges: RecordedExchange[] = []
const proxy = await proxyTo(altering.url)
const token = { Authorization: `Bearer ${TOKEN}`, 'Service-Version': '2026-03-11' }
const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'

afterAll(async () => {
  await proxy.stop()
  await altering.stop()
})
beforeEach(() => {
  run = new Run('proxy', altering.url)
  exchanges.length = 0
  altering.alteration = () => undefined
})

async function proxyTo(target: string, bodyBytesMax = 1_048_576): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const server = checkingProxy({
    target: new URL(target),
    bodyBytesMax,
    isInsecure: false,
    onExchange: (exchange) => {
      exchanges.push(exchange)
      run.checkExchange(exchange)
    },
    onFailure: () => undefined,
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop }
}

/**
 * Sends a request through the proxy.
 * @returns the findings, as `rule location keyword`
 */
async function found(target: string, init: RequestInit = {}): Promise<string[]> {
  const before = exchanges.length
  const response = await fetch(proxy.url + target, { ...init, headers: { ...token, ...init.headers } })
  await response.arrayBuffer()
  await expect.poll(() => exchanges.length).toBeGreaterThan(before)
  return run.result.findings.map(({ rule, place: location, keyword }) => `${rule} ${location} ${keyword}`)
}

describe('the proxy finds no fault in the service', () => {
  it.each(['2021-05-11', '2022-06-28', '2025-09-03', '2026-03-11'])('in version %s', async (version) => {
    const headers = { 'Service-Version': version }
    expect(await found('/v1/users?page_size=2', { headers })).toEqual([])
    expect(
      await found('/v1/search', { method: 'POST', headers: { ...headers, 'Content-Type': 'application/json' }, body: '{}' }),
    ).toEqual([])
    expect(await found(`/v1/blocks/${GHOST}`, { headers })).toEqual([])
  })

  it('when it refuses a request correctly', async () => {
    expect(await found('/v1/users?page_size=0')).toEqual([])
    expect(await found('/v1/boats')).toEqual([])
    expect(await found('/v1/users/me', { headers: { 'Service-Version': '1999-01-01' } })).toEqual([])
    expect(await found('/v1/users/me', { headers: { Authorization: 'Bearer itk_none' } })).toEqual([])
    expect(await found('/v1/pages', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' })).toEqual([])
  })
})

const alterations: readonly (readonly [string, string, Alteration])[] = [
  ['a missing header', 'header header Cache-Control required', ({ headers }) => void delete headers['cache-control']],
  [
    'a wrong header',
    'header header X-Content-Type-Options const',
    ({ headers }) => void (headers['x-content-type-options'] = 'sniff'),
  ],
  ['an undeclared header', 'header header Retry-After undeclared', ({ headers }) => void (headers['retry-after'] = '3')],
  ['another version', 'header header Service-Version const', ({ headers }) => void (headers['service-version'] = '2025-09-03')],
  ['an undeclared status', 'status status 418', (response) => void (response.status = 418)],
  [
    'another media type',
    'media-type header Content-Type content',
    ({ headers }) => void (headers['content-type'] = 'text/plain'),
  ],
  ['a body that is not JSON', 'body body json', (response) => void (response.body = '{')],
  ['a missing key', 'body body required', ({ body }) => void Reflect.deleteProperty(body as object, 'has_more')],
  ['a wrong type in a list', 'body body.results[*].id pattern', ({ body }) => void setId(body)],
]

function setId(body: unknown): void {
  for (const item of (body as { readonly results: object[] }).results) Object.assign(item, { id: 'x' })
}

describe('the proxy reports', () => {
  it.each(alterations)('%s in a response', async (_name, finding, alteration) => {
    altering.alteration = alteration
    const all = await found('/v1/users')
    expect(all).toContain(finding)
  })

  it('a request that the server should have refused', async () => {
    altering.alteration = (response) => void (response.status = 200)
    expect(await found('/v1/users?page_size=0')).toContain('accepted-request query.page_size minimum')
    expect(await found('/v1/users?color=red')).toContain('accepted-request query.color additionalProperties')
    expect(await found('/v1/boats')).toContain('unknown-operation GET v1/boats paths')
  })
})

describe('the proxy', () => {
  it('forwards requests and responses unchanged, and does not check pages for people', async () => {
    const direct = new Caller(service.url, TOKEN)
    const response = await fetch(`${proxy.url}/v1/users/me`, { headers: token })
    expect({ ...parseObject(await response.text()), request_id: '' }).toEqual({
      ...(await direct.call('retrieveMe')).body,
      request_id: '',
    })
    const page = await fetch(`${proxy.url}/docs`, { redirect: 'manual' })
    expect(page.status).toBeLessThan(500)
    expect(exchanges.map(({ target }) => target)).toEqual(['/v1/users/me'])
  })

  it('forwards large bodies without storing them, and does not follow redirects', async () => {
    const digests: string[] = []
    const target = createServer((request, response) => {
      const hash = createHash('sha256')
      request.on('data', (chunk: Buffer) => hash.update(chunk))
      request.on('end', () => {
        digests.push(hash.digest('hex'))
        response.writeHead(302, { Location: `${service.url}/v1/users/me` })
        response.end()
      })
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const own = await proxyTo(`http://127.0.0.1:${(target.address() as AddressInfo).port}`, 1024)
    const body = randomBytes(3_000_000)
    const received = await fetch(`${own.url}/v1/pages`, { method: 'POST', body, headers: token, redirect: 'manual' })
    await own.stop()
    target.close()
    expect(received.status).toBe(302)
    expect(digests).toEqual([createHash('sha256').update(body).digest('hex')])
    expect(run.result).toMatchObject({ exchanges: 1, unjudgedBodies: 1 })
  })

  it('forwards events as they arrive', async () => {
    const target = createServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('data: 1\n\n')
      // The second event waits until the client has received the first.
      request.socket.once('close', () => undefined)
      next = () => response.end('data: 2\n\n')
    })
    let next = (): unknown => undefined
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const own = await proxyTo(`http://127.0.0.1:${(target.address() as AddressInfo).port}`)
    const received = await fetch(`${own.url}/v1/sessions`, { method: 'POST', headers: token })
    const texts: string[] = []
    for await (const chunk of received.body ?? []) {
      texts.push(Buffer.from(chunk).toString())
      next()
    }
    await own.stop()
    target.close()
    expect(texts).toEqual(['data: 1\n\n', 'data: 2\n\n'])
  })

  it.each(['DELETE', 'OPTIONS', 'GET', 'POST'])(
    'forwards the body of %s unchanged, whatever the body contains',
    async (method) => {
      const inner = 'GET /v1/inner HTTP/1.1\r\nHost: inner\r\n\r\n'
      const received: string[] = []
      const target = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          received.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`)
          response.end()
        })
      })
      await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
      const own = await proxyTo(`http://127.0.0.1:${(target.address() as AddressInfo).port}`)
      const head = (path: string): string => `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: `
      const chunk = `${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
      await exchangeBytes(
        own.url,
        `${head('/v1/one')}keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}${head('/v1/two')}close\r\n\r\n`,
      )
      await own.stop()
      target.close()
      expect(received).toEqual([`${method} /v1/one ${inner}`, `${method} /v1/two `])
    },
  )

  it('continues after a body that is nested too deeply to check', async () => {
    const user = { id: GHOST, person: { lists: 'deep' } }
    const comment = { parent: { page_id: GHOST }, rich_text: [{ type: 'mention', mention: { type: 'user', user } }] }
    const body = JSON.stringify(comment).replace('"deep"', '['.repeat(20_000) + ']'.repeat(20_000))
    const headers = { 'Content-Type': 'application/json' }
    expect(await found('/v1/comments', { method: 'POST', headers, body })).toEqual([])
    expect(run.result).toMatchObject({ exchanges: 1, unjudgedBodies: 1 })
  })

  it('breaks off a response where the target server does, without checking it', async () => {
    const target = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' })
      response.write('{"object": ', () => response.destroy())
    })
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
    const own = await proxyTo(`http://127.0.0.1:${(target.address() as AddressInfo).port}`)
    const received = await fetch(`${own.url}/v1/users/me`, { headers: token })
    await expect(received.text()).rejects.toThrow('terminated')
    await own.stop()
    target.close()
    expect(run.result.exchanges).toBe(0)
  })

  it('responds with 502 when its target cannot be reached', async () => {
    const own = await proxyTo('http://127.0.0.1:1')
    const response = await fetch(`${own.url}/v1/users/me`, { headers: token })
    await own.stop()
    expect(response.status).toBe(502)
    expect(run.result.exchanges).toBe(0)
  })
})

describe('reports of the proxy', () => {
  it('name each finding once, with a count, and contain no token', async () => {
    altering.alteration = alterations[0]?.[2] ?? altering.alteration
    const secret = 'Bearer some-token-of-another-server'
    for (let time = 0; time < 3; time += 1)
      await found('/v1/users?start_cursor=some-token-of-another-server', { headers: { Authorization: secret } })
    const json = parseObject(reportText(run.result, 'json'))
    expect(json['findings']).toMatchObject([{ rule: 'header', place: 'header Cache-Control', count: 3, sample: { status: 401 } }])
    const texts = (['json', 'junit', 'sarif'] as const).map((format) => reportText(run.result, format))
    expect(texts.filter((text) => text.includes('some-token'))).toEqual([])
    expect(texts[1]).toContain('<testcase classname="proxy" name="listUsers">')
    expect(texts[1]).toContain('<failure type="header"')
    expect(parseObject(texts[2] ?? '')).toMatchObject({
      version: '2.1.0',
      runs: [{ results: [{ ruleId: 'header', occurrenceCount: 3 }] }],
    })
  })

  it('contain no secrets from a query string, however the parameter is spelled, and no Basic credentials', async () => {
    altering.alteration = alterations[0]?.[2] ?? altering.alteration
    const secret = 'hunter2Zq9xVb'
    const Authorization = `Basic ${Buffer.from(`boats:${secret}`).toString('base64')}`
    await found(`/v1/users?Code=${secret}&csrf%5Ftoken=${secret}&clientSecret=${secret}&x=${secret}&y=a%3Fpassword%3D${secret}`, {
      headers: { Authorization },
    })
    await found(`/v1/pages?${secret}=1`, { headers: { Authorization } })
    expect(run.result.findings.length).toBeGreaterThan(0)
    for (const format of ['json', 'junit', 'sarif'] as const) expect(reportText(run.result, format)).not.toContain(secret)
    expect(reportText(run.result, 'json')).toContain('/v1/users?Code=[redacted]&csrf%5Ftoken=[redacted]')
  })

  it('do not count allowed findings', async () => {
    run = new Run('proxy', altering.url, ['listUsers header header Cache-Control required'])
    altering.alteration = ({ headers }) => {
      delete headers['cache-control']
      delete headers['x-content-type-options']
    }
    await found('/v1/users')
    expect(run.result.findings.map(({ isAllowed }) => isAllowed)).toEqual([true, false])
    expect(run.total).toBe(1)
  })
})
