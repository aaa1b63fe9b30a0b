import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { downgradeBy, ID, judge, list, upgradeBy } from './support.ts'

const text = [{ text: { content: 'x' } }]

describe('D1 parents', () => {
  const around = { parents: { [ID.block]: { type: 'page_id' as const, page_id: ID.page } } }
  const under = (object: string, parent: JsonObject): JsonObject => ({ object, id: ID.user, parent })
  const direct = { type: 'block_id', block_id: ID.block }
  const rows: [string, JsonObject, JsonObject][] = [
    ['a page in a block', under('page', direct), under('page', { type: 'page_id', page_id: ID.page })],
    ['a database in a block', under('database', direct), under('database', { type: 'page_id', page_id: ID.page })],
    [
      'several pages in a list',
      list('page_or_database', [under('page', direct), under('page', { type: 'workspace', workspace: true })]),
      list('page_or_database', [
        under('page', { type: 'page_id', page_id: ID.page }),
        under('page', { type: 'workspace', workspace: true }),
      ]),
    ],
    ['a block in a block, which stays', under('block', direct), under('block', direct)],
    [
      'a page in a page, which stays',
      under('page', { type: 'page_id', page_id: ID.page }),
      under('page', { type: 'page_id', page_id: ID.page }),
    ],
    [
      'a page in a deleted block, which stays',
      under('page', { type: 'block_id', block_id: ID.database }),
      under('page', { type: 'block_id', block_id: ID.database }),
    ],
  ]
  it.each(rows)('are downgraded in a response: %s', async (_name, newer, expected) => {
    expect(await downgradeBy('D1', newer, around)).toStrictEqual(expected)
  })
  it('cannot be blocks in a request for a comment before 2022-06-28', () => {
    const comment = { parent: { block_id: ID.block }, rich_text: text }
    expect(judge('2022-02-22', 'createComment', comment)).toContain('body.parent')
    expect(judge('2022-02-22', 'createComment', { ...comment, parent: { page_id: ID.page } })).toBeUndefined()
    expect(judge('2022-06-28', 'createComment', comment)).toBeUndefined()
  })
})

describe('D2 relations of schemas', () => {
  const schema = (relation: JsonObject): JsonObject => ({ properties: { Crew: { relation } } })
  const requests: [string, JsonObject, JsonObject][] = [
    ['two-way, without the opposite property', { database_id: ID.database }, { database_id: ID.database, dual_property: {} }],
    [
      'two-way, with the opposite property',
      { database_id: ID.database, synced_property_name: 'Boats' },
      { database_id: ID.database, dual_property: { synced_property_name: 'Boats' } },
    ],
    [
      'two-way, with id and name of the opposite property',
      { database_id: ID.database, synced_property_id: 'a%7D', synced_property_name: 'Boats' },
      { database_id: ID.database, dual_property: { synced_property_id: 'a%7D', synced_property_name: 'Boats' } },
    ],
    ['the opposite property alone', { synced_property_name: 'Boats' }, { dual_property: { synced_property_name: 'Boats' } }],
    ['an empty relation, which stays', {}, {}],
  ]
  it.each(requests)('are upgraded in a request: %s', (_name, older, newer) => {
    expect(upgradeBy('D2', 'createDatabase', schema(older)).call.body).toStrictEqual(schema(newer))
    expect(upgradeBy('D2', 'updateDatabase', schema(older)).call.body).toStrictEqual(schema(newer))
  })

  const property = (relation: unknown): JsonObject => ({
    object: 'database',
    id: ID.database,
    properties: { Crew: { id: 'c', name: 'Crew', type: 'relation', relation } },
  })
  const responses: [string, unknown, unknown][] = [
    [
      'two-way',
      {
        database_id: ID.database,
        data_source_id: ID.dataSource,
        type: 'dual_property',
        dual_property: { synced_property_name: 'Boats', synced_property_id: 'a%7D' },
      },
      { database_id: ID.database, synced_property_name: 'Boats', synced_property_id: 'a}' },
    ],
    [
      'one-way',
      { database_id: ID.database, data_source_id: ID.dataSource, type: 'single_property', single_property: {} },
      { database_id: ID.database },
    ],
    ['the relation of a page, which stays', [{ id: ID.page }], [{ id: ID.page }]],
  ]
  it.each(responses)('are downgraded in a response: %s', async (_name, newer, older) => {
    expect(await downgradeBy('D2', property(newer))).toStrictEqual(property(older))
  })

  const create = (relation: JsonObject): [OperationId, JsonObject] => [
    'createDatabase',
    { parent: { page_id: ID.page }, properties: { Name: { title: {} }, Crew: { relation } } },
  ]
  it('are named in errors by the keys of the version', () => {
    expect(judge('2022-02-22', ...create({ database_id: ID.database, synced_property_name: 7 }))).toContain(
      'body.properties.Crew.relation.synced_property_name should be a string',
    )
    expect(judge('2022-02-22', ...create({ database_id: ID.database }))).toBeUndefined()
    expect(judge('2022-02-22', ...create({ synced_property_name: 'Boats' }))).toContain(
      'body.properties.Crew.relation.database_id should be defined',
    )
    expect(judge('2022-02-22', ...create({ database_id: ID.database, type: 'single_property', single_property: {} }))).toMatch(
      /body\.properties\.Crew\.relation\.(?:type|single_property) should be not present/,
    )
  })
  it('require one of the two keys from 2022-06-28 on', () => {
    expect(judge('2022-06-28', ...create({ database_id: ID.database }))).toBe(
      [
        'body failed validation. Fix one:',
        'body.properties.Crew.relation.single_property should be defined, instead was `undefined`.',
        'body.properties.Crew.relation.dual_property should be defined, instead was `undefined`.',
      ].join('\n'),
    )
    expect(judge('2022-06-28', ...create({ database_id: ID.database, single_property: {} }))).toBeUndefined()
  })
})
