import { describe, expect, it } from 'vitest'
import { operations } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { findRoute } from '../../server/contract/operation.ts'
import { releaseDates } from '../../server/versions/index.ts'
import type { TestResponse } from '../harness/responses.ts'
import type { CallParts } from '../harness/caller.ts'
import { makeConnection } from '../harness/connections.ts'
import {
  allOperations,
  each,
  exampleCall,
  exampleForm,
  targetOf,
  takesForm,
  ghostPath,
  idParameters,
  outcomes,
  servedWith,
  takesJson,
  takesKey,
  type KnownOperation,
} from '../harness/every_operation.ts'
import { expectError } from '../harness/expectations.ts'
import { checksRules, withoutSql } from '../harness/long_runs.ts'
import { basic, EVERYTHING, makeClient } from '../harness/oauth.ts'
import { until } from '../harness/process.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'
import { unnamedWorkspaces, watchStatements } from '../harness/workspace_conditions.ts'

/** Rules that the chain enforces for every operation of the contract. */

// If you are here because an operation responds differently: its example in spec/ must be a valid request; earlier checks belong in the
// chain (server/http/steps/), never in a handler.
const IN_FLIGHT_MAX = 3
const RETRY_SECONDS = '7'
const bearer = servedWith('bearer', 'connection')
const clients = servedWith('client')
const machines = [...bearer, ...clients]
const people = servedWith('none')
// If you are here because an operation returns 200 for unshared objects: add its path parameter if everybody in the workspace sees these
// objects.
/** Parameters whose records are visible without sharing, as "Sharing" in the contract says. */
const SEEN_WITHOUT_SHARING: ReadonlySet<string> = new Set(['user_id', 'custom_emoji_id'])

watchStatements()
const server = await serverOfFile({ REQUESTS_IN_FLIGHT_MAX: String(IN_FLIGHT_MAX), OVERLOAD_RETRY_SECONDS: RETRY_SECONDS })
const { clientId, clientSecret } = await makeClient(server)
const clientHeader = basic(clientId, clientSecret)

function credentialsFor({ credentials }: KnownOperation): Record<string, string | undefined> {
  return credentials === 'client' ? { Authorization: clientHeader } : {}
}

/** Sends the contract's own example with a change. */
function sendExample(operation: KnownOperation, change: CallParts = {}, caller = server.owner): Promise<TestResponse> {
  const example = exampleCall(operation)
  const { path = example.path, query = example.query ?? {} } = change
  const headers = { ...example.headers, ...credentialsFor(operation), ...change.headers }
  if (!takesForm(operation)) return caller.call(operation.id, { ...example, ...change, path, query, headers })
  const target = `${targetOf(operation, path)}?${new URLSearchParams(query as Record<string, string>).toString()}`
  return caller.send(operation.method.toUpperCase(), target, {
    headers: { 'Content-Type': exampleForm.type, ...headers },
    body: exampleForm.text,
  })
}

/** Sends raw bytes to an operation's path. */
function sendRaw(
  operation: KnownOperation,
  body: string,
  headers: Record<string, string | undefined> = {},
): Promise<TestResponse> {
  return server.owner.send(operation.method.toUpperCase(), targetOf(operation), {
    headers: { ...exampleCall(operation).headers, ...credentialsFor(operation), 'Content-Type': 'application/json', ...headers },
    body,
  })
}

/** Requests that stay in flight until released: they wait for another change of their workspace. */
async function occupy(count: number): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>()
  const held = server.service.database.write(() => gate.promise, exampleWorkspace.workspace.id)
  const waiting = Array.from({ length: count }, () =>
    server.owner.call('appendBlockChildren', { path: { block_id: exampleWorkspace.pages.checklist }, body: { children: [] } }),
  )
  const busy = async (): Promise<number> =>
    Number(/workspace_requests_in_flight (\d+)/.exec(await (await fetch(`${server.url}/metrics`)).text())?.[1])
  await until(async () => ((await busy()) === count ? true : undefined))
  return async () => {
    gate.resolve()
    await Promise.all([held, ...waiting])
  }
}

// If you are here because a table is listed: add a condition on its own `workspace_id`, with a parameter, to the same query.
it('each SQL statement restricts each of its tables to one workspace', async () => {
  const statuses = await outcomes(bearer, (operation) => sendExample(operation))
  expect(Object.values(statuses).filter((status) => status.startsWith('200')).length).toBeGreaterThan(bearer.length / 3)
  expect(unnamedWorkspaces()).toEqual([])
})

