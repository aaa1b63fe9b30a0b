import { describe, expect, it } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import type { DataSourceObject } from '../../generated/types.ts'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { releaseDates } from '../../server/versions/index.ts'
import { databaseWith, dataSource, ID, lookupsIn, plain, translated, type Stored } from './support.ts'

// If you are here because a release is new: each list of expected responses gets another one at its end, the newest form.
/** A response at every version, oldest first, without the parts that are always the same. */
async function atEveryVersion(
  operation: OperationId,
  newest: JsonObject,
  stored: Stored,
  pick: (response: JsonObject) => unknown,
): Promise<unknown[]> {
  const picked: unknown[] = []
  for (const version of releaseDates)
    picked.push(pick(await translated(version, operation, undefined).downgrade(newest, lookupsIn(stored))))
  return picked
}

describe('a response downgraded through all releases', () => {
  const columns: DataSourceObject['properties'] = {
    Note: { id: 'a%7DZb', name: 'Note', description: null, type: 'rich_text', rich_text: {} },
    Crew: {
      id: 'c%3E',
      name: 'Crew',
      description: null,
      type: 'relation',
      relation: {
        type: 'dual_property',
        database_id: ID.database,
        data_source_id: ID.dataSource,
        dual_property: { synced_property_id: 'b%5B', synced_property_name: 'Boats' },
      },
    },
  }
  const only = dataSource({ properties: columns })
  const inBlock = databaseWith([only], { parent: { type: 'block_id', block_id: ID.block } })
  const stored: Stored = {
    parents: { [ID.block]: { type: 'page_id', page_id: ID.page } },
    databases: [{ database: inBlock, dataSources: [only] }],
  }

  it('has the form of each release: a database', async () => {
    const note = { id: 'a}Zb', name: 'Note', description: null }
    const crew = {
      id: 'c>',
      name: 'Crew',
      description: null,
      type: 'relation',
      relation: { database_id: ID.database, synced_property_name: 'Boats', synced_property_id: 'b[' },
    }
    const flat = { Note: { ...note, id: 'a%7DZb', type: 'rich_text', rich_text: {} }, Crew: { ...crew, id: 'c%3E' } }
    const pick = ({ properties, parent, archived, data_sources }: JsonObject): unknown => ({
      properties,
      parent,
      archived,
      sources: Array.isArray(data_sources),
    })
    const around = { type: 'page_id', page_id: ID.page }
    const [direct, old] = [
      { type: 'block_id', block_id: ID.block },
      { archived: false, sources: false },
    ]
    expect(await atEveryVersion('retrieveDatabase', { ...inBlock }, stored, pick)).toStrictEqual([
      { ...old, parent: around, properties: { Note: { ...note, type: 'text', text: {} }, Crew: crew } },
      { ...old, parent: around, properties: { Note: { ...note, type: 'rich_text', rich_text: {} }, Crew: crew } },
      { ...old, parent: around, properties: flat },
      { ...old, parent: around, properties: flat },
      { ...old, parent: direct, properties: { Note: flat.Note, Crew: columns['Crew'] } },
      { archived: false, sources: true, parent: direct, properties: undefined },
      { archived: undefined, sources: true, parent: direct, properties: undefined },
    ])
  })

  it('has the form of each release: a search result', async () => {
    const list = {
      object: 'list',
      type: 'page_or_data_source',
      page_or_data_source: {},
      results: [{ ...only }],
      has_more: false,
      next_cursor: null,
    }
    const pick = ({ type, results }: JsonObject): unknown => [
      type,
      Array.isArray(results) && results.map((hit: JsonObject) => [hit['object'], hit['id'], hit['archived'], hit['parent']]),
    ]
    const merged = (type: string | undefined, parent: JsonObject): unknown => [type, [['database', ID.database, false, parent]]]
    const [around, direct] = [
      { type: 'page_id', page_id: ID.page },
      { type: 'block_id', block_id: ID.block },
    ]
    expect(await atEveryVersion('search', list, stored, pick)).toStrictEqual([
      merged(undefined, around),
      merged(undefined, around),
      merged(undefined, around),
      merged('page_or_database', around),
      merged('page_or_database', direct),
      ['page_or_data_source', [['data_source', ID.dataSource, false, only.parent]]],
      ['page_or_data_source', [['data_source', ID.dataSource, undefined, only.parent]]],
    ])
  })

  it('has the form of each release: a list of property items', async () => {
    const items = {
      object: 'list',
      type: 'property_item',
      results: [{ object: 'property_item', id: 'a%7DZb', type: 'rich_text', rich_text: plain('x') }],
      property_item: { id: 'a%7DZb', type: 'rich_text', next_url: null, rich_text: {} },
      has_more: false,
      next_cursor: null,
    }
    const pick = ({ type, results, property_item }: JsonObject): unknown => [
      type,
      Array.isArray(results) && Object.keys(results[0]),
      property_item !== undefined,
    ]
    const now = ['property_item', ['object', 'id', 'type', 'rich_text'], true]
    expect(await atEveryVersion('retrievePageProperty', items, {}, pick)).toStrictEqual([
      ['text', ['object', 'type', 'text'], false],
      ['rich_text', ['object', 'type', 'rich_text'], false],
      ['rich_text', ['object', 'type', 'rich_text'], false],
      now,
      now,
      now,
      now,
    ])
  })

  it('has the form of each release: a row', async () => {
    const row = {
      object: 'page',
      id: ID.page,
      in_trash: false,
      parent: { type: 'data_source_id', data_source_id: ID.dataSource, database_id: ID.database },
      properties: {
        Found: {
          id: 'f%7D',
          type: 'rollup',
          rollup: { type: 'array', array: [{ type: 'rich_text', rich_text: [] }], function: 'show_original' },
        },
        Price: { id: 'p', type: 'number', number: null },
        Note: { id: 'n', type: 'rich_text', rich_text: [] },
      },
    }
    const pick = ({ parent, properties, archived }: JsonObject): unknown => JSON.stringify([archived ?? null, parent, properties])
    const under = { type: 'database_id', database_id: ID.database }
    const { Found, Price, Note } = row.properties
    const found = {
      id: 'f}',
      type: 'rollup',
      rollup: { type: 'array', array: [{ type: 'text', text: [] }], function: 'show_original' },
    }
    expect(await atEveryVersion('retrievePage', row, {}, pick)).toStrictEqual(
      [
        [false, under, { Found: found, Note: { id: 'n', type: 'text', text: [] } }],
        [false, under, { Found: found, Note }],
        ...[1, 2, 3].map(() => [false, under, { Found, Price, Note }]),
        [false, row.parent, row.properties],
        [null, row.parent, row.properties],
      ].map((expected) => JSON.stringify(expected)),
    )
  })
})

