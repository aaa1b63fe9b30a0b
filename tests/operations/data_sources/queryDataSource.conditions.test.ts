import { beforeAll, describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makeConnection } from '../../harness/connections.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, plainValues } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, resultsOf, textAt, type Json } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/**
 * Rows with similar but different values. Each condition is evaluated in two ways: alone, by the index; and beside a formula that is true
 * for every row, on the rows themselves.
 */

/** Ids by name: of rows, of options, of the page that rows mention, and of the page that they are related to. */
const ids: Record<string, string> = {}
const LONG = 'x'.repeat(80)

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Slipway')
const crews = await makeDatabase(server.owner, parent)
ids['crew'] = idOf(await makeRow(server.owner, crews.sourceId))
const made = await makeDatabase(server.owner, parent, {
  Note: { rich_text: {} },
  Email: { email: {} },
  Hours: { number: {} },
  Wood: { select: { options: [{ name: 'oak' }, { name: 'elm' }] } },
  Step: { status: {} },
  Crew: { relation: { data_source_id: crews.sourceId, single_property: {} } },
  Made: { created_time: {} },
  Edited: { last_edited_time: {} },
  Editor: { last_edited_by: {} },
  Start: { button: {} },
  Named: { formula: { expression: 'prop("Name") != ""' } },
  Fee: { formula: { expression: 'prop("Hours") * 40' } },
  Rush: { formula: { expression: 'if(prop("Hours") > 5, true, if(prop("Hours") > 1, false, empty()))' } },
})
const sourceId = made.sourceId
const wood = at((await columnsOf(server.owner, sourceId))['Wood'], 'select', 'options')
ids['oak'] = textAt(wood, 0, 'id')
await changeWood([{ name: 'oak' }, { name: 'elm' }, { name: ids['oak'] }])

const mention = { type: 'mention', mention: { type: 'page', page: { id: parent } } }
const rows: Record<string, object> = {
  'edited last': { Hours: { number: 1 } },
  mention: { Note: { rich_text: [mention] } },
  equation: { Note: { rich_text: [text('see '), { type: 'equation', equation: { expression: 'E=mc^2' } }] } },
  'long a': { Note: { rich_text: [text(`${LONG}a`)] } },
  'long b': { Note: { rich_text: [text(`${LONG}b`)] } },
  email: { Email: { email: 'quay@yard.example' } },
  'of oak': { Wood: { select: { name: 'oak' } } },
  'called like the id of oak': { Wood: { select: { name: ids['oak'] } } },
  'had elm': { Wood: { select: { name: 'elm' } } },
  'had elm, restored': { Wood: { select: { name: 'elm' } }, Hours: { number: 7 } },
  related: { Crew: { relation: [{ id: ids['crew'] }] }, Hours: { number: 3 } },
}
for (const [name, values] of Object.entries(rows)) {
  server.clock.advance(1_000)
  ids[name] = idOf(await makeRow(server.owner, sourceId, { Name: [text(name)], ...values }))
}
await change('had elm, restored', { in_trash: true })
await changeWood([{ name: 'oak' }, { name: ids['oak'] }])
await change('had elm, restored', { in_trash: false })
const other = await makeConnection(server, { capabilities: ['read_content', 'update_content'], grants: [parent] })
ids['other editor'] = other.botId
server.clock.advance(60_000)
await change('edited last', { properties: { Hours: { number: 1.5 } } }, other.caller)

async function change(name: string, body: object, caller = server.owner): Promise<void> {
  const { status, text: response } = await caller.call('updatePage', { path: { page_id: ids[name] ?? '' }, body })
  expect(status, response).toBe(200)
}

/** Sets the options of the column `Wood`. */
async function changeWood(options: readonly object[]): Promise<void> {
  const body = { properties: { Wood: { select: { options } } } }
  expect((await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })).status).toBe(200)
}

const query = (body: object): Promise<TestResponse> =>
  server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, query: 'filter_properties=title', body })

