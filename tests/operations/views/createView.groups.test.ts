import { describe, expect, it } from 'vitest'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage } from '../../harness/content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { at, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { textTypes } from '../../harness/text_types.ts'
import { createView, makeTracker } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner, 'Parent')
const other = await makeTracker(server.owner, page)
const tracker = await makeTracker(server.owner, page, other.sourceId)

const create = (body: object = {}, caller = server.owner, made = tracker): Promise<TestResponse> => createView(caller, made, body)

describe('createView: groups', () => {
  const groups: [string, string, object?][] = [
    ['select', 'Priority'],
    ['multi_select', 'Skills'],
    ['status', 'Stage', { group_by: 'option' }],
    ['person', 'Owner'],
    ['created_by', 'Author'],
    ['last_edited_by', 'Editor'],
    ['relation', 'Boat'],
    ['date', 'Due', { group_by: 'relative' }],
    ['created_time', 'Created', { group_by: 'day', start_day_of_week: 0 }],
    ['last_edited_time', 'Edited', { group_by: 'year' }],
    ['text', 'Notes', { group_by: 'exact' }],
    ['title', 'Job', { group_by: 'alphabet_prefix' }],
    ['url', 'Guide', { group_by: 'exact' }],
    ['email', 'Mail', { group_by: 'exact' }],
    ...textTypes.map(({ type, column }): [string, string, object] => [type, column, { group_by: 'exact' }]),
    ['number', 'Cost', { range_start: -5, range_end: 5, range_size: 1 }],
    ['checkbox', 'Approved'],
  ]
  it.each(groups)('200 for groups by %s, and 400 by a property of another type', async (type, name, more = {}) => {
    const createWith = (property: string): Promise<TestResponse> =>
      create({
        type: 'board',
        configuration: { type: 'board', group_by: { type, property_id: property, sort: { type: 'manual' }, ...more } },
      })
    const { body } = await createWith(name)
    expect(at(body, 'configuration', 'group_by')).toStrictEqual({
      type,
      property_id: tracker.columns[name],
      property_name: name,
      sort: { type: 'manual' },
      ...more,
    })
    for (const wrong of ['Ticket', name === 'Cost' ? 'Due' : 'Cost', 'Nope', 'Checked', 'Start'])
      expectInvalid(await createWith(wrong), 'body.configuration.group_by.property_id')
  })

  const board = (group_by: object): object => ({ type: 'board', configuration: { type: 'board', group_by } })

  const sort = { type: 'manual' }
  const formulas: [string, JsonObject][] = [
    ['Total', { type: 'number', sort, range_size: 5 }],
    ['Label', { type: 'text', group_by: 'alphabet_prefix', sort }],
    ['Late', { type: 'checkbox', sort }],
    ['Ready', { type: 'date', group_by: 'week', start_day_of_week: 1, sort }],
  ]
  it.each(formulas)('200 for groups by the result of formula %s, and 400 by anything else', async (name, inner) => {
    const group = (group_by: object): object => ({ type: 'formula', property_id: name, group_by, hide_empty_groups: true })
    const { body } = await create(board(group(inner)))
    expect(at(body, 'configuration', 'group_by')).toStrictEqual({
      ...group(inner),
      property_id: tracker.columns[name],
      property_name: name,
    })
    for (const [other, wrong] of formulas)
      if (other !== name) expectInvalid(await create(board(group(wrong))), 'body.configuration.group_by.group_by.type')
  })

  it('400 for a formula whose result type is unknown', async () => {
    const Mixed = { formula: { expression: '[1, "a"].first()' } }
    const path = { data_source_id: other.sourceId }
    expect((await server.owner.call('updateDataSource', { path, body: { properties: { Mixed } } })).status).toBe(200)
    for (const [, inner] of formulas) {
      const body = board({ type: 'formula', property_id: 'Mixed', group_by: inner, hide_empty_groups: true })
      expectInvalid(await create(body, server.owner, other), 'body.configuration.group_by.group_by.type')
    }
  })
})
