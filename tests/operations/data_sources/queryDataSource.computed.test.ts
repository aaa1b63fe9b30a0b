import { describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// The clock of tests is set to 2026-05-16T04:30Z.
const person = exampleWorkspace.people[0].id

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')
const parts = await makeDatabase(server.owner, parent, {
  Cost: { number: {} },
  Stock: { checkbox: {} },
  Kind: { select: { options: [{ name: 'wood' }, { name: 'metal' }] } },
  Tags: { multi_select: { options: [{ name: 'x' }, { name: 'y' }] } },
  Step: { status: {} },
  Bought: { date: {} },
  Who: { people: {} },
  Papers: { files: {} },
  Url: { url: {} },
  No: { unique_id: {} },
  Word: { formula: { expression: 'prop("Name") + "!"' } },
  Twice: { formula: { expression: 'prop("Cost") * 2' } },
  Dear: { formula: { expression: 'prop("Cost") > 5' } },
})
const made: Record<string, string> = {}
const properties: Record<string, object> = {
  plank: {
    Cost: { number: 3 },
    Stock: { checkbox: true },
    Kind: { select: { name: 'wood' } },
    Tags: { multi_select: [{ name: 'x' }, { name: 'y' }] },
    Step: { status: { name: 'Done' } },
    Bought: { date: { start: '2026-05-01' } },
    Who: { people: [{ id: person }] },
    Papers: { files: [{ name: 'a', external: { url: 'https://yard.example/a' } }] },
    Url: { url: 'https://yard.example/plank' },
  },
  nail: {
    Cost: { number: 8 },
    Stock: { checkbox: true },
    Kind: { select: { name: 'metal' } },
    Bought: { date: { start: '2026-05-16' } },
  },
  rope: {},
}
for (const [name, values] of Object.entries(properties))
  made[name] = idOf(await makeRow(server.owner, parts.sourceId, { Name: { title: [text(name)] }, ...values }))
const rollup = (property: string, name = 'show_original'): object => ({
  rollup: { relation_property_name: 'Parts', rollup_property_name: property, function: name },
})
const shown = [
  'Name',
  'Cost',
  'Stock',
  'Kind',
  'Tags',
  'Step',
  'Bought',
  'Who',
  'Papers',
  'Url',
  'No',
  'Word',
  'Twice',
  'Dear',
  'Created',
  'Maker',
]
await server.owner.call('updateDataSource', {
  path: { data_source_id: parts.sourceId },
  body: { properties: { Created: { created_time: {} }, Maker: { created_by: {} } } },
})
const jobs = await makeDatabase(server.owner, parent, {
  Hours: { number: {} },
  Due: { date: {} },
  Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
  ...Object.fromEntries(shown.map((name) => [`All ${name}`, rollup(name)])),
  Sum: rollup('Cost', 'sum'),
  Least: rollup('Cost', 'min'),
  Latest: rollup('Bought', 'latest_date'),
  Fee: { formula: { expression: 'prop("Hours") * 40' } },
  Label: { formula: { expression: 'if(prop("Hours") > 1, "Long", "")' } },
  Late: { formula: { expression: 'prop("Due") < now()' } },
  Day: { formula: { expression: 'prop("Due")' } },
  Nothing: { formula: {} },
  'From rollup': { formula: { expression: 'prop("Sum") + 1' } },
})
const links = (...names: string[]): object => ({ Parts: { relation: names.map((name) => ({ id: made[name] })) } })
const rows: Record<string, object> = {
  one: { Hours: { number: 1 }, Due: { date: { start: '2026-05-10' } }, ...links('plank', 'nail') },
  two: { Hours: { number: 2 }, Due: { date: { start: '2026-06-10' } }, ...links('nail', 'rope') },
  three: { Hours: { number: 3 }, ...links() },
  four: { ...links('rope') },
}
for (const [name, values] of Object.entries(rows)) {
  server.clock.advance(1_000)
  await makeRow(server.owner, jobs.sourceId, { Name: { title: [text(name)] }, ...values })
}

const query = (body: object): Promise<TestResponse> =>
  server.owner.call('queryDataSource', { path: { data_source_id: jobs.sourceId }, query: 'filter_properties=title', body })

async function names(body: object): Promise<string[]> {
  const response = await query(body)
  expect(response.status, response.text).toBe(200)
  return resultsOf(response.body).map((row) => String(at(row, 'properties', 'Name', 'title', 0, 'plain_text')))
}

const ALL = ['four', 'one', 'three', 'two']

describe('queryDataSource: filters on formulas', () => {
  const cases: [string, object, string[]][] = [
    ['Fee', { number: { equals: 40 } }, ['one']],
    ['Fee', { number: { greater_than: 40 } }, ['three', 'two']],
    ['Fee', { number: { does_not_equal: 40 } }, ['four', 'three', 'two']],
    ['Label', { string: { equals: 'Long' } }, ['three', 'two']],
    ['Label', { string: { contains: 'LO' } }, ['three', 'two']],
    ['Label', { string: { is_empty: true } }, ['four', 'one']],
    ['Label', { string: { does_not_contain: 'x' } }, ALL],
    ['Late', { checkbox: { equals: true } }, ['one']],
    ['Day', { date: { before: 'today' } }, ['one']],
    ['Day', { date: { next_month: {} } }, ['two']],
    ['Day', { date: { is_empty: true } }, ['four', 'three']],
    ['From rollup', { number: { greater_than: 9 } }, ['one']],
  ]
  it.each(cases)('200 with the matching rows for %s %j', async (property, formula, expected) => {
    expect((await names({ filter: { property, formula } })).toSorted()).toStrictEqual(expected.toSorted())
  })

  it.each<[string, object, string]>([
    ['Fee', { string: { equals: '40' } }, 'body.filter.formula.string'],
    ['Label', { number: { equals: 1 } }, 'body.filter.formula.number'],
    ['Late', { date: { equals: 'today' } }, 'body.filter.formula.date'],
    ['Day', { checkbox: { equals: true } }, 'body.filter.formula.checkbox'],
    ['Nothing', { string: { is_empty: true } }, 'body.filter.formula'],
    ['Day', { date: { equals: '2026-02-30' } }, 'body.filter.formula.date.equals'],
  ])('400 for %s %j', async (property, formula, path) => {
    expectInvalid(await query({ filter: { property, formula } }), path)
  })

  it('200 for a condition on a formula combined with conditions on other properties', async () => {
    const fee = { property: 'Fee', formula: { number: { greater_than: 0 } } }
    const hours = { property: 'Hours', number: { less_than: 3 } }
    expect((await names({ filter: { and: [fee, hours] } })).toSorted()).toStrictEqual(['one', 'two'])
    expect(
      (await names({ filter: { or: [fee, { property: 'Parts', relation: { is_not_empty: true } }] } })).toSorted(),
    ).toStrictEqual(ALL)
  })
})

describe('queryDataSource: filters on rollups', () => {
  const any = (condition: object): object => ({ any: condition })
  const cases: [string, object, string[]][] = [
    ['Sum', { number: { equals: 11 } }, ['one']],
    ['Sum', { number: { equals: 0 } }, ['four', 'three']],
    ['Least', { number: { is_empty: true } }, ['four', 'three']],
    ['Latest', { date: { equals: 'today' } }, ['one', 'two']],
    ['Latest', { date: { is_empty: true } }, ['four', 'three']],
    ['All Name', any({ rich_text: { equals: 'rope' } }), ['four', 'two']],
    ['All Name', { every: { rich_text: { contains: 'A' } } }, ['one']],
    ['All Name', { none: { rich_text: { starts_with: 'ro' } } }, ['one', 'three']],
    ['All Url', any({ rich_text: { ends_with: 'plank' } }), ['one']],
    ['All Word', any({ rich_text: { equals: 'nail!' } }), ['one', 'two']],
    ['All Cost', any({ number: { less_than: 5 } }), ['one']],
    ['All Cost', { every: { number: { is_not_empty: true } } }, ['one']],
    ['All Cost', { none: { number: { is_empty: true } } }, ['one', 'three']],
    ['All Twice', any({ number: { equals: 16 } }), ['one', 'two']],
    ['All No', any({ number: { equals: 3 } }), ['four', 'two']],
    ['All Stock', { every: { checkbox: { equals: true } } }, ['one']],
    ['All Dear', any({ checkbox: { equals: true } }), ['one', 'two']],
    ['All Kind', any({ select: { equals: ['wood', 'metal'] } }), ['one', 'two']],
    ['All Tags', any({ multi_select: { contains: 'x' } }), ['one']],
    ['All Step', any({ status: { equals: 'Done' } }), ['one']],
    ['All Bought', any({ date: { before: 'today' } }), ['one']],
    ['All Created', { every: { date: { past_week: {} } } }, ['four', 'one', 'two']],
    ['All Created', any({ date: { past_week: {} } }), ['four', 'one', 'two']],
    ['All Created', { none: { date: { past_week: {} } } }, ['three']],
    ['All Who', any({ people: { contains: person } }), ['one']],
    ['All Maker', any({ people: { contains: 'me' } }), ['four', 'one', 'two']],
    ['All Papers', any({ files: { is_not_empty: true } }), ['one']],
    // Some clients name a property inside the condition; it is ignored.
    ['All Name', any({ property: 'Elsewhere', rich_text: { equals: 'rope' } }), ['four', 'two']],
    ['All Url', { none: { rich_text: { ends_with: 'plank' }, property: 'Url' } }, ['four', 'three', 'two']],
  ]
  it.each(cases)('200 with the matching rows for %s %j', async (property, rollup, expected) => {
    expect((await names({ filter: { property, rollup } })).toSorted()).toStrictEqual(expected.toSorted())
  })

  it.each<[string, object, string]>([
    ['Sum', { any: { number: { equals: 1 } } }, 'body.filter.rollup.any'],
    ['Sum', { date: { equals: 'today' } }, 'body.filter.rollup.date'],
    ['Latest', { number: { equals: 1 } }, 'body.filter.rollup.number'],
    ['All Cost', { number: { equals: 1 } }, 'body.filter.rollup.number'],
    ['All Cost', { any: { rich_text: { equals: '1' } } }, 'body.filter.rollup.any.rich_text'],
    ['All Word', { every: { number: { equals: 1 } } }, 'body.filter.rollup.every.number'],
    ['All Kind', { none: { select: { equals: 'stone' } } }, 'body.filter.rollup.none.select.equals'],
    ['All Bought', { any: { date: { equals: '2026-13-01' } } }, 'body.filter.rollup.any.date.equals'],
    ['All Name', { any: { property: 'Name' } }, 'body.filter.rollup.any'],
    ['All Name', { any: { property: 7, rich_text: { equals: 'rope' } } }, 'body.filter.rollup.any.property'],
    ['All Name', { every: { rich_text: { equals: 'rope' }, number: { equals: 1 } } }, 'body.filter.rollup.every'],
  ])('400 for %s %j', async (property, rollup, path) => {
    expectInvalid(await query({ filter: { property, rollup } }), path)
  })
})

describe('queryDataSource: sorts by computed values', () => {
  const by = (property: string, direction = 'ascending'): object => ({ sorts: [{ property, direction }] })
  it.each<[string, string[], string[]]>([
    ['Fee', ['one', 'two', 'three', 'four'], ['three', 'two', 'one', 'four']],
    ['Label', ['three', 'two', 'four', 'one'], ['three', 'two', 'four', 'one']],
    ['Day', ['one', 'two', 'four', 'three'], ['two', 'one', 'four', 'three']],
    ['Sum', ['four', 'three', 'two', 'one'], ['one', 'two', 'four', 'three']],
    ['Latest', ['two', 'one', 'four', 'three'], ['two', 'one', 'four', 'three']],
    ['All Name', ['two', 'one', 'four', 'three'], ['four', 'one', 'two', 'three']],
    ['All Kind', ['one', 'two', 'four', 'three'], ['two', 'one', 'four', 'three']],
    ['All Cost', ['one', 'two', 'four', 'three'], ['two', 'one', 'four', 'three']],
    ['Nothing', ['four', 'three', 'two', 'one'], ['four', 'three', 'two', 'one']],
  ])(
    '200 sorted by %s, by its result or the first element of a list, with empty values last',
    async (property, ascending, descending) => {
      expect(await names(by(property))).toStrictEqual(ascending)
      expect(await names(by(property, 'descending'))).toStrictEqual(descending)
    },
  )
})
