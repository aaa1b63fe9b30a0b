import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createWorkspaceClient, InvalidCallError, type ClientOptions } from '../../client/src/index.ts'
import { newestRelease, operations, type Operation, type OperationId } from '../../generated/operations.ts'
import { standInOfFile } from './stand_in.ts'

const standIn = await standInOfFile()

const uuid = '5df6f817-b099-4bcf-a0ec-6db25097c040'
const everybody = { token: 't', clientId: 'planner', clientSecret: 'sluice gate' }
const basic = `Basic ${Buffer.from('planner:sluice gate').toString('base64')}`
const all: readonly Operation[] = Object.values(operations)

/** Calls an operation by its id, with input that its types may not allow. */
function callAny(options: Partial<ClientOptions>, id: string, input: object = {}): Promise<unknown> {
  const { call } = standIn.client({ retries: 0, ...options })
  return (call as (id: string, input: object) => Promise<unknown>)(id, input).catch((error: unknown) => error)
}

function pathOf({ pathParameters }: Operation): Record<string, string> {
  return Object.fromEntries(pathParameters.map((name) => [name, uuid]))
}

/** The minimal input of an operation. */
function inputOf(operation: Operation): object {
  return { path: pathOf(operation), ...(operation.requestTypes.length === 0 ? {} : { body: {} }) }
}

// If you are here because an operation fails: the request of its method is generated from its `x-credentials`, parameters and
// `requestTypes`; correct those in spec/, and run `npm run generate`.
describe('the client, for every operation,', () => {
  it('sends the credentials that the contract requires', async () => {
    const wanted = { bearer: 'Bearer t', client: basic, connection: basic, none: undefined }
    for (const operation of all) {
      standIn.play()
      await callAny(everybody, operation.id, inputOf(operation))
      expect([operation.id, standIn.requests[0]?.headers.authorization]).toEqual([operation.id, wanted[operation.credentials]])
    }
  })

  it('sends nothing without the required credentials, and names the missing ones', async () => {
    standIn.play()
    for (const operation of all.filter(({ credentials }) => credentials !== 'none')) {
      const lacking = operation.credentials === 'client' ? { token: 't' } : { token: '', clientId: 'planner' }
      const error = await callAny(lacking, operation.id, inputOf(operation))
      expect(error).toBeInstanceOf(InvalidCallError)
      const words = operation.credentials === 'bearer' ? '`token`' : '`clientId` and `clientSecret`'
      expect(String(error)).toContain(`${operation.id} needs credentials: pass ${words}`)
    }
    expect(standIn.requests).toHaveLength(0)
  })

  it('sends the version, betas and key when the contract uses them', async () => {
    const options = { ...everybody, betas: ['strict-ids-2026-06-15'], automaticIdempotencyKeys: true }
    for (const operation of all) {
      standIn.play()
      await callAny(options, operation.id, inputOf(operation))
      const { headers = {} } = standIn.requests[0] ?? {}
      const sent = ['Service-Version', 'Service-Beta', 'Idempotency-Key'].filter(
        (name) => headers[name.toLowerCase()] !== undefined,
      )
      expect([operation.id, sent]).toEqual([operation.id, sent.filter((name) => operation.headerParameters.includes(name))])
      expect(sent).toHaveLength(operation.headerParameters.length)
    }
  })

  it('refuses a missing or malformed id before it sends anything', async () => {
    standIn.play()
    for (const operation of all) {
      for (const name of operation.pathParameters) {
        for (const value of [undefined, null, '', '.', '..', 7]) {
          const error = await callAny(everybody, operation.id, {
            ...inputOf(operation),
            path: { ...pathOf(operation), [name]: value },
          })
          expect(error, `${operation.id} with ${name} ${String(value)}`).toBeInstanceOf(InvalidCallError)
          expect(String(error)).toContain(`path.${name} should be `)
        }
      }
      if (operation.pathParameters.length > 0)
        expect(await callAny(everybody, operation.id), operation.id).toBeInstanceOf(InvalidCallError)
    }
    expect(standIn.requests).toHaveLength(0)
  })
})

describe('an id in a path', () => {
  it.each([
    ['undefined', 'path.page_id should be a valid uuid, instead was "undefined"'],
    ['https://workspace.example/Tides-5df6f817b0994bcfa0ec6db25097c040', 'path.page_id should be a valid uuid'],
    [`${uuid}/markdown`, 'path.page_id should be a valid uuid'],
  ])('%s is refused with a message', async (page_id, message) => {
    standIn.play()
    await expect(standIn.client().pages.retrieve({ page_id })).rejects.toThrow(message)
    expect(standIn.requests).toHaveLength(0)
  })

  it('without a format is sent unchanged, encoded once', async () => {
    standIn.play()
    await standIn.client().pages.properties.retrieve({ page_id: uuid, property_id: 'a/b%20c' })
    expect(standIn.requests[0]?.url).toBe(`/v1/pages/${uuid}/properties/a%2Fb%2520c`)
  })
})

describe('the address of the service', () => {
  it.each(['', '/', '//', '/v1', '/v1/', '/below', '/below/', '/below/v1/'])('may end in %j', async (end) => {
    standIn.play()
    await standIn.client({ baseUrl: `${standIn.url}${end}` }).users.me.retrieve()
    expect(standIn.requests[0]?.url).toBe(`${end.startsWith('/below') ? '/below' : ''}/v1/users/me`)
  })

  it.each(['', '127.0.0.1:4000', 'ftp://x.example', 'http://x.example/?a=1', 'http://a:b@x.example', '/v1'])(
    'is refused immediately if invalid: %j',
    (baseUrl) => {
      expect(() => createWorkspaceClient({ baseUrl, token: 't' })).toThrow(InvalidCallError)
    },
  )
})