withoutSql(describe)('checks before the token', () => {
  const bare = { Authorization: undefined, 'Service-Version': undefined }

  it("400 invalid_request when Accept excludes the operation's media type", async () => {
    const Accept = 'image/png, application/json;q=0'
    expect(await outcomes(machines, (operation) => sendExample(operation, { headers: { ...bare, Accept } }))).toEqual({
      ...each(bearer, '400 invalid_request'),
      ...each(clients, '400 invalid_request'),
    })
    expect(await outcomes(people, (operation) => sendExample(operation, { headers: { ...bare, Accept } }))).toEqual(
      each(people, '400'),
    )
  })

  it('every path leads to its operation, and literal segments come before parameters', () => {
    for (const { id, method, path } of allOperations) {
      const match = findRoute(method.toUpperCase(), path.slice(1).split('/'))
      expect(match && 'operation' in match ? match.operation.id : undefined, path).toBe(id)
    }
  })

  it.each([
    ['/v1/page/479dd02e', '/v1/pages/{page_id}'],
    ['/v1/block/479dd02e/childen', '/v1/blocks/{block_id}/children'],
    ['/v2/search', '/v1/search'],
  ])('400 invalid_request_url for the unknown path %s, naming the similar path %s', async (path, similar) => {
    const response = await server.owner.send('GET', path)
    expectError(response, 400, 'invalid_request_url')
    expect(response.body['message']).toBe(`This path does not exist. Did you mean ${similar}?`)
  })

  it('400 invalid_request_url for an unknown path, without a suggestion if none is similar', async () => {
    for (const path of ['/v1/nowhere', '/v1/blocks/479dd02e/parents', `/v1/${'pages'.repeat(1_000)}`])
      expect((await server.owner.send('GET', path)).body['message'], path).toBe('This path does not exist.')
  })

  it('400 invalid_request_url for unserved methods, naming the served ones', async () => {
    for (const path of new Set(machines.map((operation) => operation.path))) {
      const served = allOperations.filter((operation) => operation.path === path).map(({ method }) => method.toUpperCase())
      const target = path.replace(/\{\w+\}/g, 'x')
      for (const method of ['PUT', 'GET', 'POST', 'PATCH', 'DELETE'].filter((one) => !served.includes(one))) {
        const response = await server.caller(undefined, undefined).send(method, target)
        expect([`${method} ${path}`, response.body['code']]).toEqual([`${method} ${path}`, 'invalid_request_url'])
        const allowed = String(response.headers.allow).split(', ')
        expect(allowed, path).toEqual(expect.arrayContaining([...served, 'OPTIONS']))
        expect(allowed.includes('HEAD'), path).toBe(served.includes('GET'))
      }
    }
  })
})

withoutSql(describe)('token, version and beta', () => {
  it('401 without a token, with an unknown token and with the wrong scheme', async () => {
    for (const Authorization of [undefined, 'Bearer itk_nobody_knows_this_token', 'Basic eDp5', `Token ${TOKEN}`]) {
      const headers = { Authorization, 'Service-Version': undefined }
      expect(await outcomes(machines, (operation) => sendExample(operation, { headers })), String(Authorization)).toEqual({
        ...each(bearer, '401 unauthorized'),
        ...each(clients, '401 invalid_client'),
      })
    }
  })

  it('400 missing_version without a version or with an invalid one, and 400 invalid_beta for an unknown flag', async () => {
    for (const headers of [{ 'Service-Version': undefined, 'Service-Beta': '?' }, { 'Service-Version': '2024-01-01' }])
      expect(await outcomes(bearer, (operation) => sendExample(operation, { headers }))).toEqual(
        each(bearer, '400 missing_version'),
      )
    expect(
      await outcomes(bearer, (operation) => sendExample(operation, { headers: { 'Service-Beta': 'nope-2026-01-01' } })),
    ).toEqual(each(bearer, '400 invalid_beta'))
  })
})