describe('a request upgraded through all releases', () => {
  it('gets the newest form: a new database', () => {
    const [call] = translated('2021-05-11', 'createDatabase', {
      parent: { page_id: ID.page },
      title: [{ text: { content: 'x' } }],
      properties: { Note: { text: {} }, Crew: { relation: { database_id: ID.database, synced_property_name: 'Boats' } } },
    }).calls
    expect(call?.body).toStrictEqual({
      parent: { page_id: ID.page },
      title: [{ text: { content: 'x' } }],
      properties: {
        Note: { rich_text: {} },
        Crew: { relation: { data_source_id: ID.database, dual_property: { synced_property_name: 'Boats' } } },
      },
    })
  })

  it('gets the newest form: an append', () => {
    const { calls } = translated(
      '2021-05-11',
      'appendBlockChildren',
      {
        children: [
          {
            object: 'block',
            type: 'toggle',
            archived: false,
            toggle: { text: [], children: [{ paragraph: { text: [] }, archived: false, in_trash: false }] },
          },
        ],
        after: ID.block,
      },
      { block_id: ID.page },
    )
    expect(calls.map(({ operation }) => operation.id)).toStrictEqual(['appendBlockChildren', 'retrieveBlock'])
    expect(calls[0]?.body).toStrictEqual({
      children: [
        {
          object: 'block',
          type: 'toggle',
          in_trash: false,
          toggle: { rich_text: [], children: [{ paragraph: { rich_text: [] }, in_trash: false }] },
        },
      ],
      position: { type: 'after_block', after_block: { id: ID.block } },
    })
  })

  it('is unchanged if written at the newest release', () => {
    const body = { children: [{ paragraph: { rich_text: [] } }] }
    expect(translated(newestRelease, 'appendBlockChildren', body).calls[0]?.body).toStrictEqual(body)
  })
})
