import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { textTypes } from '../../harness/text_types.ts'
import {
  ALL,
  first,
  made,
  nameOf,
  names,
  parent,
  prepareRows,
  rows,
  second,
  server,
  sorted,
  title,
} from './reference/rows_of_every_type.ts'

beforeAll(prepareRows)
afterAll(() => server.stop())

describe('queryDataSource: filters', () => {
  const cases: [property: string, key: string, condition: object, expected: string[]][] = [
    ['Name', 'title', { equals: 'Beta' }, ['Beta']],
    ['Name', 'title', { equals: 'beta' }, []],
    ['Name', 'title', { contains: 'ET' }, ['Beta']],
    ['Name', 'rich_text', { ends_with: 'TA' }, ['Beta', 'delta']],
    ['title', 'title', { starts_with: 'b' }, ['Beta']],
    ['Name', 'title', { does_not_contain: 'a' }, []],
    ['Name', 'title', { does_not_equal: 'Beta' }, ['alpha', 'gamma', 'delta']],
    ['Text', 'rich_text', { equals: 'Larch plank' }, ['alpha']],
    ['Text', 'rich_text', { contains: 'h P' }, ['alpha']],
    ['Text', 'rich_text', { contains: 'éclair' }, ['Beta']],
    ['Text', 'rich_text', { does_not_contain: 'plank' }, ['Beta', 'gamma', 'delta']],
    ['Text', 'rich_text', { does_not_equal: 'Larch plank' }, ['Beta', 'gamma', 'delta']],
    ['Text', 'rich_text', { is_empty: true }, ['gamma', 'delta']],
    ['Text', 'rich_text', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Text', 'rich_text', { contains: '%' }, []],
    ['Text', 'rich_text', { contains: '\0' }, []],
    ['Url', 'url', { contains: 'yard' }, ['alpha']],
    ['Url', 'rich_text', { starts_with: 'HTTPS://' }, ['alpha']],
    ['Email', 'email', { equals: 'a@yard.example' }, ['alpha']],
    ...textTypes.flatMap(({ type, column, value }): typeof cases => [
      [column, type, { equals: value }, ['alpha']],
      [column, type, { ends_with: value.slice(-3) }, ['alpha']],
      [column, 'rich_text', { starts_with: value.slice(0, 3) }, ['alpha']],
      [column, type, { is_empty: true }, ['Beta', 'gamma', 'delta']],
    ]),
    ['Number', 'number', { equals: 1 }, ['alpha', 'gamma']],
    ['Number', 'number', { does_not_equal: 1 }, ['Beta', 'delta']],
    ['Number', 'number', { greater_than: -2.5 }, ['alpha', 'gamma']],
    ['Number', 'number', { greater_than_or_equal_to: -2.5 }, ['alpha', 'Beta', 'gamma']],
    ['Number', 'number', { less_than: 1 }, ['Beta']],
    ['Number', 'number', { less_than_or_equal_to: 1 }, ['alpha', 'Beta', 'gamma']],
    ['Number', 'number', { is_empty: true }, ['delta']],
    ['Number', 'number', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Id', 'unique_id', { equals: 2 }, ['Beta']],
    ['Id', 'unique_id', { greater_than: 2 }, ['gamma', 'delta']],
    ['Check', 'checkbox', { equals: true }, ['alpha']],
    ['Check', 'checkbox', { equals: false }, ['Beta', 'gamma', 'delta']],
    ['Check', 'checkbox', { does_not_equal: false }, ['alpha']],
    ['Check', 'checkbox', { does_not_equal: true }, ['Beta', 'gamma', 'delta']],
    ['Select', 'select', { equals: 'low' }, ['alpha']],
    ['Select', 'select', { equals: ['low', 'high'] }, ['alpha', 'Beta']],
    ['Select', 'select', { does_not_equal: 'low' }, ['Beta', 'gamma', 'delta']],
    ['Select', 'select', { does_not_equal: ['low', 'high'] }, ['gamma', 'delta']],
    ['Select', 'select', { is_empty: true }, ['gamma', 'delta']],
    ['Status', 'status', { equals: ['Done', 'In progress'] }, ['alpha', 'Beta']],
    ['Status', 'status', { does_not_equal: 'Not started' }, ['alpha', 'Beta']],
    ['Status', 'status', { is_not_empty: true }, ALL],
    ['Multi', 'multi_select', { contains: 'x' }, ['alpha', 'Beta']],
    ['Multi', 'multi_select', { contains: ['y', 'z'] }, ['alpha', 'gamma']],
    ['Multi', 'multi_select', { does_not_contain: 'x' }, ['gamma', 'delta']],
    ['Multi', 'multi_select', { does_not_contain: ['x', 'z'] }, ['delta']],
    ['Multi', 'multi_select', { is_empty: true }, ['delta']],
    ['Multi', 'multi_select', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { equals: '2026-05-16' }, ['alpha']],
    ['Date', 'date', { equals: '2026-05-17' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-17T01:30:00Z' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-17 01:30:00.000400' }, ['Beta']],
    ['Date', 'date', { equals: '2026-05-16T00:00:00' }, ['alpha']],
    ['Date', 'date', { before: '2026-05-16' }, ['gamma']],
    ['Date', 'date', { after: '2026-05-16' }, ['Beta']],
    ['Date', 'date', { on_or_before: '2026-05-16' }, ['alpha', 'gamma']],
    ['Date', 'date', { on_or_after: '2026-05-16' }, ['alpha', 'Beta']],
    ['Date', 'date', { after: '2026-05-15T23:59:59.999Z' }, ['alpha', 'Beta']],
    ['Date', 'date', { on_or_after: '2026-05-16T03:30+02:00' }, ['Beta']],
    ['Date', 'date', { equals: 'today' }, ['alpha']],
    ['Date', 'date', { equals: 'tomorrow' }, ['Beta']],
    ['Date', 'date', { after: 'yesterday' }, ['alpha', 'Beta']],
    ['Date', 'date', { before: 'one_week_ago' }, ['gamma']],
    ['Date', 'date', { on_or_before: 'one_week_from_now' }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { equals: 'one_month_ago' }, ['gamma']],
    ['Date', 'date', { before: 'one_month_from_now' }, ['alpha', 'Beta', 'gamma']],
    ['Date', 'date', { this_week: {} }, ['alpha']],
    ['Date', 'date', { past_week: {} }, ['alpha']],
    ['Date', 'date', { past_month: {} }, ['alpha', 'gamma']],
    ['Date', 'date', { past_year: {} }, ['alpha', 'gamma']],
    ['Date', 'date', { next_week: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { next_month: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { next_year: {} }, ['alpha', 'Beta']],
    ['Date', 'date', { is_empty: true }, ['delta']],
    ['Date', 'date', { is_not_empty: true }, ['alpha', 'Beta', 'gamma']],
    ['Created', 'created_time', { equals: 'today' }, ALL],
    ['Created', 'created_time', { on_or_before: '2026-05-16T04:30:02Z' }, ['alpha', 'Beta']],
    ['Created', 'created_time', { is_empty: true }, []],
    ['Edited', 'last_edited_time', { after: '2026-05-16T04:30:02Z' }, ['gamma', 'delta']],
    ['Edited', 'last_edited_time', { is_not_empty: true }, ALL],
    ['People', 'people', { contains: first }, ['Beta']],
    ['People', 'people', { contains: second.replaceAll('-', '').toUpperCase() }, ['alpha', 'Beta']],
    ['People', 'people', { does_not_contain: first }, ['alpha', 'gamma', 'delta']],
    ['People', 'people', { contains: 'me' }, []],
    ['People', 'people', { is_empty: true }, ['gamma', 'delta']],
    ['Author', 'created_by', { contains: 'me' }, ALL],
    ['Author', 'created_by', { contains: exampleWorkspace.bot.id }, ALL],
    ['Author', 'created_by', { does_not_contain: 'me' }, []],
    ['Author', 'created_by', { is_empty: true }, []],
    ['Editor', 'last_edited_by', { contains: first }, []],
    ['Editor', 'last_edited_by', { is_not_empty: true }, ALL],
    ['Files', 'files', { is_empty: true }, ['gamma', 'delta']],
    ['Files', 'files', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Relation', 'relation', { is_empty: true }, ['gamma', 'delta']],
    ['Relation', 'relation', { is_not_empty: true }, ['alpha', 'Beta']],
    ['Relation', 'relation', { contains: randomUUID() }, []],
    ['Relation', 'relation', { does_not_contain: randomUUID() }, ALL],
    ['Verified', 'verification', { status: 'verified' }, ['alpha']],
    ['Verified', 'verification', { status: 'expired' }, ['Beta']],
    ['Verified', 'verification', { status: 'none' }, ['gamma', 'delta']],
    ['Verified', 'verification', { does_not_equal: 'expired' }, ['alpha', 'gamma', 'delta']],
    ['Verified', 'verification', { does_not_equal: 'none' }, ['alpha', 'Beta']],
  ]
  it.each(cases.map((row, index) => [...row, index] as const))(
    '200 with the matching rows for %s: %s %j',
    async (property, key, condition, expected, index) => {
      const alone = { property, [key]: condition }
      // Every second filter is part of a larger one, and has an explicit type.
      const filter = index % 2 === 0 ? alone : { and: [{ ...alone, type: key }, { or: [] }] }
      expect(sorted(await names({ filter }))).toStrictEqual(sorted(expected))
    },
  )

  it('200 for a relation that contains or does not contain a page', async () => {
    const filter = (condition: object): object => ({ filter: { property: 'Relation', relation: condition } })
    expect(sorted(await names(filter({ contains: rows.get('Zinc') })))).toStrictEqual(['Beta', 'alpha'])
    expect(await names(filter({ contains: rows.get('Ash') }))).toStrictEqual(['Beta'])
    expect(sorted(await names(filter({ does_not_contain: rows.get('Ash') })))).toStrictEqual(['alpha', 'delta', 'gamma'])
  })

  it('200 for properties by id, and options by id', async () => {
    const columns = await columnsOf(server.owner, made.sourceId)
    const option = String(at(columns['Select'] ?? {}, 'select', 'options', 1, 'id'))
    const filter = { property: idOf(columns['Select']), select: { equals: option } }
    expect(await names({ filter })).toStrictEqual(['Beta'])
  })

  it('200 for conditions on timestamps of the row instead of a property', async () => {
    const created = { timestamp: 'created_time', created_time: { after: '2026-05-16T04:30:03Z' } }
    expect(await names({ filter: created })).toStrictEqual(['delta'])
    const edited = { timestamp: 'last_edited_time', last_edited_time: { before: '2026-05-16T04:30:02Z' } }
    expect(await names({ filter: { ...edited, type: 'last_edited_time' } })).toStrictEqual(['alpha'])
  })

  it('200 for `and` and `or` on two levels; an empty list restricts nothing', async () => {
    const number = { property: 'Number', number: { equals: 1 } }
    const checked = { property: 'Check', checkbox: { equals: true } }
    const none = { property: 'Date', date: { is_empty: true } }
    expect(await names({ filter: { and: [number, checked] } })).toStrictEqual(['alpha'])
    expect(await names({ filter: { or: [none, checked] } })).toStrictEqual(['delta', 'alpha'])
    expect(await names({ filter: { or: [none, { and: [number, checked] }] } })).toStrictEqual(['delta', 'alpha'])
    expect(await names({ filter: { and: [number, { or: [none, checked] }] } })).toStrictEqual(['alpha'])
    expect(await names({ filter: { or: [] } })).toHaveLength(4)
    expect(await names({ filter: { and: [{ or: [] }, { and: [] }] } })).toHaveLength(4)
    expect(await names({ filter: { and: Array.from({ length: 100 }, () => number) } })).toHaveLength(2)
  })

  it('200 for 8,000 conditions on two levels', async () => {
    const checked = { property: 'Check', checkbox: { equals: true } }
    const lists = (word: string): object => ({ [word]: Array.from({ length: 100 }, () => checked) })
    expect(await names({ filter: { and: Array.from({ length: 80 }, () => lists('or')) } })).toStrictEqual(['alpha'])
    expect(
      await names({ filter: { and: [lists('and'), checked] }, sorts: [{ property: 'Date', direction: 'ascending' }] }),
    ).toStrictEqual(['alpha'])
    expect(await names({ filter: lists('or') })).toStrictEqual(['alpha'])
  })

  it('200 with mentions compared by the text that the caller reads', async () => {
    const own = await makeDatabase(server.owner, parent, { Note: { rich_text: {} } })
    const mention = { type: 'mention', mention: { type: 'page', page: { id: parent } } }
    await makeRow(server.owner, own.sourceId, { ...title('one'), Note: { rich_text: [text('see '), mention] } })
    await makeRow(server.owner, own.sourceId, { ...title('two'), Note: { rich_text: [text(`${'x'.repeat(1_500)} End`)] } })
    const find = async (condition: object): Promise<string[]> => {
      const body = { filter: { property: 'Note', rich_text: condition } }
      const response = await server.owner.call('queryDataSource', { path: { data_source_id: own.sourceId }, body })
      return resultsOf(response.body).map(nameOf)
    }
    expect(await find({ equals: 'see Parent' })).toStrictEqual(['one'])
    expect(await find({ ends_with: 'PARENT' })).toStrictEqual(['one'])
    expect(await find({ does_not_contain: 'parent' })).toStrictEqual(['two'])
    expect(await find({ ends_with: 'x end' })).toStrictEqual(['two'])
    expect(await find({ is_empty: true })).toStrictEqual([])
  })
})