withoutSql(describe)('operations by version', () => {
  const existsAt = ({ available: { from, before } }: KnownOperation, date: string): boolean =>
    (from === undefined || date >= from) && (before === undefined || date < before)
  const dated = allOperations.filter(({ credentials }) => credentials === 'bearer' || credentials === 'connection')

  it.each(releaseDates)('version %s has exactly the operations of its contract', async (date) => {
    const caller = server.caller(TOKEN, date)
    const refused: string[] = []
    for (const operation of dated) {
      // With an invalid id, so that nothing is executed.
      const path = Object.fromEntries(operation.pathParameters.map((name) => [name, 'x']))
      const query = operation.pathParameters.length === 0 ? { page_size: 'x' } : {}
      const response = await caller.call(operation.id, { path, query, ...(takesJson(operation) ? { body: { a: 1 } } : {}) })
      if (response.body['code'] === 'invalid_request_url') refused.push(operation.id)
    }
    expect(refused).toEqual(dated.filter((operation) => !existsAt(operation, date)).map(({ id }) => id))
  })

  it('only listDatabases and the operations on data sources and views depend on the version', () => {
    const since = (prefix: string): (string | undefined)[] =>
      allOperations.filter(({ path }) => path.startsWith(prefix)).map(({ available }) => available.from)
    expect(new Set([...since('/v1/data_sources'), ...since('/v1/views')])).toEqual(new Set(['2025-09-03']))
    expect(operations.listDatabases.available).toEqual({ before: '2022-02-22' })
    const limited = allOperations.filter(({ available: { from, before } }) => from !== undefined || before !== undefined)
    expect(limited.filter(({ path }) => !/^\/v1\/(?:data_sources|views)(?:\/|$)/.test(path)).map(({ id }) => id)).toEqual([
      'listDatabases',
    ])
  })
})

describe('every operation', () => {
  const withJson = bearer.filter(takesJson)
  const withId = bearer.filter((operation) => idParameters(operation).length > 0)

  withoutSql(it)('400 invalid_json when the body is not JSON, or of another content type', async () => {
    expect(await outcomes(withJson, (operation) => sendRaw(operation, '{'))).toEqual(each(withJson, '400 invalid_json'))
    const headers = { 'Content-Type': 'text/plain' }
    expect(await outcomes(withJson, (operation) => sendRaw(operation, '{}', headers))).toEqual(each(withJson, '400 invalid_json'))
    expect(await outcomes(clients, (operation) => sendRaw(operation, '{'))).toEqual(each(clients, '400 invalid_request'))
  })

  withoutSql(it)('400 validation_error at body when the body is not an object', async () => {
    for (const operation of withJson)
      expect((await sendRaw(operation, '[]')).body['message'], operation.id).toMatch(/\bbody should be an object/)
  })

  const NO_IDS = ['no-id', '2c5ea4c0-4067-11e9-8bad-9b1deb4d3b7d']
  it.each(checksRules ? NO_IDS : [])('400 at the path id for the malformed id: %s', async (id) => {
    for (const operation of withId) {
      for (const name of idParameters(operation)) {
        const path = { ...exampleCall(operation).path, [name]: id }
        const response = await sendExample(operation, {
          path,
          query: { strange: '1' },
          ...(takesJson(operation) ? { body: { strange: 1 } } : {}),
        })
        expect([operation.id, response.status, response.body['message']]).toEqual([
          operation.id,
          400,
          `path failed validation: path.${name} should be a valid uuid, instead was \`"${id}"\`.`,
        ])
      }
    }
  })

  withoutSql(it)('400 validation_error for an unknown key of the query or the body', async () => {
    for (const operation of bearer) {
      const { query } = exampleCall(operation)
      const response = await sendExample(operation, { query: { ...(query as object), strange: '1' } })
      expect(response.body['message'], operation.id).toContain('query.strange should be not present')
    }
    for (const operation of withJson) {
      const { body } = exampleCall(operation)
      const response = await sendExample(operation, { body: { ...(body as object), strange: 1 } })
      expect(response.body['message'], operation.id).toContain('body.strange')
    }
  })

  it('404 object_not_found when the target is missing', async () => {
    const found = await outcomes(withId, (operation) => sendExample(operation, { path: ghostPath(operation) }))
    expect(found).toEqual(each(withId, '404 object_not_found'))
  })

  it('404 with the same response, except for ids, for a target that is not shared as for a missing one', async () => {
    const { caller } = await makeConnection(server, { capabilities: EVERYTHING })
    const errorText = async (operation: KnownOperation, path: Record<string, string>): Promise<string> => {
      const { text, body } = await sendExample(operation, { path }, caller)
      const ids = [String(body['request_id']), ...Object.values(path)]
      return ids.reduce((left, id) => left.replaceAll(id, '<id>'), text)
    }
    for (const operation of withId.filter((one) => !idParameters(one).some((name) => SEEN_WITHOUT_SHARING.has(name)))) {
      const hidden = await errorText(operation, exampleCall(operation).path)
      expect([operation.id, hidden]).toEqual([operation.id, await errorText(operation, ghostPath(operation))])
      expect(hidden, operation.id).toContain('"status":404')
    }
  })

  it('409 idempotency_key_reused for a key of another request', async () => {
    const headers = { 'Idempotency-Key': 'used-for-a-page' }
    expect((await server.owner.call('createPage', { body: { properties: { title: { title: [] } } }, headers })).status).toBe(200)
    const keyed = bearer.filter(takesKey)
    const found = await outcomes(keyed, (operation) => sendExample(operation, { path: ghostPath(operation), headers }))
    expect(found).toEqual(each(keyed, '409 idempotency_key_reused'))
  })

  it('200 for HEAD as for GET, and a response without a body', async () => {
    const gets = bearer.filter(({ method }) => method === 'get')
    for (const operation of gets) {
      const { query, headers = {} } = exampleCall(operation)
      const target = `${targetOf(operation)}?${new URLSearchParams(query as Record<string, string>).toString()}`
      const head = await server.owner.send('HEAD', target, { headers })
      const get = await server.owner.send('GET', target, { headers })
      expect([operation.id, head.status, head.text]).toEqual([operation.id, get.status, ''])
      expect(head.headers['content-type'], operation.id).toBe(get.headers['content-type'])
    }
  })
})

