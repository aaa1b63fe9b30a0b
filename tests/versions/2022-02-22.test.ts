import { describe, expect, it } from 'vitest'
import type { OperationId } from '../../server/contract/operation.ts'
import type { JsonObject } from '../../server/versions/json.ts'
import { downgradeBy, ID, judge, list, plain, upgradeBy } from './support.ts'
import { TEXT_TYPES } from './blocks.ts'

const text = [{ text: { content: 'x' } }]

describe('C1 the text of a block', () => {
  it.each(TEXT_TYPES)('is renamed in requests and responses for a block of type %s', async (type) => {
    const [older, newer] = [{ [type]: { text } }, { [type]: { rich_text: text } }]
    expect(upgradeBy('C1', 'updateBlock', older).call.body).toStrictEqual(newer)
    expect(upgradeBy('C1', 'appendBlockChildren', { children: [older] }).call.body).toStrictEqual({ children: [newer] })
    const response = (content: JsonObject): JsonObject => ({
      object: 'block',
      id: ID.block,
      type,
      [type]: content,
      has_children: false,
    })
    const [oldRead, newRead] = [
      response({ text: [plain('x')], color: 'red' }),
      response({ rich_text: [plain('x')], color: 'red' }),
    ]
    expect(await downgradeBy('C1', newRead)).toStrictEqual(oldRead)
    expect(await downgradeBy('C1', list('block', [newRead, { object: 'block', id: ID.block }]))).toStrictEqual(
      list('block', [oldRead, { object: 'block', id: ID.block }]),
    )
  })

  const requests: [string, OperationId, JsonObject, JsonObject][] = [
    [
      'three levels of children',
      'appendBlockChildren',
      { children: [{ toggle: { text, children: [{ quote: { text, children: [{ to_do: { text } }] } }] } }] },
      {
        children: [
          { toggle: { rich_text: text, children: [{ quote: { rich_text: text, children: [{ to_do: { rich_text: text } }] } }] } },
        ],
      },
    ],
    [
      'children inside columns and tabs',
      'createPage',
      {
        children: [
          { column_list: { children: [{ column: { children: [{ paragraph: { text } }] } }] } },
          { tab: { children: [{ paragraph: { text } }] } },
        ],
      },
      {
        children: [
          { column_list: { children: [{ column: { children: [{ paragraph: { rich_text: text } }] } }] } },
          { tab: { children: [{ paragraph: { rich_text: text } }] } },
        ],
      },
    ],
    [
      'content of a new page',
      'createPage',
      { content: [{ paragraph: { text } }] },
      { content: [{ paragraph: { rich_text: text } }] },
    ],
    ['captions keep their name', 'updateBlock', { code: { text, caption: text } }, { code: { rich_text: text, caption: text } }],
    [
      'captions of other blocks also keep their name',
      'appendBlockChildren',
      {
        children: [{ image: { external: { url: 'https://a.example/b.png' }, caption: text } }, { equation: { expression: 'x' } }],
      },
      {
        children: [{ image: { external: { url: 'https://a.example/b.png' }, caption: text } }, { equation: { expression: 'x' } }],
      },
    ],
    ['children that are not a list stay', 'appendBlockChildren', { children: 'text' }, { children: 'text' }],
    [
      'content that is not an object stays',
      'appendBlockChildren',
      { children: [{ paragraph: 'text' }, null, 3] },
      { children: [{ paragraph: 'text' }, null, 3] },
    ],
  ]
  it.each(requests)('is renamed in a request: %s', (_name, operation, older, newer) => {
    expect(upgradeBy('C1', operation, older).call.body).toStrictEqual(newer)
  })

  it('keeps its position among the members of the block', () => {
    expect(JSON.stringify(upgradeBy('C1', 'updateBlock', { to_do: { text, checked: true } }).call.body)).toBe(
      JSON.stringify({ to_do: { rich_text: text, checked: true } }),
    )
  })

  const append = (content: JsonObject): [OperationId, JsonObject, JsonObject] => [
    'appendBlockChildren',
    { children: [{ paragraph: content }] },
    { block_id: ID.page },
  ]
  it('names locations of an older request by the older keys', () => {
    expect(judge('2021-08-16', ...append({ text: [{ text: { content: 7 } }] }))).toContain(
      'body.children[0].paragraph.text[0].text.content should be a string',
    )
    expect(judge('2021-08-16', ...append({ text: Array.from({ length: 101 }, () => ({ text: { content: 'x' } })) }))).toContain(
      'body.children[0].paragraph.text.length should be ≤ `100`',
    )
    expect(judge('2021-08-16', ...append({ color: 'red' }))).toContain('body.children[0].paragraph.text should be defined')
    expect(judge('2021-08-16', ...append({ text, rich_text: text }))).toContain(
      'body.children[0].paragraph.rich_text should be not present',
    )
    expect(judge('2021-05-13', ...append({ text, rich_text: text }))).toContain(
      'body.children[0].paragraph.rich_text should be not present',
    )
    expect(judge('2022-02-22', ...append({ text }))).toContain('body.children[0].paragraph.rich_text should be defined')
    expect(judge('2022-02-22', ...append({ rich_text: text }))).toBeUndefined()
  })
})

