import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { deleteGrant, insertGrant } from '../../server/store/grants.ts'
import { revokeTokens } from '../../server/store/tokens.ts'
import { makeConnection } from '../harness/connections.ts'
import { appendOne, makePage, paragraph } from '../harness/content.ts'
import { databaseOfFile } from '../harness/databases.ts'
import { expectNotFound } from '../harness/expectations.ts'
import { resultsOf, textAt } from '../harness/json.ts'
import { startTestServer, type TestServer } from '../harness/server.ts'
import { withinASecond } from '../harness/within_a_second.ts'

/** Several servers on one database: callers notice no state that is local to one server. */

const database = await databaseOfFile('none')
let servers: [TestServer, TestServer]
beforeAll(async () => {
  const settings = { DATABASE_URL: database.url }
  servers = [await startTestServer(settings), await startTestServer(settings)]
})
afterAll(() => Promise.all(servers.map((server) => server.stop())))

describe('several servers on one database', () => {
  it('200 with a token created through another server, and 401 within a second once it is revoked there', async () => {
    const { token, botId } = await makeConnection(servers[0], { capabilities: ['read_content'] })
    const caller = servers[1].caller(token)
    expect((await caller.call('retrieveMe')).status).toBe(200)
    await servers[0].service.database.write((db) =>
      revokeTokens(db, exampleWorkspace.workspace.id, botId, servers[0].clock.now()),
    )
    expect(await withinASecond(async () => (await caller.call('retrieveMe')).status, 401)).toBe(401)
  })

  it('200 as soon as a page is shared through another server, and 404 as soon as sharing ends there', async () => {
    const { token, botId } = await makeConnection(servers[0], { capabilities: ['read_content'] })
    const page = await makePage(servers[0].owner)
    const inside = await appendOne(servers[0].owner, page, paragraph('inside'))
    const look = () => servers[1].caller(token).call('retrieveBlock', { path: { block_id: inside } })
    expectNotFound(await look(), inside)
    await servers[0].service.database.write((db) => insertGrant(db, exampleWorkspace.workspace.id, botId, page, 1))
    expect((await look()).status).toBe(200)
    await servers[0].service.database.write((db) => deleteGrant(db, exampleWorkspace.workspace.id, botId, page))
    expectNotFound(await look(), inside)
  })

  it('200 for a list read alternately from two servers, with cursors of each other', async () => {
    const page = await makePage(
      servers[0].owner,
      'In turns',
      undefined,
      Array.from({ length: 7 }, (_, index) => paragraph(String(index))),
    )
    const seen: unknown[] = []
    let cursor: string | undefined
    for (let turn = 0; turn < 4; turn += 1) {
      const { body } = await (turn % 2 === 0 ? servers[0] : servers[1]).owner.call('listBlockChildren', {
        path: { block_id: page },
        query: { page_size: 2, ...(cursor === undefined ? {} : { start_cursor: cursor }) },
      })
      seen.push(...resultsOf(body).map((one) => one['id']))
      cursor = turn < 3 ? textAt(body, 'next_cursor') : undefined
    }
    expect(new Set(seen).size).toBe(7)
  })

  it('200 with the latest writes through another server', async () => {
    const page = await makePage(servers[0].owner)
    for (let round = 0; round < 10; round += 1) {
      const [writer, reader] = round % 2 === 0 ? servers : [servers[1], servers[0]]
      const id = await appendOne(writer.owner, page, paragraph(`round ${round}`))
      expect((await reader.owner.call('retrieveBlock', { path: { block_id: id } })).status).toBe(200)
    }
  })
})
