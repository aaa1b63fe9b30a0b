import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { downgradeBy, ID, judge, list, plain, translated, upgradeBy } from './support.ts'

const page = (properties: JsonObject): JsonObject => ({ object: 'page', id: ID.page, properties })

describe('A1 the property type text became rich_text', () => {
  const rich = [{ type: 'text', text: { content: 'x' } }]
  const requests: [string, OperationId, JsonObject, JsonObject][] = [
    ['a value', 'updatePage', { Note: { text: rich } }, { Note: { rich_text: rich } }],
    [
      'a value with its type',
      'createPage',
      { Note: { type: 'text', text: rich } },
      { Note: { type: 'rich_text', rich_text: rich } },
    ],
    ['a property of a new schema', 'createDatabase', { Note: { text: {} } }, { Note: { rich_text: {} } }],
    [
      'a property of a changed schema',
      'updateDatabase',
      { Note: { type: 'text', text: {} } },
      { Note: { type: 'rich_text', rich_text: {} } },
    ],
    ['the pieces of a title, which stay', 'createPage', { Name: { title: rich } }, { Name: { title: rich } }],
    ['the short form of a title, which stays', 'createPage', { Name: rich }, { Name: rich }],
    [
      'another type, which stays',
      'updatePage',
      { Price: { type: 'number', number: 4 } },
      { Price: { type: 'number', number: 4 } },
    ],
  ]
  it.each(requests)('upgrades a request with %s', (_name, operation, older, newer) => {
    expect(upgradeBy('A1', operation, { properties: older }).call.body).toStrictEqual({ properties: newer })
  })

  const newer = { id: 'ab', type: 'rich_text', rich_text: [plain('x')] }
  const older = { id: 'ab', type: 'text', text: [plain('x')] }
  const responses: [string, JsonObject, JsonObject][] = [
    [
      'a page',
      page({ Note: newer, Name: { id: 'title', type: 'title', title: [plain('x')] } }),
      page({ Note: older, Name: { id: 'title', type: 'title', title: [plain('x')] } }),
    ],
    [
      'a schema',
      { object: 'database', id: ID.database, properties: { Note: { id: 'ab', name: 'Note', type: 'rich_text', rich_text: {} } } },
      { object: 'database', id: ID.database, properties: { Note: { id: 'ab', name: 'Note', type: 'text', text: {} } } },
    ],
    [
      'rows in a list',
      list('page_or_database', [page({ Note: newer }), { object: 'page', id: ID.page }]),
      list('page_or_database', [page({ Note: older }), { object: 'page', id: ID.page }]),
    ],
    [
      'a list of property items',
      { ...list('rich_text', [{ object: 'property_item', type: 'rich_text', rich_text: plain('x') }]) },
      { ...list('rich_text', [{ object: 'property_item', type: 'text', text: plain('x') }]), type: 'text' },
    ],
    [
      'a block, which stays',
      { object: 'block', type: 'paragraph', paragraph: { rich_text: [] } },
      { object: 'block', type: 'paragraph', paragraph: { rich_text: [] } },
    ],
  ]
  it.each(responses)('downgrades a response with %s', async (_name, given, expected) => {
    expect(await downgradeBy('A1', given)).toStrictEqual(expected)
  })

  it('refuses both names together, and rich_text alone before 2021-05-13', () => {
    expect(
      judge('2021-05-11', 'updatePage', { properties: { Note: { text: rich, rich_text: rich } } }, { page_id: ID.page }),
    ).toContain('body.properties.Note.rich_text should be not present')
    expect(judge('2021-05-11', 'updatePage', { properties: { Note: { rich_text: rich } } }, { page_id: ID.page })).toContain(
      'body.properties.Note.text should be defined',
    )
    expect(judge('2021-05-11', 'updatePage', { properties: { Note: { text: rich } } }, { page_id: ID.page })).toBeUndefined()
    expect(judge('2021-05-13', 'updatePage', { properties: { Note: { rich_text: rich } } }, { page_id: ID.page })).toBeUndefined()
    expect(
      judge('2021-05-13', 'updatePage', { properties: { Note: { type: 'text', rich_text: rich } } }, { page_id: ID.page }),
    ).toContain('body.properties.Note.type')
  })

  it('names a wrong type by the names of the version', () => {
    const message = judge(
      '2021-05-11',
      'updatePage',
      { properties: { Note: { type: 'number', text: rich } } },
      { page_id: ID.page },
    )
    expect(message).toBe('body failed validation: body.properties.Note.type should be `"text"`, instead was `"number"`.')
  })
})

describe('B1 unknown keys', () => {
  const block = { paragraph: { text: [{ text: { content: 'x' }, mood: 'good' }], shade: 'red' }, comment: null }
  it.each(['2021-05-11', '2021-05-13'] as const)('are ignored at any depth by %s', (version) => {
    const body = { children: [block], block_id: ID.block, hint: { children: [{ paragraph: { text: [] } }] } }
    expect(judge(version, 'appendBlockChildren', body, { block_id: ID.page })).toBeUndefined()
  })
  it('are marked as ignored when a request is translated', () => {
    const translation = translated('2021-05-13', 'createPage', { parent: { page_id: ID.page }, properties: {}, mood: 'good' })
    expect(translation.ignoresKey?.('mood')).toBe(true)
  })
  it('do not prevent the refusal of known keys with invalid values', () => {
    expect(
      judge('2021-05-13', 'appendBlockChildren', { children: [{ paragraph: { text: 'x', mood: 1 } }] }, { block_id: ID.page }),
    ).toContain('body.children[0].paragraph.text should be an array')
    expect(judge('2021-05-13', 'appendBlockChildren', { children: [{ mood: {} }] }, { block_id: ID.page })).toContain(
      'body.children[0].paragraph should be defined',
    )
  })
  it('get 400 at 2021-08-16, naming the first one', () => {
    const body = { children: [{ paragraph: { text: [], shade: 'red' } }], mood: 1 }
    expect(judge('2021-08-16', 'appendBlockChildren', body, { block_id: ID.page })).toBe(
      'body failed validation: body.children[0].paragraph.shade should be not present, instead was `"red"`.',
    )
  })
})

