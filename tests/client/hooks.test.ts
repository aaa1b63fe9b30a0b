import { describe, expect, it } from 'vitest'
import { ApiError, type AttemptDetails } from '../../client/src/index.ts'
import { fault, good, reset, standInOfFile } from './stand_in.ts'

const standIn = await standInOfFile()
const summary = ({ operation, method, attempt }: AttemptDetails): string => `${operation} ${method} ${attempt}`

describe('hooks of a client', () => {
  it('receive each attempt, response and retry of a call, in order', async () => {
    const seen: string[] = []
    standIn.play(fault(429, 'rate_limited', { 'Retry-After': '0', 'X-Service-Request-Id': 'r-1' }), reset)
    const client = standIn.client({
      onRequest: (attempt) => void seen.push(`request ${summary(attempt)}`),
      onResponse: async (attempt) => void seen.push(`response ${summary(attempt)} ${attempt.status} ${attempt.requestId}`),
      onRetry: ({ error, ...attempt }) => void seen.push(`retry ${summary(attempt)} ${error.code} ${attempt.waitMilliseconds}`),
    })
    await client.users.me.retrieve()
    expect(seen).toEqual([
      'request retrieveMe GET 1',
      'response retrieveMe GET 1 429 r-1',
      'retry retrieveMe GET 1 rate_limited 0',
      'request retrieveMe GET 2',
      'retry retrieveMe GET 2 connection_reset 0',
      'request retrieveMe GET 3',
      'response retrieveMe GET 3 200 undefined',
    ])
  })

  it('may change the headers of a request', async () => {
    standIn.play()
    await standIn.client({ onRequest: ({ request }) => request.headers.set('X-Trace', 'tide-7') }).users.me.retrieve()
    expect(standIn.requests[0]?.headers).toMatchObject({ 'x-trace': 'tide-7', authorization: 'Bearer t' })
  })

  it('end the call with their error when they throw', async () => {
    standIn.play()
    const client = standIn.client({ onRequest: () => Promise.reject(new Error('no budget')) })
    await expect(client.users.me.retrieve()).rejects.toThrow('no budget')
    expect(standIn.requests).toHaveLength(0)
  })
})

it('a logger receives a line for each response and retry, without credentials', async () => {
  const lines: string[] = []
  const keep = (level: string) => (message: string) => void lines.push(`${level}: ${message.replace(/\d+ ms/, 'N ms')}`)
  standIn.play(fault(429, 'rate_limited'))
  await standIn.client({ token: 'itk_secret', logger: { debug: keep('debug'), warn: keep('warn') } }).users.me.retrieve()
  const address = `GET ${standIn.url}/v1/users/me`
  expect(lines).toEqual([
    `debug: ${address} 429, N ms, attempt 1`,
    `warn: ${address} rate_limited, next attempt in N ms`,
    `debug: ${address} 200, N ms, attempt 2`,
  ])
})

it('errors name the operation, method, address, attempt and request id', async () => {
  standIn.play(fault(404, 'object_not_found', { 'X-Service-Request-Id': 'r-1' }))
  const error: unknown = await standIn
    .client()
    .users.list({ page_size: 3 })
    .catch((caught: unknown) => caught)
  const url = `${standIn.url}/v1/users?page_size=3`
  expect(error).toMatchObject({ requestId: 'r-1', request: { operation: 'listUsers', method: 'GET', url, attempt: 1 } })
  standIn.play(reset, reset, reset)
  await expect(standIn.client().users.me.retrieve()).rejects.toMatchObject({ request: { operation: 'retrieveMe', attempt: 3 } })
})

describe('a token provider', () => {
  it('is called for each attempt', async () => {
    let count = 0
    standIn.play(fault(429, 'rate_limited'))
    await standIn.client({ token: () => `t${(count += 1)}` }).users.me.retrieve()
    expect(standIn.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer t1', 'Bearer t2'])
  })

  it('is called again once after a 401, even without retries, and the call is repeated with the new token', async () => {
    const refused: (string | undefined)[] = []
    const token = async (one?: string): Promise<string> => {
      refused.push(one)
      return one === undefined ? 'old' : 'new'
    }
    const client = standIn.client({ token, retries: 0 })
    standIn.play(fault(401, 'unauthorized'), good)
    await expect(client.pages.create()).resolves.toEqual({ object: 'user' })
    expect(refused).toEqual([undefined, 'old'])
    standIn.play(fault(401, 'unauthorized'), fault(401, 'unauthorized'))
    await expect(client.users.me.retrieve()).rejects.toBeInstanceOf(ApiError)
    expect(standIn.requests).toHaveLength(2)
  })

  it('is not involved when the token is a fixed text, so a 401 ends the call', async () => {
    standIn.play(fault(401, 'unauthorized'))
    await expect(standIn.client().users.me.retrieve()).rejects.toMatchObject({ status: 401 })
    expect(standIn.requests).toHaveLength(1)
  })
})
