import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sweep } from '../../harness/sweeps.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { create, file, send } from '../../harness/files.ts'
import { idOf, resultsOf, textAt } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const MINUTE_MS = 60_000

const server = await serverOfFile()

const list = (query: Record<string, string | number> = {}, caller = server.owner): Promise<TestResponse> =>
  caller.call('listFileUploads', { query })
const ids = async (query: Record<string, string | number> = {}, caller = server.owner): Promise<string[]> =>
  resultsOf((await list(query, caller)).body).map(idOf)

describe('listFileUploads', () => {
  it("200 with the caller's own uploads, newest first, in all states or in one", async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    const made: string[] = []
    for (const minute of [0, 1, 2, 3]) {
      made.unshift(idOf(await create(caller, { filename: `${minute}.txt` })))
      server.clock.advance(MINUTE_MS)
    }
    const [newest = '', third = '', second = '', oldest = ''] = made
    for (const id of [oldest, third]) await send(caller, id, file('a'))
    await create(server.owner)

    const all = await list({}, caller)
    expect({ ...all.body, results: null, request_id: null }).toStrictEqual({
      object: 'list',
      type: 'file_upload',
      file_upload: {},
      has_more: false,
      next_cursor: null,
      results: null,
      request_id: null,
    })
    expect(resultsOf(all.body).map(idOf)).toStrictEqual(made)
    expect(await ids({ status: 'uploaded' }, caller)).toStrictEqual([third, oldest])
    expect(await ids({ status: 'pending' }, caller)).toStrictEqual([newest, second])

    // An hour later each has expired, whether or not the sweeper has run.
    server.clock.advance(56 * MINUTE_MS)
    expect(await ids({ status: 'expired' }, caller)).toStrictEqual([oldest])
    expect(await ids({ status: 'uploaded' }, caller)).toStrictEqual([third])
    await sweep(server.service.database, server.clock.now())
    server.clock.advance(MINUTE_MS)
    expect(await ids({ status: 'expired' }, caller)).toStrictEqual([second, oldest])
    expect(await ids({ status: 'failed' }, caller)).toStrictEqual([])
    const first = (await list({ status: 'expired', page_size: 1 }, caller)).body
    expect(resultsOf(first).map(idOf)).toStrictEqual([second])
    expect(await ids({ status: 'expired', page_size: 1, start_cursor: textAt(first, 'next_cursor') }, caller)).toStrictEqual([
      oldest,
    ])
  })

  it('200 with the list from the upload whose id is sent as the cursor', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    const made: string[] = []
    for (const name of ['a', 'b', 'c']) made.unshift(idOf(await create(caller, { filename: `${name}.txt` })))
    const sorted = await ids({}, caller)
    expect(sorted.toSorted()).toStrictEqual(made.toSorted())
    const [, middle = '', last = ''] = sorted
    expect(await ids({ start_cursor: middle }, caller)).toStrictEqual([middle, last])
    expect(await ids({ start_cursor: middle.replaceAll('-', '').toUpperCase(), page_size: 1 }, caller)).toStrictEqual([middle])
    const { body } = await list({ start_cursor: middle, page_size: 1 }, caller)
    expect(await ids({ start_cursor: textAt(body, 'next_cursor') }, caller)).toStrictEqual([last])
    const foreign = idOf(await create(server.owner))
    expectInvalid(await list({ start_cursor: foreign }, caller), 'query.start_cursor')
    const oddlyDashed = middle.replaceAll('-', '').replace(/^./, '$&-')
    expectInvalid(await list({ start_cursor: oddlyDashed }, caller), 'query.start_cursor')
  })

  it('200 with the list from the next upload in the requested state when the cursor is an upload in another state', async () => {
    const { caller } = await makeConnection(server, { capabilities: ['insert_content'] })
    const made: string[] = []
    for (const name of ['a', 'b', 'c']) {
      made.unshift(idOf(await create(caller, { filename: `${name}.txt` })))
      server.clock.advance(1)
    }
    const [newest = '', middle = '', oldest = ''] = made
    for (const id of [newest, oldest]) await send(caller, id, file('a'))
    expect(await ids({ status: 'uploaded', start_cursor: middle }, caller)).toStrictEqual([oldest])
    expect(await ids({ status: 'pending', start_cursor: newest }, caller)).toStrictEqual([middle])
  })

  it('400 validation_error for an unknown status, an invalid page size or an invalid cursor', async () => {
    expectInvalid(await list({ status: 'lost' }), 'query.status')
    expectInvalid(await list({ page_size: 101 }), 'query.page_size')
    expectInvalid(await list({ start_cursor: randomUUID() }), 'query.start_cursor')
  })

  it('401 unauthorized without a token', async () => {
    expectError(await list({}, server.caller(undefined)), 401, 'unauthorized')
  })
})
