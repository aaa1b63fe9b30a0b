import { afterAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { updateConnection } from '../../server/domain/administration/index.ts'
import { makeConnection, makeMember } from '../harness/connections.ts'
import type { JsonObject } from '../harness/json.ts'
import { serverOfFile, startTestServer } from '../harness/server.ts'
import { ConsoleCaller } from './support/console_caller.ts'

const [ines, other] = exampleWorkspace.people
const workspaceId = exampleWorkspace.workspace.id
const server = await serverOfFile({ RATE_LIMIT: '30/60', RATE_LIMIT_WORKSPACE: '300/60' })
const unlimited = await startTestServer({ RATE_LIMIT: 'off' })
afterAll(() => unlimited.stop())

const limitsSeenBy = async (email: string, at = server): Promise<JsonObject> =>
  (await (await ConsoleCaller.of(at, email)).call('listRateLimits')).body
const named = (list: JsonObject, kind: string, name: string): JsonObject | undefined =>
  (list['results'] as JsonObject[]).find((one) => one['kind'] === kind && one['name'] === name)

describe('listRateLimits', () => {
  it('200 with the used requests of the workspace and of each connection for an owner, which it does not count', async () => {
    const { caller } = await makeConnection(server, { name: 'Tide table', capabilities: ['read_content'] })
    for (let count = 0; count < 3; count += 1) await caller.call('retrieveMe')
    for (let count = 0; count < 2; count += 1) {
      const list = await limitsSeenBy(ines.email)
      expect(list['is_enforced']).toBe(true)
      expect(named(list, 'connection', 'Tide table')).toMatchObject({ limit: 30, used: 3, window_seconds: 60 })
      expect(named(list, 'workspace', exampleWorkspace.workspace.name)).toMatchObject({ id: workspaceId, limit: 300, used: 3 })
    }
  })

  it('200 with the limit set for a connection', async () => {
    const { connectionId } = await makeConnection(server, { name: 'Slow boat', capabilities: ['read_content'] })
    await server.service.database.write((db) => updateConnection(db, connectionId, { rateLimit: 7 }))
    expect(named(await limitsSeenBy(ines.email), 'connection', 'Slow boat')).toMatchObject({ limit: 7, used: 0 })
  })

  it('200 with only their own limit for people who own no workspace', async () => {
    const member = await makeMember(server, other.id)
    await member.call('retrieveMe')
    const { results } = await limitsSeenBy(other.email)
    expect(results).toEqual([expect.objectContaining({ kind: 'person', id: other.id, workspace_id: null, limit: 30, used: 1 })])
  })

  it('200 without limits when they are off', async () => {
    expect(await limitsSeenBy(ines.email, unlimited)).toMatchObject({ is_enforced: false, results: [] })
  })
})
