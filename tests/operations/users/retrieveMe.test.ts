import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createConnection, updateConnection } from '../../../server/domain/administration/connections.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile, TOKEN } from '../../harness/server.ts'

const server = await serverOfFile()

describe('retrieveMe', () => {
  it("200 with the token's bot", async () => {
    const { status, body } = await server.owner.call('retrieveMe')
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'user',
      id: exampleWorkspace.bot.id,
      name: 'Yard Assistant',
      avatar_url: null,
      type: 'bot',
      request_id: null,
      bot: {
        owner: { type: 'workspace', workspace: true },
        workspace_id: exampleWorkspace.workspace.id,
        workspace_name: 'Northshore Boatworks',
        workspace_limits: { max_file_upload_size_in_bytes: 5_368_709_120 },
      },
    })
  })

  it('200 at every level of user information, and without any capability', async () => {
    for (const capabilities of [[], ['read_user_without_email'], ['read_user_with_email']] as const) {
      const { caller, botId } = await makeConnection(server, { capabilities })
      expect((await caller.call('retrieveMe')).body).toMatchObject({
        id: botId,
        bot: { workspace_id: exampleWorkspace.workspace.id },
      })
    }
  })

  it('200 with the current name and picture of the connection', async () => {
    const { database } = server.service
    const options = { workspaceId: exampleWorkspace.workspace.id, kind: 'internal', name: 'Crane', capabilities: [] } as const
    const iconUrl = 'https://example.org/crane.png'
    const made = await database.write((db) => createConnection(db, { ...options, iconUrl }, server.clock.now()))
    if (made.kind !== 'internal') throw new Error('not internal')
    const shown = async (): Promise<unknown> => {
      const { body } = await server.caller(made.installationToken).call('retrieveMe')
      return [body['name'], body['avatar_url']]
    }
    expect(await shown()).toStrictEqual(['Crane', iconUrl])
    await database.write((db) => updateConnection(db, made.connectionId, { name: 'Slipway crane' }))
    expect(await shown()).toStrictEqual(['Slipway crane', iconUrl])
    await database.write((db) => updateConnection(db, made.connectionId, { iconUrl: null }))
    expect(await shown()).toStrictEqual(['Slipway crane', null])
  })

  it('200 for the authorization scheme in upper or lower case', async () => {
    for (const scheme of ['bearer', 'BEARER']) {
      expect((await server.owner.call('retrieveMe', { headers: { Authorization: `${scheme} ${TOKEN}` } })).status).toBe(200)
    }
  })

  it('400 validation_error for an unknown parameter', async () => {
    expectInvalid(await server.owner.call('retrieveMe', { query: 'page_size=1' }), 'query.page_size')
  })

  it('401 unauthorized with the same message when the token is missing or unknown, or the scheme is not Bearer', async () => {
    const messages = new Set<unknown>()
    for (const Authorization of [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      'Bearer itk_unknown',
      'Basic aXRrOg==',
      TOKEN,
      `Bearer ${TOKEN} x`,
      `Bearer ${TOKEN}x`,
    ]) {
      const response = await server.owner.call('retrieveMe', { headers: { Authorization } })
      expectError(response, 401, 'unauthorized')
      expect(response.headers['www-authenticate']).toMatch(/^Bearer realm="api"/)
      expect(response.text).not.toContain('itk_')
      messages.add(response.body['message'])
    }
    expect(messages.size).toBe(1)
  })
})