describe('C2 conditions of filters', () => {
  const rows: [string, JsonObject, JsonObject][] = [
    ['text', { property: 'Note', text: { contains: 'x' } }, { property: 'Note', rich_text: { contains: 'x' } }],
    [
      'text named by its type',
      { property: 'Note', rich_text: { contains: 'x' } },
      { property: 'Note', rich_text: { contains: 'x' } },
    ],
    ['phone', { property: 'Phone', phone: { equals: '1' } }, { property: 'Phone', phone_number: { equals: '1' } }],
    [
      'phone named by its type',
      { property: 'Phone', phone_number: { equals: '1' } },
      { property: 'Phone', phone_number: { equals: '1' } },
    ],
    [
      'formula',
      { property: 'Sum', formula: { text: { equals: '1' } } },
      { property: 'Sum', formula: { string: { equals: '1' } } },
    ],
    [
      'formula of another type',
      { property: 'Sum', formula: { number: { equals: 1 } } },
      { property: 'Sum', formula: { number: { equals: 1 } } },
    ],
    ...['any', 'every', 'none'].map((quantifier): [string, JsonObject, JsonObject] => [
      `rollup ${quantifier}`,
      { property: 'All', rollup: { [quantifier]: { text: { contains: 'x' } } } },
      { property: 'All', rollup: { [quantifier]: { rich_text: { contains: 'x' } } } },
    ]),
    [
      'any depth',
      { and: [{ or: [{ property: 'Note', text: { is_empty: true } }] }, { property: 'Phone', phone: { is_empty: true } }] },
      {
        and: [
          { or: [{ property: 'Note', rich_text: { is_empty: true } }] },
          { property: 'Phone', phone_number: { is_empty: true } },
        ],
      },
    ],
    ['a number, which stays', { property: 'Price', number: { equals: 1 } }, { property: 'Price', number: { equals: 1 } }],
  ]
  it.each(rows)('are upgraded: %s', (_name, older, newer) => {
    expect(upgradeBy('C2', 'queryDatabase', { filter: older }).call.body).toStrictEqual({ filter: newer })
    expect(judge('2021-08-16', 'queryDatabase', { filter: older }, { database_id: ID.database })).toBeUndefined()
  })

  const query = (filter: JsonObject): [OperationId, JsonObject, JsonObject] => [
    'queryDatabase',
    { filter },
    { database_id: ID.database },
  ]
  it('are refused with the older keys from 2022-02-22 on', () => {
    expect(judge('2022-02-22', ...query({ property: 'Phone', phone: { equals: '1' } }))).toMatch(/body\.filter/)
    expect(judge('2022-02-22', ...query({ property: 'Phone', phone: { equals: '1' }, phone_number: { equals: '1' } }))).toContain(
      'body.filter.phone should be not present',
    )
  })
  it('are refused with an older and a newer key together', () => {
    expect(judge('2021-08-16', ...query({ property: 'Note', text: { contains: 'x' }, rich_text: { contains: 'x' } }))).toContain(
      'body.filter.rich_text should be not present',
    )
    expect(judge('2021-08-16', ...query({ property: 'Sum', formula: { string: { equals: '1' } } }))).toContain(
      'body.filter.formula.string should be not present',
    )
  })
  it('are named in errors by the older keys', () => {
    expect(judge('2021-08-16', ...query({ and: [{ property: 'Phone', phone: { equals: 7 } }] }))).toContain(
      'body.filter.and[0].phone.equals should be a string',
    )
  })
})

describe('C3 property items', () => {
  const item = (id: string): JsonObject => ({ object: 'property_item', id, type: 'email', email: 'a@b.example' })
  const listed = (more: JsonObject): JsonObject => ({
    object: 'list',
    results: [{ object: 'property_item', id: 'a%7DZb', type: 'relation', relation: { id: ID.page } }],
    has_more: false,
    next_cursor: null,
    ...more,
  })
  const older = (more: JsonObject): JsonObject => ({
    object: 'list',
    results: [{ object: 'property_item', type: 'relation', relation: { id: ID.page } }],
    has_more: false,
    next_cursor: null,
    ...more,
  })
  const result = { type: 'number', number: 3, function: 'sum' }
  const rows: [string, JsonObject, JsonObject][] = [
    ['a single item', item('%5BIFC'), item('[IFC')],
    [
      'a list',
      listed({ type: 'property_item', property_item: { id: 'a%7DZb', type: 'relation', next_url: null, relation: {} } }),
      older({ type: 'relation' }),
    ],
    [
      'a rollup',
      listed({ type: 'property_item', property_item: { id: 'r', type: 'rollup', next_url: null, rollup: result } }),
      older({ type: 'rollup', rollup: result }),
    ],
    [
      'another list, which stays',
      list('user', [{ object: 'user', id: ID.user }]),
      list('user', [{ object: 'user', id: ID.user }]),
    ],
    ['a page, which stays', { object: 'page', id: ID.page }, { object: 'page', id: ID.page }],
  ]
  it.each(rows)('are downgraded in a response: %s', async (_name, newer, expected) => {
    expect(await downgradeBy('C3', newer)).toStrictEqual(expected)
  })
})

describe('C5 types of lists', () => {
  it.each(['block', 'user', 'page_or_database', 'comment', 'file_upload'])('are omitted: %s', async (type) => {
    expect(await downgradeBy('C5', list(type, []))).toStrictEqual({
      object: 'list',
      results: [],
      has_more: false,
      next_cursor: null,
    })
  })
  it('are kept in lists of property items, which C3 covers, and outside lists, but not in lists without the member that they name', async () => {
    const items = { object: 'list', type: 'property_item', property_item: {}, results: [] }
    expect(await downgradeBy('C5', items)).toStrictEqual(items)
    expect(await downgradeBy('C5', { object: 'list', type: 'custom_emoji', results: [] })).toStrictEqual({
      object: 'list',
      results: [],
    })
    expect(await downgradeBy('C5', { object: 'block', type: 'divider', divider: {} })).toStrictEqual({
      object: 'block',
      type: 'divider',
      divider: {},
    })
  })
})