async function names(filter: object): Promise<string[]> {
  const response = await query({ filter })
  expect(response.status, response.text).toBe(200)
  return resultsOf(response.body)
    .map((row) => textAt(plainValues(row)['Name'] as Json, 0, 'plain_text'))
    .toSorted()
}

const WITH_HOURS = ['edited last', 'had elm, restored', 'related']
const WITH_TEXT = ['equation', 'long a', 'long b', 'mention']
const everyBut = (...some: string[]): string[] => ALL.filter((name) => !some.includes(name))
const ALL = [...WITH_HOURS, ...WITH_TEXT, 'email', 'of oak', 'called like the id of oak', 'had elm']

const plain = (name: string): string => (ids[name] ?? '').replaceAll('-', '')

describe('queryDataSource: conditions', () => {
  it.each<[what: string, property: string, condition: () => object, expected: string[]]>([
    [
      'a text that only contains a mention is not empty',
      'Note',
      () => ({ rich_text: { is_empty: true } }),
      everyBut(...WITH_TEXT),
    ],
    ['a mention counts as the title of its page', 'Note', () => ({ rich_text: { equals: 'Slipway' } }), ['mention']],
    ['the text of equations is searched', 'Note', () => ({ rich_text: { contains: 'e e=MC' } }), ['equation']],
    ['texts are compared beyond 80 characters', 'Note', () => ({ rich_text: { equals: `${LONG}a` } }), ['long a']],
    ['a text does not equal its beginning', 'Note', () => ({ rich_text: { equals: LONG } }), []],
    ['addresses are searched as texts', 'Email', () => ({ rich_text: { starts_with: 'quay@' } }), ['email']],
    ['equality is case-sensitive', 'Email', () => ({ email: { equals: 'Quay@yard.example' } }), []],
    ['containment is case-insensitive', 'Email', () => ({ email: { contains: 'QUAY' } }), ['email']],
    [
      'the name of an option is matched before the id of another',
      'Wood',
      () => ({ select: { equals: ids['oak'] } }),
      ['called like the id of oak'],
    ],
    [
      'a value whose option was deleted is empty',
      'Wood',
      () => ({ select: { is_empty: true } }),
      everyBut('of oak', 'called like the id of oak'),
    ],
    ['related pages are found by an id without dashes', 'Crew', () => ({ relation: { contains: plain('crew') } }), ['related']],
    [
      'related pages are found by an id in upper case',
      'Crew',
      () => ({ relation: { contains: plain('crew').toUpperCase() } }),
      ['related'],
    ],
    ['a restored row is found', 'Hours', () => ({ number: { equals: 7 } }), ['had elm, restored']],
    [
      'rows are found by their creation time',
      'Made',
      () => ({ created_time: { on_or_before: '2026-05-16T04:30:01Z' } }),
      ['edited last'],
    ],
    [
      'the last edit is distinguished from the creation',
      'Edited',
      () => ({ last_edited_time: { after: '2026-05-16T04:31:00Z' } }),
      ['edited last'],
    ],
    ['the last edit accepts a date condition', 'Edited', () => ({ date: { after: '2026-05-16T04:31:00Z' } }), ['edited last']],
    [
      'the creation time accepts a date condition',
      'Made',
      () => ({ date: { on_or_before: '2026-05-16T04:30:01Z' } }),
      ['edited last'],
    ],
    ['the creation time is never empty', 'Made', () => ({ date: { is_empty: true } }), []],
    ['an editor accepts a people condition', 'Editor', () => ({ people: { contains: ids['other editor'] } }), ['edited last']],
    [
      'the last editor is distinguished from the creator',
      'Editor',
      () => ({ last_edited_by: { contains: ids['other editor'] } }),
      ['edited last'],
    ],
    ['a formula without a result is not zero', 'Fee', () => ({ formula: { number: { less_than: 1 } } }), []],
    ['a formula without a result is empty', 'Fee', () => ({ formula: { number: { is_empty: true } } }), everyBut(...WITH_HOURS)],
    [
      'a checkbox formula without a result is unchecked',
      'Rush',
      () => ({ formula: { checkbox: { equals: false } } }),
      everyBut('had elm, restored'),
    ],
    [
      'a checkbox formula without a result is not checked',
      'Rush',
      () => ({ formula: { checkbox: { equals: true } } }),
      ['had elm, restored'],
    ],
  ])('200: %s', async (_what, property, condition, expected) => {
    const filter = { property, ...condition() }
    expect(await names(filter)).toStrictEqual(expected.toSorted())
    const always = { property: 'Named', formula: { checkbox: { equals: true } } }
    expect(await names({ and: [always, filter] })).toStrictEqual(expected.toSorted())
    const never = { property: 'Named', formula: { checkbox: { equals: false } } }
    expect(await names({ or: [never, filter] })).toStrictEqual(expected.toSorted())
  })

  it.each<[what: string, filter: object, path: string, words: string]>([
    [
      'a text condition on a number',
      { property: 'Hours', rich_text: { equals: '7' } },
      'body.filter.rich_text',
      'a condition named number instead of rich_text: the property "Hours" is of type number',
    ],
    [
      'a condition of dates on a number',
      { property: 'Hours', date: { is_empty: true } },
      'body.filter.date',
      'a condition named number instead of date: the property "Hours" is of type number',
    ],
    [
      'a condition of people on a time',
      { property: 'Made', people: { is_empty: true } },
      'body.filter.people',
      'a condition named created_time instead of people: the property "Made" is of type created_time',
    ],
    [
      'a condition on a button',
      { property: 'Start', rich_text: { is_empty: true } },
      'body.filter.rich_text',
      'not present: the property "Start" is of type button, which cannot be filtered',
    ],
    [
      'an unknown property',
      { property: 'Berth', number: { equals: 1 } },
      'body.filter.property',
      'could not find property with name or id "Berth"',
    ],
    [
      'an unknown status',
      { property: 'Step', status: { equals: 'Sunk' } },
      'body.filter.status.equals',
      'the property "Step" has no option "Sunk"',
    ],
    [
      'a deleted option',
      { property: 'Wood', select: { does_not_equal: 'elm' } },
      'body.filter.select.does_not_equal',
      'the property "Wood" has no option "elm"',
    ],
  ])('400 naming %s', async (_what, filter, path, words) => {
    const response = await query({ filter })
    expectInvalid(response, path)
    expect(response.body['message']).toContain(words)
  })
})

