import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { changeAgent, makeAgent, setTerms, spend } from '../harness/agents.ts'
import type { TestResponse } from '../harness/responses.ts'
import { appendOne, makePage, paragraph, row, text } from '../harness/content.ts'
import { makeConnection } from '../harness/connections.ts'
import { makeDatabase, makeRow, type MadeDatabase } from '../harness/databases_content.ts'
import { expectError, expectInvalid } from '../harness/expectations.ts'
import { idOf } from '../harness/json.ts'
import { stopped } from '../harness/sessions.ts'
import { serverOfFile, TOKEN } from '../harness/server.ts'

/** Which of several faults determines the response. */

const server = await serverOfFile()
const writeOnly = await makeConnection(server, { capabilities: ['insert_content'], grants: [exampleWorkspace.workspace.id] })
const nothingShared = await makeConnection(server, { capabilities: ['read_content', 'insert_content', 'update_content'] })

const GHOST = '7d1a3a5e-6a0f-4c83-9c53-5a3f2b7f0a11'
const JSON_TYPE = { 'Content-Type': 'application/json' }
const bare = { Authorization: undefined, 'Service-Version': undefined }

/** A session with a completed turn. */
async function sessionWith(agent_id: string): Promise<string> {
  const id = idOf((await server.owner.call('createSession', { body: { agent_id, message: 'Hello' } })).body)
  await stopped(server.owner, id)
  return id
}

