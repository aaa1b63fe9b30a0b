import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { insertTemplate } from '../../../server/store/data_source_templates.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const parts = await makeDatabase(server.owner, parent)
const jobs = await makeDatabase(server.owner, parent)

describe('listDataSourceTemplates', () => {
  it('200 with templates by age, found by name, or page by page, and 400, 401, 403 or 404 for invalid requests', async () => {
    const list = (query: Record<string, string | number> = {}, caller = server.owner): Promise<TestResponse> =>
      caller.call('listDataSourceTemplates', { path: { data_source_id: parts.sourceId }, query })
    expect({ ...(await list()).body, request_id: null }).toMatchObject({ templates: [], has_more: false, next_cursor: null })
    const ids: string[] = []
    for (const name of ['Intake form', 'Survey'])
      ids.push(idOf(await makeRow(server.owner, parts.sourceId, { Name: [text(name)] })))
    await server.service.database.write(async (db) => {
      for (const [index, id] of ids.entries())
        await insertTemplate(db, exampleWorkspace.workspace.id, parts.sourceId, {
          id,
          isDefault: index === 1,
          createdTime: index,
        })
    })
    expect((await list()).body['templates']).toStrictEqual([
      { id: ids[0], name: 'Intake form', is_default: false },
      { id: ids[1], name: 'Survey', is_default: true },
    ])
    expect((await list({ name: 'SURV' })).body['templates']).toMatchObject([{ id: ids[1] }])
    const first = await list({ page_size: 1 })
    expect(first.body).toMatchObject({ templates: [{ id: ids[0] }], has_more: true })
    expect((await list({ page_size: 1, start_cursor: String(first.body['next_cursor']) })).body).toMatchObject({
      templates: [{ id: ids[1] }],
    })
    const filled = await server.owner.call('createPage', {
      body: { parent: { data_source_id: parts.sourceId }, template: { type: 'default' } },
    })
    expect(filled.status).toBe(200)
    const body = { parent: { data_source_id: jobs.sourceId }, template: { type: 'default' } }
    expectInvalid(await server.owner.call('createPage', { body }), 'body.template')
    expectInvalid(await list({ page_size: 0 }), 'query.page_size')
    expectInvalid(await list({ start_cursor: 'nope' }), 'query.start_cursor')
    expectError(await list({}, server.caller(undefined)), 401, 'unauthorized')
    const writer = await makeConnection(server, { capabilities: ['insert_content'], grants: [parent] })
    expectError(await list({}, writer.caller), 403, 'restricted_resource')
    const stranger = await makeConnection(server, { capabilities: ['read_content'] })
    expectNotFound(await list({}, stranger.caller), parts.sourceId)
  })
})