describe('credentials of one call', () => {
  it('override those of the client, whether tokens or client secrets', async () => {
    standIn.play()
    const client = standIn.client(everybody)
    await client.users.me.retrieve({}, { token: 'another' })
    await client.webhookSubscriptions.list({}, { token: 'another' })
    await standIn.client({ token: 't' }).oauth.revoke({ token: 'x' }, { clientId: 'planner', clientSecret: 'sluice gate' })
    const sent = standIn.requests.map(({ headers }) => headers.authorization)
    expect(sent).toEqual(['Bearer another', 'Bearer another', basic])
  })

  it('never appear in an error message, even if they are not valid in a header', async () => {
    const token = 'itk_secret\nthat breaks a line'
    const error = await callAny({ token }, 'retrieveMe')
    expect(error).toBeInstanceOf(InvalidCallError)
    if (!(error instanceof InvalidCallError)) return
    expect(JSON.stringify([error, String(error), error.stack, String(error.cause)])).not.toContain('itk_secret')
  })
})

describe('options', () => {
  it('of a call override those of the client, and headers are merged', async () => {
    standIn.play()
    const client = standIn.client({
      version: '2022-06-28',
      betas: ['a-2026-01-01'],
      headers: { 'X-Team': 'tides', 'X-Trace': '1' },
    })
    await client.users.me.retrieve()
    await client.users.me.retrieve(
      {},
      { version: '2025-09-03', betas: [], headers: { 'x-trace': '2', 'User-Agent': 'planner/3' } },
    )
    const { version } = JSON.parse(readFileSync('client/package.json', 'utf8')) as { version: string }
    const [first, second] = standIn.requests.map(({ headers }) => headers)
    const name = `workspace-service-client/${version}`
    expect(first).toMatchObject({ 'service-version': '2022-06-28', 'service-beta': 'a-2026-01-01', 'user-agent': name })
    expect(first).toMatchObject({ 'x-team': 'tides', 'x-trace': '1' })
    expect(second).toMatchObject({
      'service-version': '2025-09-03',
      'x-team': 'tides',
      'x-trace': '2',
      'user-agent': 'planner/3',
    })
    expect(second).not.toHaveProperty('service-beta')
  })

  it('rename every header for another brand, including the request id', async () => {
    standIn.play((response) => void response.writeHead(200, { 'X-Acme-Request-Id': 'r-1' }).end('{"object":"user"}'))
    const acme = standIn.client({ headerBrand: 'Acme' })
    expect(await acme.users.me.retrieve().withResponse()).toMatchObject({
      status: 200,
      requestId: 'r-1',
      data: { object: 'user' },
    })
    expect(standIn.requests[0]?.headers).toMatchObject({ 'acme-version': newestRelease })
  })

  it.each([
    { retries: -1 },
    { retries: NaN },
    { timeoutMilliseconds: 0 },
    { timeoutMilliseconds: Infinity },
    { firstWaitMilliseconds: -1 },
    { longestWaitMilliseconds: NaN },
  ])('of a client are refused immediately when invalid: %j', (options) => {
    expect(() => standIn.client(options)).toThrow(InvalidCallError)
  })

  it('of a call are refused when invalid, before the request is sent', async () => {
    standIn.play()
    await expect(standIn.client().users.me.retrieve({}, { retries: -1 })).rejects.toBeInstanceOf(InvalidCallError)
    await expect(standIn.client().users.me.retrieve({}, { headers: { 'no name': '' } })).rejects.toBeInstanceOf(InvalidCallError)
    expect(standIn.requests).toHaveLength(0)
  })
})

describe('a body', () => {
  it('is sent in the media type of the contract', async () => {
    standIn.play()
    const form = { client_id: uuid, decision: 'allow', authenticity_token: 'a b' }
    await callAny({}, 'createAuthorization', { body: form })
    await callAny({}, 'sendFileUpload', { path: { file_upload_id: uuid }, body: { file: new Blob(['tide']), part_number: '2' } })
    await callAny({}, 'createPage', { body: { markdown: '# Tide' } })
    const types = standIn.requests.map(({ headers }) => headers['content-type']?.split(';')[0])
    expect(types).toEqual(['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'])
    expect(standIn.requests[0]?.body).toBe(`client_id=${uuid}&decision=allow&authenticity_token=a+b`)
    expect(standIn.requests[1]?.body).toContain('name="part_number"')
  })

  it('is refused for an operation without a body', async () => {
    standIn.play()
    expect(await callAny({}, 'retrieveMe', { body: {} })).toMatchObject({ message: 'retrieveMe takes no body.' })
    expect(standIn.requests).toHaveLength(0)
  })

  it('is refused before the request is sent when JSON cannot represent it', async () => {
    standIn.play()
    const around: Record<string, unknown> = {}
    around['around'] = around
    for (const body of [around, { markdown: 1n }])
      expect(await callAny({}, 'createPage' satisfies OperationId, { body })).toBeInstanceOf(InvalidCallError)
    expect(standIn.requests).toHaveLength(0)
  })
})

it('the client sends an idempotency key only with the first page of a list', async () => {
  const list = (next: string | null) =>
    JSON.stringify({ object: 'list', results: [{}], has_more: next !== null, next_cursor: next })
  standIn.play(
    (response) => void response.writeHead(200).end(list('second')),
    (response) => void response.writeHead(200).end(list(null)),
  )
  let count = 0
  for await (const _found of standIn.client().search({ query: 'tide' }, { idempotencyKey: 'crate-17' })) count += 1
  expect(count).toBe(2)
  expect(standIn.requests.map(({ headers }) => headers['idempotency-key'])).toEqual(['crate-17', undefined])
  expect(standIn.requests[1]?.body).toBe('{"query":"tide","start_cursor":"second"}')
})
