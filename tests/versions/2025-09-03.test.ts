import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import { ServiceError } from '../../server/kernel/errors.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import type { OldRequest } from '../../server/versions/release.ts'
import { merged, one, only, two } from './2025-09-03.stored.ts'
import { databaseWith, downgradeBy, ID, judge, lookupsIn, type Stored, translated, upgradeBy } from './support.ts'

const none: Stored = { databases: [{ database: databaseWith([]), dataSources: [] }] }

describe('E1 a database and its only data source are one object', () => {
  it('with each field from the object that has it', async () => {
    expect(await downgradeBy('E1', { ...databaseWith([only]) }, one)).toStrictEqual(merged)
  })
  it('with the later of the two edit times', async () => {
    const edited = databaseWith([only], { last_edited_time: '2026-06-01T00:00:00.000Z' })
    expect(await downgradeBy('E1', { ...edited }, one)).toMatchObject({ last_edited_time: '2026-06-01T00:00:00.000Z' })
  })
  it('with the changes of later releases kept', async () => {
    expect(await downgradeBy('E1', { ...databaseWith([only]), archived: false }, one)).toStrictEqual({
      ...merged,
      archived: false,
    })
  })
  it('in every database of a list, except those with several data sources, which keep only the name', async () => {
    const list = {
      object: 'list',
      type: 'database',
      database: {},
      results: [{ ...databaseWith([only]) }],
      has_more: false,
      next_cursor: null,
    }
    expect(await downgradeBy('E1', list, one)).toStrictEqual({ ...list, results: [merged] })
    expect(await downgradeBy('E1', list, two)).toStrictEqual({ ...list, results: [{ object: 'database', id: ID.database }] })
  })
  it('but a partial database is unchanged', async () => {
    expect(await downgradeBy('E1', { object: 'database', id: ID.database }, one)).toStrictEqual({
      object: 'database',
      id: ID.database,
    })
  })
})

const properties = { Name: { title: {} } }
const location = { parent: { page_id: ID.page } }

describe('E2 the first data source of a new database', () => {
  it('keeps properties at the top', () => {
    expect(translated('2022-06-28', 'createDatabase', { ...location, properties }).calls[0]?.body).toStrictEqual({
      ...location,
      properties,
    })
  })
  const rows: [string, Parameters<typeof judge>[0], JsonObject, string | undefined][] = [
    ['before 2025-09-03, properties are accepted', '2022-06-28', { ...location, properties }, undefined],
    [
      'before 2025-09-03, the newer key is refused',
      '2022-06-28',
      { ...location, initial_data_source: { properties } },
      'body.initial_data_source should be not present',
    ],
    [
      'before 2025-09-03, both keys are refused',
      '2022-06-28',
      { ...location, properties, initial_data_source: { properties } },
      'body.initial_data_source should be not present',
    ],
    [
      'before 2025-09-03, a fault inside has the location as sent',
      '2022-06-28',
      { ...location, properties: { Cost: { number: { format: 'shells' } } } },
      'body.properties.Cost.number.format should be one of',
    ],
    ['at 2025-09-03, properties are accepted', '2025-09-03', { ...location, properties }, undefined],
    ['at 2025-09-03, the newer key is accepted', '2025-09-03', { ...location, initial_data_source: { properties } }, undefined],
    [
      'at 2025-09-03, both keys are refused',
      '2025-09-03',
      { ...location, properties, initial_data_source: { properties } },
      'body.initial_data_source should be not present',
    ],
    [
      'at 2025-09-03, a fault inside has the location as sent',
      '2025-09-03',
      { ...location, properties: { Cost: { number: { format: 'shells' } } } },
      'body.properties.Cost.number.format should be one of',
    ],
    ['at 2026-03-11, properties are accepted', '2026-03-11', { ...location, properties }, undefined],
    [
      'at 2026-03-11, both keys are refused',
      '2026-03-11',
      { ...location, properties, initial_data_source: {} },
      'body.initial_data_source should be not present',
    ],
  ]
  it.each(rows)('%s', (_name, version, body, complaint) => {
    const error = judge(version, 'createDatabase', body)
    if (complaint === undefined) expect(error).toBeUndefined()
    else expect(error).toContain(complaint)
  })
})

const target = { database_id: ID.database }