describe('B2 entries of array rollups', () => {
  const rollup = (array: unknown[]): JsonObject =>
    page({ Found: { id: 'r', type: 'rollup', rollup: { type: 'array', array, function: 'show_original' } } })
  const rows: [string, JsonObject, JsonObject][] = [
    ['files', { type: 'files', files: [1] }, { type: 'file', file: [1] }],
    ['rich_text', { type: 'rich_text', rich_text: [plain('x')] }, { type: 'text', text: [plain('x')] }],
    ['people', { type: 'people', people: [] }, { type: 'person', person: [] }],
    ['number', { type: 'number', number: 3 }, { type: 'number', number: 3 }],
    ['title', { type: 'title', title: [plain('x')] }, { type: 'title', title: [plain('x')] }],
  ]
  it.each(rows)('are downgraded for the type %s', async (_type, newer, older) => {
    expect(await downgradeBy('B2', rollup([newer]))).toStrictEqual(rollup([older]))
    expect(await downgradeBy('B2', list('page_or_database', [rollup([newer])]))).toStrictEqual(
      list('page_or_database', [rollup([older])]),
    )
  })
  it('are downgraded only in array rollups, not in a rollup with a number', async () => {
    const other = page({ Sum: { id: 's', type: 'rollup', rollup: { type: 'number', number: 2, function: 'sum' } } })
    expect(await downgradeBy('B2', other)).toStrictEqual(other)
  })
})

describe('B3 the response of appending', () => {
  it('is the response of retrieving the parent after the append', () => {
    const { calls } = upgradeBy('B3', 'appendBlockChildren', { children: [] }, { block_id: ID.block })
    expect(calls.map(({ operation, path }) => [operation.id, path])).toStrictEqual([
      ['appendBlockChildren', { block_id: ID.block }],
      ['retrieveBlock', { block_id: ID.block }],
    ])
  })
  it('is unchanged for other operations, and newer versions', () => {
    expect(upgradeBy('B3', 'updateBlock', {}).calls).toHaveLength(1)
    expect(translated('2021-08-16', 'appendBlockChildren', { children: [] }).calls).toHaveLength(1)
    expect(translated('2021-05-11', 'appendBlockChildren', { children: [] }).calls).toHaveLength(2)
  })
})

describe('B4 property ids', () => {
  const rows: [string, string, string][] = [
    ['an encoded id', 'a%7DZb', 'a}Zb'],
    ['a plain id', 'title', 'title'],
    ['an id with a malformed percent-encoding', '%E0%A4%A', '%E0%A4%A'],
  ]
  it.each(rows)('are decoded in responses: %s', async (_name, newer, older) => {
    const value = (id: string): JsonObject => page({ Found: { id, type: 'number', number: 1 } })
    const schema = (id: string): JsonObject => ({
      object: 'database',
      id: ID.database,
      properties: {
        Found: { id, name: 'Found', type: 'rollup', rollup: { relation_property_id: '%7D', rollup_property_id: '%7D' } },
      },
    })
    expect(await downgradeBy('B4', value(newer))).toStrictEqual(value(older))
    expect(await downgradeBy('B4', schema(newer))).toStrictEqual(schema(older))
    expect(await downgradeBy('B4', list('page_or_database', [value(newer), schema(newer)]))).toStrictEqual(
      list('page_or_database', [value(older), schema(older)]),
    )
  })
})

describe('B5 properties without a value', () => {
  const empty: JsonObject = {
    Number: { id: 'a', type: 'number', number: null },
    Mail: { id: 'b', type: 'email', email: null },
    Choice: { id: 'c', type: 'select', select: null },
    Day: { id: 'd', type: 'date', date: null },
    Sum: { id: 'e', type: 'rollup', rollup: { type: 'number', number: null, function: 'average' } },
    First: { id: 'f', type: 'rollup', rollup: { type: 'date', date: null, function: 'earliest_date' } },
  }
  const kept: JsonObject = {
    Zero: { id: 'g', type: 'number', number: 0 },
    All: { id: 'h', type: 'rollup', rollup: { type: 'array', array: [], function: 'show_original' } },
    Phone: { id: 'i', type: 'phone_number', phone_number: null },
    Link: { id: 'j', type: 'url', url: null },
    Note: { id: 'k', type: 'rich_text', rich_text: [] },
    Tick: { id: 'l', type: 'checkbox', checkbox: false },
    State: { id: 'm', type: 'status', status: null },
  }
  it('are omitted where their type requires it, and present otherwise', async () => {
    expect(await downgradeBy('B5', page({ ...empty, ...kept }))).toStrictEqual(page(kept))
    expect(await downgradeBy('B5', list('page_or_database', [page(empty)]))).toStrictEqual(list('page_or_database', [page({})]))
  })
  it('are present in schemas', async () => {
    const schema = { object: 'database', id: ID.database, properties: { Number: { id: 'a', type: 'number', number: null } } }
    expect(await downgradeBy('B5', schema)).toStrictEqual(schema)
  })
})