describe('the response to a request with several faults reports', () => {
  it('an unknown path before everything else', async () => {
    expectError(await server.owner.send('GET', '/v1/nowhere', { headers: bare }), 400, 'invalid_request_url')
    expectError(await server.owner.send('POST', '/v2/pages', { headers: bare }), 400, 'invalid_request_url')
  })

  it('an unserved method before the token, naming the served ones', async () => {
    const response = await server.owner.send('PUT', `/v1/pages/${GHOST}`, { headers: bare })
    expectError(response, 400, 'invalid_request_url')
    expect(String(response.headers.allow).split(', ').sort()).toStrictEqual(['GET', 'HEAD', 'OPTIONS', 'PATCH'])
    expectError(await server.owner.send('DELETE', '/v1/users', { headers: bare }), 400, 'invalid_request_url')
  })

  it('an unsatisfiable Accept header before the token', async () => {
    for (const Accept of ['text/html', 'image/png, text/plain', 'application/json;q=0', 'text/event-stream']) {
      expectError(await server.owner.call('retrieveMe', { headers: { ...bare, Accept } }), 400, 'invalid_request')
    }
    for (const Accept of [
      '*/*',
      'application/*',
      'application/json',
      'text/html, application/json;q=0.9',
      'Application/JSON; charset=utf-8',
      '',
    ]) {
      expect((await server.owner.call('retrieveMe', { headers: { Accept } })).status, Accept).toBe(200)
    }
  })

  it('a missing token before version and beta', async () => {
    expectError(await server.owner.call('retrieveMe', { headers: bare }), 401, 'unauthorized')
    expectError(
      await server.owner.call('retrieveMe', {
        headers: { Authorization: 'Bearer itk_unknown', 'Service-Version': undefined, 'Service-Beta': 'x' },
      }),
      401,
      'unauthorized',
    )
    expectError(
      await server.owner.send('GET', `/v1/users/me?token=${TOKEN}`, { headers: { Authorization: undefined } }),
      401,
      'unauthorized',
    )
  })

  it('a bad version before a bad beta', async () => {
    expectError(
      await server.owner.call('retrieveMe', { headers: { 'Service-Version': undefined, 'Service-Beta': 'bad' } }),
      400,
      'missing_version',
    )
    expectError(
      await server.owner.call('retrieveMe', { headers: { 'Service-Version': '2099-01-01' } }),
      400,
      'missing_version',
      '2026-03-11',
    )
  })

  it('a bad beta before the body', async () => {
    expectError(
      await server.owner.send('POST', '/v1/pages', { headers: { ...JSON_TYPE, 'Service-Beta': 'bad' }, body: '{' }),
      400,
      'invalid_beta',
    )
  })

  it('a bad beta before an operation that the version lacks', async () => {
    const headers = { 'Service-Version': '2022-06-28', 'Service-Beta': 'bad' }
    expectError(await server.owner.send('GET', `/v1/data_sources/${GHOST}`, { headers }), 400, 'invalid_beta')
    expectError(
      await server.owner.send('GET', `/v1/data_sources/${GHOST}`, { headers: { 'Service-Version': '2022-06-28' } }),
      400,
      'invalid_request_url',
    )
  })

  it('a missing capability before the body, its size and a missing target', async () => {
    const reader = (await makeConnection(server, { capabilities: ['read_content'] })).caller
    for (const body of ['{', '[]', JSON.stringify({ filler: 'x'.repeat(600_000) })]) {
      expectError(
        await reader.send('PATCH', `/v1/blocks/${GHOST}/children`, { headers: JSON_TYPE, body }),
        403,
        'restricted_resource',
        'insert_content',
      )
    }
    expectError(await writeOnly.caller.call('retrieveBlock', { path: { block_id: 'malformed' } }), 403, 'restricted_resource')
  })

  it('broken JSON before a malformed path id', async () => {
    expectError(await server.owner.send('PATCH', '/v1/blocks/malformed', { headers: JSON_TYPE, body: '{' }), 400, 'invalid_json')
  })

  it('faults in the path before the query, and in the query before the body', async () => {
    const wrongBody = { headers: JSON_TYPE, body: '{"in_trash":1}' }
    expectInvalid(await server.owner.send('PATCH', '/v1/pages/malformed?filter_properties=', wrongBody), 'path.page_id')
    expectInvalid(
      await server.owner.send('PATCH', `/v1/pages/${GHOST}?filter_properties=`, wrongBody),
      'query.filter_properties[0].length',
    )
    expectInvalid(await server.owner.send('PATCH', `/v1/pages/${GHOST}?nope=1`, wrongBody), 'query.nope')
    expectInvalid(await server.owner.send('PATCH', `/v1/pages/${GHOST}`, wrongBody), 'body.in_trash')
  })

  it('a fault in the body before a hidden page', async () => {
    expectInvalid(
      await nothingShared.caller.call('updatePage', {
        path: { page_id: exampleWorkspace.pages.checklist },
        body: { in_trash: null },
      }),
      'body.in_trash',
    )
    expectInvalid(
      await nothingShared.caller.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [{ table: { table_width: 2, children: [row('a')] } }] },
      }),
      'body.children[0].table.children[0].table_row.cells.length',
    )
  })

  it('a hidden target before references in the body, and the first missing reference', async () => {
    const mention = (id: string): object => ({ paragraph: { rich_text: [{ mention: { page: { id } } }] } })
    const other = randomUUID()
    expectError(
      await nothingShared.caller.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [mention(GHOST)] },
      }),
      404,
      'object_not_found',
      exampleWorkspace.pages.checklist,
    )
    expectError(
      await server.owner.call('appendBlockChildren', {
        path: { block_id: exampleWorkspace.pages.checklist },
        body: { children: [mention(GHOST), mention(other)] },
      }),
      404,
      'object_not_found',
      GHOST,
    )
  })

  it('missing references in the body before the trash', async () => {
    const page = await makePage(server.owner)
    const id = await appendOne(server.owner, page, paragraph('x'))
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    const body = { properties: { title: [{ mention: { user: { id: GHOST } } }] } }
    expectError(await server.owner.call('updatePage', { path: { page_id: page }, body }), 404, 'object_not_found', GHOST)
    expectInvalid(
      await server.owner.call('updatePage', { path: { page_id: page }, body: { properties: { title: [text('x')] } } }),
      'path.page_id',
    )
    expectInvalid(
      await server.owner.call('updateBlock', { path: { block_id: id }, body: { paragraph: { color: 'red' } } }),
      'trash',
    )
  })

  it('a missing capability before a lock', async () => {
    const page = await makePage(server.owner)
    await server.owner.call('updatePage', { path: { page_id: page }, body: { is_locked: true } })
    expectError(await writeOnly.caller.call('updatePage', { path: { page_id: page }, body: {} }), 403, 'restricted_resource')
  })

  it('an unknown property before the trash', async () => {
    const page = await makePage(server.owner)
    await server.owner.call('deleteBlock', { path: { block_id: page } })
    expectInvalid(
      await server.owner.call('updatePage', { path: { page_id: page }, body: { properties: { Nope: { number: 1 } } } }),
      'body.properties.Nope',
    )
  })

  it('an unknown property of a row before the row limit', async () => {
    const { sourceId } = await makeDatabase(server.owner, exampleWorkspace.pages.handbook)
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 250000 where id = ?', sourceId),
    )
    const parent = { data_source_id: sourceId }
    expectInvalid(
      await server.owner.call('createPage', { body: { parent, properties: { Nope: { number: 1 } } } }),
      'body.properties.Nope',
    )
    expectError(await server.owner.call('createPage', { body: { parent } }), 406, 'row_limit_exceeded')
  })

  it('a deleted agent before exhausted credits', async () => {
    const agent_id = await makeAgent(server)
    const session_id = await sessionWith(agent_id)
    await setTerms(server, { credits: 0 })
    await server.owner.call('deleteAgent', { path: { agent_id } })
    for (const target of [{ agent_id }, { session_id }])
      expectError(await server.owner.call('createSession', { body: { ...target, message: 'Ahoy' } }), 409, 'agent_deleted')
    await setTerms(server, { credits: null })
  })

  it('exhausted credits of the workspace before the limit of the agent', async () => {
    const agent_id = await makeAgent(server)
    const session_id = await sessionWith(agent_id)
    await server.owner.call('updateAgentCreditLimit', { path: { agent_id }, body: { credit_limit: 1 } })
    await spend(server, agent_id, 2_000)
    const request = (): Promise<TestResponse> => server.owner.call('createSession', { body: { session_id, message: 'Ahoy' } })
    expectError(await request(), 403, 'agent_credit_limit_reached')
    await setTerms(server, { credits: 0 })
    const both = await request()
    expectError(both, 403, 'workspace_credits_exhausted')
    expect(both.body['additional_data']).toMatchObject({
      tool_error_code: 'workspace_credits_exhausted',
      tool_error_class: 'entitlement_required',
      tool_error_retryable: 'false',
    })
    await setTerms(server, { credits: null })
  })

  it('for a message, in this order: missing files, a deleted agent, files in the wrong state, credits, a pause, a running turn', async () => {
    const [agent_id, deleted] = [await makeAgent(server, { creditLimit: 0 }), await makeAgent(server)]
    const session_id = await sessionWith(await makeAgent(server))
    const busy = `update sessions set agent_id = ?, status = 'queued' where id = ?`
    await server.service.database.write((db) => db.run(busy, agent_id, session_id))
    await server.owner.call('deleteAgent', { path: { agent_id: deleted } })
    const pending = idOf((await server.owner.call('createFileUpload', { body: {} })).body)
    const request = (target: object, ...ids: string[]): Promise<TestResponse> => {
      const attachments = ids.map((id) => ({ file_upload: { id } }))
      return server.owner.call('createSession', { body: { ...target, message: 'Ahoy', attachments } })
    }
    for (const target of [{ agent_id: deleted }, { agent_id }, { session_id }])
      expectError(await request(target, pending, GHOST), 404, 'object_not_found', GHOST)
    expectError(await request({ agent_id: deleted }, pending), 409, 'agent_deleted')
    expectInvalid(await request({ session_id }, pending), 'body.attachments[0].file_upload.id')
    expectError(await request({ session_id }), 403, 'agent_credit_limit_reached')
    await changeAgent(server, agent_id, { creditLimit: null, pauseReason: 'needs_user_review' })
    expectError(await request({ session_id }), 403, 'restricted_resource', 'needs_user_review')
    await changeAgent(server, agent_id, { pauseReason: null })
    await server.service.database.write((db) => db.run(busy, agent_id, session_id))
    expectError(await request({ session_id }), 409, 'conflict_error', '`queued`')
  })

  it('nothing for a repeated idempotency key, even if the schema has changed since', async () => {
    const { sourceId } = await makeDatabase(server.owner, exampleWorkspace.pages.handbook, { Cost: { number: {} } })
    const create = (key: string): Promise<TestResponse> =>
      server.owner.call('createPage', {
        body: { parent: { data_source_id: sourceId }, properties: { Cost: { number: 4 } } },
        headers: { 'Idempotency-Key': key },
      })
    const first = await create('before-the-change')
    expect(first.status).toBe(200)
    await server.owner.call('updateDataSource', {
      path: { data_source_id: sourceId },
      body: { properties: { Cost: null } },
    })
    const replay = await create('before-the-change')
    expect([replay.text, replay.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    expectInvalid(await create('after-the-change'), 'body.properties.Cost')
  })

  it('a cursor of another data source', async () => {
    const sources = [
      await makeDatabase(server.owner, exampleWorkspace.pages.handbook),
      await makeDatabase(server.owner, exampleWorkspace.pages.handbook),
    ]
    for (const { sourceId } of sources) for (let rows = 0; rows < 2; rows += 1) await makeRow(server.owner, sourceId)
    const query = ({ sourceId }: { sourceId: string }, body: object): Promise<TestResponse> =>
      server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: { page_size: 1, ...body } })
    const [one, other] = sources as [MadeDatabase, MadeDatabase]
    const { next_cursor: start_cursor } = (await query(one, {})).body
    expect((await query(one, { start_cursor })).status).toBe(200)
    expectInvalid(await query(other, { start_cursor }), 'body.start_cursor')
  })

  it('an encoded slash in a path id before missing headers', async () => {
    expectError(await server.owner.send('GET', '/v1/blocks/..%2fpages', { headers: bare }), 400, 'invalid_request_url')
  })

  it('the trash for a second DELETE', async () => {
    const id = await appendOne(server.owner, await makePage(server.owner), paragraph('x'))
    expect((await server.owner.call('deleteBlock', { path: { block_id: id } })).status).toBe(200)
    expectInvalid(await server.owner.call('deleteBlock', { path: { block_id: id } }), 'trash')
  })

  it('nothing for an OPTIONS request without a token', async () => {
    for (const target of ['/v1/pages', `/v1/blocks/${GHOST}/children`, '/v1/nowhere']) {
      const response = await server.owner.send('OPTIONS', target, {
        headers: { ...bare, Origin: 'https://planner.example', 'Access-Control-Request-Method': 'POST' },
      })
      expect(response.status).toBe(204)
      expect(Object.keys(response.headers).filter((name) => name.startsWith('access-control'))).toStrictEqual([])
    }
  })
})