describe('E3 the schema in an update of a database', () => {
  it('becomes an update of the data source, followed by an update of the database', () => {
    const { calls } = upgradeBy('E3', 'updateDatabase', { title: [], properties }, target)
    expect(calls.map(({ operation, path, body }) => [operation.id, path, body])).toStrictEqual([
      ['updateDataSource', { data_source_id: ID.database }, { properties }],
      ['updateDatabase', target, { title: [] }],
    ])
  })
  it('finds the data source before the calls', async () => {
    const { calls, preparations } = upgradeBy('E3', 'updateDatabase', { properties }, target)
    for (const preparation of preparations) await preparation(lookupsIn(one))
    expect(calls[0]?.path).toStrictEqual({ data_source_id: ID.dataSource })
  })
  it('is not split from an update without a schema', () => {
    expect(upgradeBy('E3', 'updateDatabase', { title: [] }, target).calls).toHaveLength(1)
  })
  const rows: [string, Parameters<typeof judge>[0], JsonObject, JsonObject, string | undefined][] = [
    ['before 2025-09-03, properties are accepted', '2022-06-28', { properties, is_locked: true }, target, undefined],
    [
      'before 2025-09-03, a fault inside has the location as sent',
      '2022-06-28',
      { properties: { Cost: { number: { format: 'shells' } } } },
      target,
      'body.properties.Cost.number.format should be one of',
    ],
    [
      'before 2025-09-03, a malformed id is refused',
      '2022-06-28',
      { properties },
      { database_id: 'x' },
      'path.database_id should be a valid uuid',
    ],
    ['at 2025-09-03, properties are refused', '2025-09-03', { properties }, target, 'body.properties should be not present'],
  ]
  it.each(rows)('%s', (_name, version, body, path, complaint) => {
    const error = judge(version, 'updateDatabase', body, path)
    if (complaint === undefined) expect(error).toBeUndefined()
    else expect(error).toContain(complaint)
  })
})

describe('E11 appending blocks in front of others', () => {
  const blocks = ['a', 'b', 'c'].map((id) => ({ object: 'block', id }))
  const page = { object: 'list', type: 'block', block: {}, results: blocks, has_more: false, next_cursor: null }
  const appending = (count: number): OldRequest =>
    upgradeBy('E11', 'appendBlockChildren', { children: Array.from({ length: count }, () => ({})) }, { block_id: ID.block })

  it('before 2025-09-03 returns only the new blocks, and a cursor for the siblings after them', async () => {
    expect(await downgradeBy('E11', page, {}, appending(2))).toStrictEqual({
      ...page,
      results: blocks.slice(0, 2),
      has_more: true,
      next_cursor: 'c',
    })
  })
  it('does not change other responses', async () => {
    expect(await downgradeBy('E11', page, {}, appending(3))).toBe(page)
    expect(await downgradeBy('E11', page, {}, upgradeBy('E11', 'listBlockChildren', {}))).toBe(page)
  })
})

describe('E9, E10 databases that an older version cannot address', () => {
  const attempts: [string, OperationId, JsonObject, JsonObject][] = [
    ['retrieving', 'retrieveDatabase', {}, target],
    ['updating', 'updateDatabase', { title: [] }, target],
    ['changing the schema', 'updateDatabase', { properties }, target],
    [
      'a relation to it',
      'createDatabase',
      { ...location, properties: { Crew: { relation: { database_id: ID.database, single_property: {} } } } },
      {},
    ],
    ['moving a page into it', 'movePage', { parent: { database_id: ID.database } }, { page_id: ID.page }],
  ]
  const prepare = async (operation: OperationId, body: JsonObject, path: JsonObject, stored: Stored): Promise<unknown> => {
    try {
      await translated('2022-06-28', operation, body, path).prepareWith(lookupsIn(stored))
      return undefined
    } catch (error) {
      return error
    }
  }
  it.each(attempts)('%s: 400 with several data sources', async (_name, operation, body, path) => {
    const error = await prepare(operation, body, path, two)
    expect(error).toBeInstanceOf(ServiceError)
    expect(error).toMatchObject({
      code: 'validation_error',
      message: 'This database has several data sources, which version 2022-06-28 does not support.',
      additionalData: {
        error_type: 'multiple_data_sources_for_database',
        database_id: ID.database,
        child_data_source_ids: [ID.dataSource, ID.otherDataSource],
        minimum_api_version: '2025-09-03',
      },
    })
  })
  it.each(attempts)('%s: 400 without a data source', async (_name, operation, body, path) => {
    const error = await prepare(operation, body, path, none)
    expect(error).toMatchObject({ code: 'validation_error', additionalData: undefined })
    expect(String(error)).toContain(ID.database)
  })
  it.each(attempts)('%s: no such error with one data source, or a hidden database', async (_name, operation, body, path) => {
    expect(await prepare(operation, body, path, one)).toBeUndefined()
    expect(await prepare(operation, body, path, {})).toBeUndefined()
  })
})