describe('every operation with an internal error', () => {
  /** Without the first tables no caller can be authenticated; without the others no request succeeds. */
  const KNOWING = ['connections', 'grants', 'tokens', 'users', 'workspaces']
  const rename = (tables: readonly string[], from: string, to: string): Promise<void> =>
    server.service.database.write(async (db) => {
      for (const table of tables) await db.run(`alter table ${table}${from} rename to ${table}${to}`)
    })
  const tables = async (): Promise<string[]> => {
    const rows = await server.service.database.read((db) =>
      db.all(
        { name: 'text' },
        server.service.database.engine === 'sqlite'
          ? "select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'"
          : "select tablename as name from pg_tables where schemaname = 'public'",
      ),
    )
    return rows.map(({ name }) => name)
  }

  it('500 internal_server_error, without details', async () => {
    const others = (await tables()).filter((table) => !KNOWING.includes(table))
    expect(others.length).toBeGreaterThan(10)
    const spared: KnownOperation[] = []
    await rename(others, '', '_away')
    for (const operation of bearer) {
      const response = await sendExample(operation)
      if (response.status === 500) expect(response.text, operation.id).not.toMatch(/sql|table|column|relation|node:|\.ts|stack/i)
      else spared.push(operation)
    }
    await rename(others, '_away', '')
    // Operations that only need users and facts of the contract. If you are here because an operation is listed: it responds without the
    // database. Either it hides a failure, or it needs no data, and this filter must exclude it.
    expect(spared.map(({ id }) => id).filter((id) => !id.includes('User') && id !== 'retrieveMe')).toEqual([])
    await rename(['users'], '', '_away')
    expect(await outcomes(spared, (operation) => sendExample(operation))).toEqual(each(spared, '500 internal_server_error'))
    await rename(['users'], '_away', '')
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })
})

describe('every operation before any other check', () => {
  it('529 service_overload with Retry-After during overload', async () => {
    const release = await occupy(IN_FLIGHT_MAX)
    const response = [...machines, ...people]
    for (const operation of response) {
      const response = await server.caller(undefined, undefined).call(operation.id, { path: ghostPath(operation) })
      expect([operation.id, response.status, response.headers['retry-after']]).toEqual([operation.id, 529, RETRY_SECONDS])
      expect(response.headers['ratelimit']).toBeUndefined()
    }
    await release()
    expect((await server.owner.call('retrieveMe')).status).toBe(200)
  })

  it('503 service_unavailable while the service stops', async () => {
    const release = await occupy(1)
    const stopped = server.service.stop()
    for (const operation of [...machines, ...people]) {
      const response = await server.caller(undefined, undefined).call(operation.id, { path: ghostPath(operation) })
      expect([operation.id, response.status]).toEqual([operation.id, 503])
    }
    await release()
    await stopped
  })
})
