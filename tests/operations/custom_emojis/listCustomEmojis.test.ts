import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()

const list = (query: Record<string, string | number> | string = {}, caller = server.owner): ReturnType<typeof caller.call> =>
  caller.call('listCustomEmojis', { query })
const names = async (query: Record<string, string | number> | string): Promise<unknown[]> =>
  resultsOf((await list(query)).body).map((emoji) => emoji['name'])
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

describe('listCustomEmojis', () => {
  it('200 with the emojis of the workspace, by name', async () => {
    const { status, body } = await list()
    expect(status).toBe(200)
    expect({ ...body, request_id: null }).toStrictEqual({
      object: 'list',
      type: 'custom_emoji',
      custom_emoji: {},
      has_more: false,
      next_cursor: null,
      request_id: null,
      results: [...exampleWorkspace.emojis]
        .reverse()
        .map(({ id, name }) => ({ id, name, url: `https://workspace.example/emoji/${name}.png` })),
    })
  })

  it('200 with the emoji whose whole name is sent, case-sensitively, with or without colons', async () => {
    expect(await names({ name: 'bowline' })).toStrictEqual(['bowline'])
    expect(await names({ name: ':bowline:' })).toStrictEqual(['bowline'])
    for (const name of ['bow', 'Bowline', 'bowline ', '%', ':', "' or 1=1 --", '⛵'])
      expect(await names({ name })).toStrictEqual([])
  })

  it('200 page by page, with cursors that look like ids and are bound to name and caller', async () => {
    const first = (await list({ page_size: 1 })).body
    expect(first).toMatchObject({ has_more: true, results: [{ name: 'bowline' }] })
    const cursor = textAt(first, 'next_cursor')
    expect(cursor).toMatch(UUID)
    expect(exampleWorkspace.emojis.map(({ id }) => String(id))).not.toContain(cursor)
    expect((await list({ page_size: 1, start_cursor: cursor })).body).toMatchObject({
      has_more: false,
      next_cursor: null,
      results: [{ name: 'rope_coil' }],
    })
    expectInvalid(await list({ start_cursor: cursor, name: 'rope_coil' }), 'query.start_cursor')
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expectInvalid(await list({ start_cursor: cursor }, caller), 'query.start_cursor')
  })

  it('200 even if no page is shared, because emojis belong to the workspace', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['read_content'] })
    expect(resultsOf((await list({}, caller)).body)).toHaveLength(2)
  })

  it('400 validation_error when page_size is out of range, the cursor malformed or the name empty', async () => {
    for (const size of ['0', '101', 'x']) expectInvalid(await list(`page_size=${size}`), 'query.page_size')
    for (const cursor of [randomUUID(), exampleWorkspace.emojis[0].id, 'x'])
      expectInvalid(await list({ start_cursor: cursor }), 'query.start_cursor')
    expectInvalid(await list('name='), 'query.name.length')
    expectInvalid(await list('name=a&name=b'), 'query.name')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await list({}, server.caller(undefined)), 401, 'unauthorized')
  })

  it('403 restricted_resource without the capability to read content', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content', 'read_user_with_email'] })
    expectError(await list({}, caller), 403, 'restricted_resource', 'read_content')
  })
})
