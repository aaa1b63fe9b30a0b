import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { makeDatabase, makeRow, plainValues, readRow, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid, expectNotFound } from '../../harness/expectations.ts'
import { idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const parts = await makeDatabase(server.owner, parent)
const jobs = await makeDatabase(server.owner, parent, { Kind: { multi_select: {} }, Sum: { formula: { expression: '1' } } })

describe('movePage of rows', () => {
  it('200 with values of equal name and type kept in another data source, and only the title below a page', async () => {
    const other = await makeDatabase(server.owner, parent, {
      Kind: { multi_select: { options: [{ name: 'x', color: 'red' }] } },
      Stage: { status: {} },
      Sum: { number: {} },
    })
    const row = idOf(
      await makeRow(server.owner, jobs.sourceId, { Name: [text('Wander')], Kind: { multi_select: [{ name: 'x' }] } }),
    )
    const move = (to: object): Promise<TestResponse> =>
      server.owner.call('movePage', { path: { page_id: row }, body: { parent: to } })
    const { body } = await move({ data_source_id: other.sourceId })
    expect(body['parent']).toMatchObject({ data_source_id: other.sourceId, database_id: other.id })
    expect(plainValues(body)).toMatchObject({
      Name: [readText('Wander')],
      Kind: [{ name: 'x', color: 'red' }],
      Stage: { name: 'Not started' },
      Sum: null,
    })
    expect((await move({ page_id: parent })).body['properties']).toStrictEqual({
      title: { id: 'title', type: 'title', title: [readText('Wander')] },
    })
    expect((await move({ page_id: other.id })).body['parent']).toMatchObject({ data_source_id: other.sourceId })
    expect((await valuesOf(server.owner, row))['Kind']).toStrictEqual([])
    expectNotFound(await move({ data_source_id: other.id }), other.id)
    const inside = await makeDatabase(server.owner, row)
    expectError(await move({ data_source_id: inside.sourceId }), 400, 'validation_error', 'body.parent.data_source_id')
    expectInvalid(await move({ page_id: inside.id }), 'body.parent.page_id')
    const another = { parent: { database_id: other.id }, properties: { Name: { title: {} } } }
    const second = idOf((await server.owner.call('createDataSource', { body: another })).body)
    const several = await move({ page_id: other.id })
    expectError(several, 400, 'validation_error')
    expect(several.body['additional_data']).toMatchObject({ child_data_source_ids: [other.sourceId, second] })
  })

  it('406 when the data source is full, except for its own rows', async () => {
    const full = await makeDatabase(server.owner, parent)
    const own = idOf(await makeRow(server.owner, full.sourceId))
    const [page, row] = [await makePage(server.owner, 'Stays out'), idOf(await makeRow(server.owner, parts.sourceId))]
    await server.service.database.write((db) =>
      db.run('update data_source_counters set row_count = 250000 where id = ?', full.sourceId),
    )
    const before = await readRow(server.owner, row)
    for (const id of [page, row])
      for (const parent of [{ data_source_id: full.sourceId }, { page_id: full.id }]) {
        const response = await server.owner.call('movePage', { path: { page_id: id }, body: { parent } })
        expectError(response, 406, 'row_limit_exceeded', full.sourceId)
      }
    expect({ ...(await readRow(server.owner, row)), request_id: null }).toStrictEqual({ ...before, request_id: null })
    const same = { path: { page_id: own }, body: { parent: { data_source_id: full.sourceId } } }
    expect((await server.owner.call('movePage', same)).status).toBe(200)
    const leaves = { path: { page_id: own }, body: { parent: { page_id: page } } }
    expect((await server.owner.call('movePage', leaves)).status).toBe(200)
    const body = { parent: { data_source_id: full.sourceId } }
    expect((await server.owner.call('movePage', { path: { page_id: row }, body })).status).toBe(200)
  })
})