describe('queryDataSource: calendar months and years', () => {
  const DAYS = ['2027-02-28', '2027-03-01', '2027-03-03', '2027-04-30', '2028-05-31', '2028-06-01', '2028-06-02']
  let days: string
  beforeAll(async () => {
    days = (await makeDatabase(server.owner, await makePage(server.owner), { Day: { date: {} } })).sourceId
    for (const start of DAYS) await makeRow(server.owner, days, { Day: { date: { start } } })
  })

  // The clock advances from one row to the next.
  it.each<[now: string, condition: object, found: string[]]>([
    ['2027-01-31', { equals: 'one_month_from_now' }, ['2027-02-28']],
    ['2027-01-31', { next_month: {} }, ['2027-02-28']],
    ['2027-03-31', { equals: 'one_month_ago' }, ['2027-02-28']],
    ['2027-03-31', { past_month: {} }, ['2027-02-28', '2027-03-01', '2027-03-03']],
    ['2027-03-31', { next_month: {} }, ['2027-04-30']],
    ['2027-06-01', { next_year: {} }, ['2028-05-31', '2028-06-01']],
    ['2028-06-01', { past_year: {} }, ['2028-05-31', '2028-06-01']],
  ])('200 with the rows of the right days on %s for %j', async (now, date, found) => {
    server.clock.advance(Date.parse(now) - server.clock.now())
    const body = { filter: { property: 'Day', date }, sorts: [{ property: 'Day', direction: 'ascending' }] }
    const response = await server.owner.call('queryDataSource', { path: { data_source_id: days }, body })
    expect(resultsOf(response.body).map((row) => at(row, 'properties', 'Day', 'date', 'start'))).toStrictEqual(found)
  })
})
