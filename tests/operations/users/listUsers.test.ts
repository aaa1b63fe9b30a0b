import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sampleContent } from '../../../server/bootstrap/sample_content.ts'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { createPerson, removePerson } from '../../../server/domain/administration/people.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const list = (query: Record<string, string | number> | string = {}, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('listUsers', { query })

describe('listUsers', () => {
  it("200 with people, then bots, each in order of joining, and only the caller's own bot in full", async () => {
    server.clock.advance(1000)
    const other = await makeConnection(server, { capabilities: [], name: 'Sync bot' })
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toMatchObject({ object: 'list', type: 'user', user: {}, has_more: false, next_cursor: null })
    expect(resultsOf(body)).toStrictEqual([
      ...exampleWorkspace.people.map(({ id, name, email }) => ({
        object: 'user',
        id,
        name,
        avatar_url: null,
        type: 'person',
        person: { email },
      })),
      {
        object: 'user',
        id: exampleWorkspace.bot.id,
        name: exampleWorkspace.bot.name,
        avatar_url: null,
        type: 'bot',
        bot: {
          owner: { type: 'workspace', workspace: true },
          workspace_id: exampleWorkspace.workspace.id,
          workspace_name: exampleWorkspace.workspace.name,
          workspace_limits: { max_file_upload_size_in_bytes: 5_368_709_120 },
        },
      },
      ...sampleContent('agents').map(({ id, name }) => ({
        ...{ object: 'user', id, name, avatar_url: null, type: 'bot' },
        bot: { agent_id: id },
      })),
      { object: 'user', id: other.botId, name: 'Sync bot', avatar_url: null, type: 'bot', bot: {} },
    ])
  })

  it('200 with {} for a person without a visible email', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_user_without_email'] })
    const response = await list({}, caller)
    expect(
      resultsOf(response.body)
        .filter((user) => user['type'] === 'person')
        .map((user) => user['person']),
    ).toStrictEqual([{}, {}, {}])
    expect(response.text).not.toContain('@northshore.example')
  })

  it('200 without guests and former members, and with null for a missing name or picture', async () => {
    const { workspace } = exampleWorkspace
    const before = resultsOf((await list()).body).map(idOf)
    const [, left] = await server.service.database.write(async (db) => {
      const make = (name: string, role: 'guest' | 'restricted' | 'member'): Promise<string> =>
        createPerson(db, { workspaceId: workspace.id, email: `${name}@sails.example`, name, role }, server.clock.now())
      const made = [await make('lena', 'guest'), await make('gone', 'member'), await make('sam', 'restricted')] as const
      await db.run('update users set name = null where id = ?', made[2])
      await removePerson(db, workspace.id, made[1], server.clock.now())
      return made
    })
    const added = resultsOf((await list()).body).filter((user) => !before.includes(idOf(user)))
    expect(added).toMatchObject([{ type: 'person', name: null, avatar_url: null }])
    expect(added.map(idOf)).not.toContain(left)
  })

  it('200 page by page, without repeats', async () => {
    const whole = resultsOf((await list()).body)
    const found: unknown[] = []
    let query: Record<string, string | number> = { page_size: 1 }
    for (;;) {
      const { body } = await list(query)
      found.push(...resultsOf(body))
      if (body['has_more'] === false) break
      query = { page_size: 2, start_cursor: textAt(body, 'next_cursor') }
    }
    expect(found).toStrictEqual(whole)
  })

  it('400 validation_error when page_size is out of range, the cursor is malformed or of another list, or a parameter is unknown', async () => {
    for (const size of ['0', '-1', '101', '2.5', 'ten', '']) expectInvalid(await list(`page_size=${size}`), 'query.page_size')
    const { caller } = await makeConnection(server, { capabilities: ['read_user_with_email'] })
    const cursor = textAt((await list({ page_size: 1 })).body, 'next_cursor')
    for (const [query, expected] of [
      [{ start_cursor: 'x' }, server.owner],
      [{ start_cursor: randomUUID() }, server.owner],
    ] as const) {
      expectInvalid(await list(query, expected), 'query.start_cursor')
    }
    expect((await list({ start_cursor: cursor }, caller)).status).toBe(200)
    expectInvalid(await server.owner.call('listCustomEmojis', { query: { start_cursor: cursor } }), 'query.start_cursor')
    expectInvalid(await list('name=Ines'), 'query.name')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await list({}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without a capability for user information', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'], grants: [exampleWorkspace.workspace.id] })
    const response = await list({}, caller)
    expectError(response, 403, 'restricted_resource')
    expect(JSON.stringify(response.body['additional_data'])).toContain('read_user_without_email')
  })
})
