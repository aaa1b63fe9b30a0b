import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validatorOf } from '../harness/contract.ts'
import { parseObject, type JsonObject } from '../harness/json.ts'
import { decide, makeClient } from '../harness/oauth.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'

let server: TestServer
beforeAll(async () => void (server = await startTestServer()))
afterAll(() => server.stop())

async function read(path: string, from = server): Promise<JsonObject> {
  const { status, headers, text } = await from.caller(undefined, undefined).page(path)
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'application/json; charset=utf-8' })
  const document = parseObject(text)
  const validate = validatorOf({
    $ref: `#/components/schemas/${path === SERVER ? 'OAuthServerMetadata' : 'OAuthResourceMetadata'}`,
  })
  expect(validate(document), JSON.stringify(validate.errors)).toBe(true)
  return document
}

describe('the metadata of the authorization server', () => {
  it('names the endpoints and features of the contract', async () => {
    expect(await read(SERVER)).toEqual({
      issuer: server.url,
      authorization_endpoint: `${server.url}/v1/oauth/authorize`,
      token_endpoint: `${server.url}/v1/oauth/token`,
      introspection_endpoint: `${server.url}/v1/oauth/introspect`,
      revocation_endpoint: `${server.url}/v1/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: [
        'read_content',
        'insert_content',
        'update_content',
        'read_comments',
        'insert_comments',
        'interact_with_agents',
        'read_user_with_email',
        'read_user_without_email',
      ],
      token_endpoint_auth_methods_supported: ['client_secret_basic'],
      introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
      revocation_endpoint_auth_methods_supported: ['client_secret_basic'],
      authorization_response_iss_parameter_supported: true,
      service_documentation: `${server.url}/docs/`,
    })
  })

  it('names only existing endpoints', async () => {
    const document = await read(SERVER)
    for (const [name, method] of [
      ['authorization_endpoint', 'GET'],
      ['token_endpoint', 'POST'],
      ['introspection_endpoint', 'POST'],
      ['revocation_endpoint', 'POST'],
    ] as const) {
      const { text } = await server.caller(undefined, undefined).page(new URL(String(document[name])).pathname, method)
      expect([name, text.includes('does not exist'), text.includes('not served')]).toEqual([name, false, false])
    }
  })

  it('names the same issuer as redirects after Allow and Cancel', async () => {
    const client = await makeClient(server)
    const { issuer } = await read(SERVER)
    for (const decision of ['allow', 'cancel'] as const)
      expect((await decide(server, client, decision)).searchParams.getAll('iss')).toEqual([issuer])
  })
})

describe('a caller without a valid token', () => {
  it.each([
    ['no token', {}, ''],
    ['another scheme', { Authorization: 'Basic eDp5' }, ''],
    ['an invalid token', { Authorization: 'Bearer itk_nobody' }, 'error="invalid_token", '],
  ] as const)('gets 401 with the address of the metadata document: %s', async (_what, headers, error) => {
    const response = await server.caller(undefined).send('GET', '/v1/users/me', { headers })
    expect(response.status).toBe(401)
    expect(response.headers['www-authenticate']).toBe(`Bearer realm="api", ${error}resource_metadata="${server.url}${RESOURCE}"`)
  })

  it('finds the authorization server in the metadata document', async () => {
    const resource = await read(RESOURCE)
    expect(resource).toMatchObject({ resource: server.url, bearer_methods_supported: ['header'] })
    const [issuer] = resource['authorization_servers'] as string[]
    expect(issuer).toBe((await read(SERVER))['issuer'])
  })
})

it('both metadata documents name the public address of the service', async () => {
  const other = await startTestServer({ BASE_URL: 'https://workspace.example' })
  try {
    expect(await read(SERVER, other)).toMatchObject({
      issuer: 'https://workspace.example',
      token_endpoint: 'https://workspace.example/v1/oauth/token',
    })
    expect(await read(RESOURCE, other)).toMatchObject({ resource: 'https://workspace.example' })
    const { headers } = await other.caller(undefined).call('retrieveMe')
    expect(headers['www-authenticate']).toContain('"https://workspace.example/.well-known/oauth-protected-resource"')
  } finally {
    await other.stop()
  }
})
