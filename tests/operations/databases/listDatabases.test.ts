import { describe, expect, it } from 'vitest'
import { makeConnection } from '../../harness/connections.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase } from '../../harness/databases_content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

describe('listDatabases', () => {
  it('200 with directly shared databases, page by page, and 400 at later versions', async () => {
    const made = [
      await makeDatabase(server.owner, parent),
      await makeDatabase(server.owner, parent),
      await makeDatabase(server.owner, parent),
    ]
    const { token } = await makeConnection(server, { capabilities: ['read_content'], grants: made.map(({ id }) => id) })
    const older = server.caller(token, '2021-08-16')
    const all = await older.call('listDatabases')
    expect(resultsOf(all.body).map(idOf).toSorted()).toStrictEqual(made.map(({ id }) => id).toSorted())
    const first = await older.call('listDatabases', { query: { page_size: 2 } })
    expect(first.body['has_more']).toBe(true)
    const rest = await older.call('listDatabases', { query: { page_size: 2, start_cursor: String(first.body['next_cursor']) } })
    expect([...resultsOf(first.body), ...resultsOf(rest.body)].map(idOf)).toStrictEqual(resultsOf(all.body).map(idOf))
    expect(resultsOf((await server.caller(TOKEN, '2021-08-16').call('listDatabases')).body)).toStrictEqual([])
    expectInvalid(await older.call('listDatabases', { query: { start_cursor: 'x' } }), 'query.start_cursor')
    expectError(await server.owner.call('listDatabases'), 400, 'invalid_request_url')
    expectError(await server.caller(undefined, '2021-08-16').call('listDatabases'), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['update_content'] })
    expectError(await server.caller(writer.token, '2021-08-16').call('listDatabases'), 403, 'restricted_resource')
    expect(at(all.body, 'results', 0, 'object')).toBe('database')
  })
})
