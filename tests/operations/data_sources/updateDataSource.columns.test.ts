import { describe, expect, it } from 'vitest'
import { loadContractDocument } from '../../../server/contract/contract_document.ts'
import type { TestResponse } from '../../harness/responses.ts'
import { makePage, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf } from '../../harness/databases_content.ts'
import { expectError, expectInvalid } from '../../harness/expectations.ts'
import { at, idOf, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// Rules about the keys of a change, and about columns that depend on others.

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const change = (id: string, properties: object): Promise<TestResponse> =>
  server.owner.call('updateDataSource', { path: { data_source_id: id }, body: { properties } })
const made = (properties: object = {}): ReturnType<typeof makeDatabase> => makeDatabase(server.owner, parent, properties)
const columns = (sourceId: string): Promise<Record<string, JsonObject>> => columnsOf(server.owner, sourceId)
const encoded = (id: string): string => `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`
const formula = (expression: string): object => ({ formula: { expression } })

describe('updateDataSource: keys of a change', () => {
  it('200 when columns are deleted, renamed and retyped by name, id or percent-encoded id', async () => {
    const { sourceId } = await made({ A: { url: {} }, B: { url: {} }, C: { url: {} }, D: { url: {} }, E: { url: {} } })
    const ids = Object.fromEntries(Object.entries(await columns(sourceId)).map(([name, { id }]) => [name, String(id)]))
    const { A = '', B = '', C = '', D = '' } = ids
    const { status, body } = await change(sourceId, {
      [A]: null,
      [encoded(B)]: null,
      [encoded(C)]: { name: 'See' },
      [D]: { type: 'email', email: {} },
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect(await columns(sourceId)).toMatchObject({
      See: { id: C, type: 'url' },
      D: { id: D, type: 'email' },
      E: { type: 'url' },
    })
    expect(Object.keys(await columns(sourceId))).toStrictEqual(['Name', 'See', 'D', 'E'])
  })

  it('200 for a new column named by `name` instead of its key, and with a description set and cleared', async () => {
    const { sourceId } = await made()
    await change(sourceId, { Link: { name: 'Guide', url: {}, description: 'Where it stands' } })
    expect(await columns(sourceId)).toMatchObject({ Guide: { type: 'url', description: 'Where it stands' } })
    expect(Object.keys(await columns(sourceId))).toStrictEqual(['Name', 'Guide'])
    await change(sourceId, { Guide: { description: null } })
    expect((await columns(sourceId))['Guide']).toMatchObject({ type: 'url', description: null })
    await change(sourceId, { Guide: { name: 'Manual', description: 'x', email: {} } })
    expect((await columns(sourceId))['Manual']).toMatchObject({ type: 'email', description: 'x' })
  })

  it('200 with deletions applied before renames, and renames before a formula that uses the final names', async () => {
    const { sourceId } = await made({ A: { number: {} }, B: { number: {} }, F: formula('prop("A") + prop("B")') })
    const before = await columns(sourceId)
    const row = idOf(await makeRow(server.owner, sourceId, { A: { number: 1 }, B: { number: 2 } }))
    const { status, body } = await change(sourceId, {
      F: formula('prop("A") * 10 + prop("New")'),
      New: { number: {} },
      B: { name: 'A' },
      A: null,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    expect((await columns(sourceId))['A']).toMatchObject({ id: before['B']?.['id'] })
    await server.owner.call('updatePage', { path: { page_id: row }, body: { properties: { New: { number: 3 } } } })
    expect((await valuesOf(server.owner, row))['F']).toStrictEqual({ type: 'number', number: 23 })
  })

  it('400 when one column has two keys', async () => {
    const { sourceId } = await made({ A: { url: {} } })
    const id = String((await columns(sourceId))['A']?.['id'])
    expectError(
      await change(sourceId, { A: { name: 'B' }, [id]: { name: 'C' } }),
      400,
      'validation_error',
      `body.properties.${id}`,
    )
    expect(Object.keys(await columns(sourceId))).toStrictEqual(['Name', 'A'])
  })

  it('200 for a new column of type place, and 400 for types that only creation accepts, unless the column already has the type', async () => {
    const { sourceId } = await made({
      Button: { button: {} },
      Site: { location: {} },
      Ok: { verification: {} },
      Seen: { last_visited_time: {} },
    })
    expect((await change(sourceId, { Quay: { place: {} } })).status).toBe(200)
    const kinds = { Button: 'button', Site: 'location', Ok: 'verification', Seen: 'last_visited_time' }
    for (const [name, kind] of Object.entries(kinds)) {
      expect((await change(sourceId, { [name]: { [kind]: {}, description: 'kept' } })).status, kind).toBe(200)
      expect((await columns(sourceId))[name]).toMatchObject({ type: kind, description: 'kept' })
      expectInvalid(await change(sourceId, { More: { [kind]: {} } }), 'body.properties.More')
      expectInvalid(await change(sourceId, { Quay: { [kind]: {} } }), 'body.properties.Quay')
    }
  })
})

describe('updateDataSource: options', () => {
  const options = (column: JsonObject | undefined, type: string): JsonObject[] => at(column, type, 'options') as JsonObject[]

  it('200 with a removed option also removed from rows, and other options kept and reordered by id', async () => {
    const { sourceId } = await made({
      Tags: { multi_select: { options: [{ name: 'a', color: 'red' }, { name: 'b' }, { name: 'c' }] } },
    })
    const row = idOf(
      await makeRow(server.owner, sourceId, { Tags: { multi_select: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] } }),
    )
    const [a, , c] = options((await columns(sourceId))['Tags'], 'multi_select')
    await change(sourceId, { Tags: { multi_select: { options: [{ id: c?.['id'] }, { id: a?.['id'], color: 'red' }] } } })
    expect(options((await columns(sourceId))['Tags'], 'multi_select')).toMatchObject([
      { id: c?.['id'], name: 'c' },
      { id: a?.['id'], name: 'a', color: 'red' },
    ])
    expect((await valuesOf(server.owner, row))['Tags']).toMatchObject([{ name: 'a' }, { name: 'c' }])
    const filter = { property: 'Tags', multi_select: { contains: 'c' } }
    const found = await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: { filter } })
    expect(at(found.body, 'results', 0, 'id')).toBe(row)
    await change(sourceId, { Tags: { multi_select: { options: [] } } })
    expect((await valuesOf(server.owner, row))['Tags']).toStrictEqual([])
  })

  it('200 with status options found by name and moved between groups, and 400 for an unknown group', async () => {
    const { sourceId } = await made({ Stage: { status: {} } })
    const send = (...list: object[]): Promise<TestResponse> => change(sourceId, { Stage: { status: { options: list } } })
    await send({ name: 'Done', description: 'For good', group: 'In progress' })
    const stage = (await columns(sourceId))['Stage']
    const done = options(stage, 'status').find(({ name }) => name === 'Done')
    expect(done).toMatchObject({ color: 'green', description: 'For good' })
    expect(at(stage, 'status', 'groups', 1, 'option_ids', 1)).toBe(done?.['id'])
    expect(at(stage, 'status', 'groups', 2, 'option_ids')).toStrictEqual([])
    expectInvalid(await send({ name: 'More', group: 'Later' }), 'body.properties.Stage.status.options[0].group')
    expectInvalid(
      await send({ name: 'Done' }, { id: done?.['id'], name: 'In progress' }),
      'body.properties.Stage.status.options[1].name',
    )
    const first = { S: { status: { options: [{ name: 'x', group: 'Later' }] } } }
    expectInvalid(await change(sourceId, first), 'body.properties.S.status.options[0].group')
  })
})

describe('updateDataSource: status groups, rollups and numbers', () => {
  it('200 with options in status groups by id or name, ignoring unknown groups and options', async () => {
    const groups = async (): Promise<string[][]> => {
      const status = (await columns(sourceId))['Stage']?.['status'] as JsonObject
      const names = new Map((status['options'] as JsonObject[]).map(({ id, name }) => [id, String(name)]))
      return (status['groups'] as JsonObject[]).map((group) => (group['option_ids'] as string[]).map((id) => names.get(id) ?? id))
    }
    const { sourceId } = await made({
      Stage: {
        status: {
          options: [{ name: 'A' }, { name: 'B', color: null }, { name: 'C', group: 'Complete' }, { name: 'D' }],
          groups: [
            { name: 'In progress', color: 'pink', option_ids: ['D', 'B', 'C', 'nothing'] },
            { name: 'Parked', option_ids: ['A'] },
            { id: 'x', name: 'Complete' },
          ],
        },
      },
    })
    expect(await groups()).toStrictEqual([['A'], ['D', 'B'], ['C']])
    const options = at((await columns(sourceId))['Stage'], 'status', 'options') as JsonObject[]
    const idOfB = String(options.find(({ name }) => name === 'B')?.['id'])
    const status = { options: [{ name: 'E' }], groups: [{ name: 'Complete', option_ids: [idOfB, 'E'] }] }
    expect((await change(sourceId, { Stage: { status } })).status).toBe(200)
    expect(await groups()).toStrictEqual([['A'], ['D'], ['C', 'B', 'E']])
    await change(sourceId, { Stage: { status: { groups: [{ name: 'To-do', option_ids: ['E'] }] } } })
    expect(await groups()).toStrictEqual([['A', 'E'], ['D'], ['C', 'B']])
    expectInvalid(
      await change(sourceId, { Stage: { status: { groups: [{ option_ids: [] }] } } }),
      'body.properties.Stage.status.groups[0].name',
    )
  })

  it('200 for an empty id beside column settings as for none, for new and existing columns', async () => {
    const { sourceId } = await made({
      No: { id: '', unique_id: {} },
      Half: { id: '', type: 'formula', formula: { expression: '1 / 2' } },
    })
    const before = await columns(sourceId)
    expect(before).toMatchObject({ No: { type: 'unique_id' }, Half: { type: 'formula' } })
    const changed = await change(sourceId, {
      No: { id: '', type: 'unique_id', unique_id: { prefix: 'T' } },
      Url: { id: '', url: {} },
    })
    expect(changed.status, JSON.stringify(changed.body)).toBe(200)
    const after = await columns(sourceId)
    expect(after).toMatchObject({ No: { id: before['No']?.['id'], unique_id: { prefix: 'T' } }, Url: { type: 'url' } })
    expect(after['Url']?.['id']).not.toBe('')
    expectInvalid(await change(sourceId, { No: { id: 'x', unique_id: {} } }), 'body.properties.No.id')
    const body = { parent: { page_id: parent }, initial_data_source: { properties: { No: { id: 'x', unique_id: {} } } } }
    expectInvalid(await server.owner.call('createDatabase', { body }), 'body.initial_data_source.properties.No.id.length')
  })

  it('200 with the default color for a null color, and no change for an existing select option', async () => {
    const { sourceId } = await made({ Kind: { select: { options: [{ name: 'x', color: null }] } } })
    const kinds = async (): Promise<unknown> => at((await columns(sourceId))['Kind'], 'select', 'options')
    expect(await kinds()).toMatchObject([{ name: 'x', color: 'default' }])
    await change(sourceId, { Kind: { select: { options: [{ name: 'y', color: 'red' }] } } })
    expect((await change(sourceId, { Kind: { select: { options: [{ name: 'y', color: null }] } } })).status).toBe(200)
    expect(await kinds()).toMatchObject([{ name: 'y', color: 'red' }])
  })

  it('200 for a rollup with its two columns by name or id; members that a change omits stay', async () => {
    const parts = await made({ Stock: { number: {} }, Cost: { number: {} } })
    const { sourceId } = await made({ Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } } })
    const relation = String((await columns(sourceId))['Parts']?.['id'])
    const stock = String((await columns(parts.sourceId))['Stock']?.['id'])
    const read = {
      relation_property_id: relation,
      relation_property_name: 'Parts',
      rollup_property_id: stock,
      rollup_property_name: 'Stock',
    }
    let number = 0
    for (const from of [{ relation_property_id: relation }, { relation_property_name: 'Parts' }])
      for (const to of [{ rollup_property_id: stock }, { rollup_property_name: 'Stock' }]) {
        const name = `R${(number += 1)}`
        expect((await change(sourceId, { [name]: { rollup: { function: 'sum', ...from, ...to } } })).status).toBe(200)
        expect((await columns(sourceId))[name]?.['rollup']).toStrictEqual({ function: 'sum', ...read })
      }
    await change(sourceId, { R1: { rollup: { function: 'max' } } })
    expect((await columns(sourceId))['R1']?.['rollup']).toStrictEqual({ function: 'max', ...read })
    await change(sourceId, { R1: { rollup: { rollup_property_name: 'Cost' } } })
    expect((await columns(sourceId))['R1']?.['rollup']).toMatchObject({ function: 'max', rollup_property_name: 'Cost' })
  })

  it('400 for rollups of rollups or buttons, and for functions that do not fit the type', async () => {
    const parts = await made({ Stock: { number: {} }, Go: { button: {} }, Double: formula('prop("Stock") * 2') })
    const to = (id: string): object => ({ relation: { data_source_id: id, single_property: {} } })
    const jobs = await made({ Parts: to(parts.sourceId) })
    const rollup = (name: string, rolled: string, relation = 'Parts'): object => ({
      R: { rollup: { function: name, relation_property_name: relation, rollup_property_name: rolled } },
    })
    expect((await change(jobs.sourceId, rollup('sum', 'Double'))).status).toBe(200)
    const yards = await made({ Jobs: to(jobs.sourceId) })
    expectInvalid(await change(yards.sourceId, rollup('show_original', 'R', 'Jobs')), 'body.properties.R.rollup')
    const bad: [string, string][] = [
      ['show_original', 'Go'],
      ['sum', 'Name'],
      ['checked', 'Stock'],
      ['earliest_date', 'Double'],
      ['count_per_group', 'Stock'],
    ]
    for (const [name, rolled] of bad) expectInvalid(await change(jobs.sourceId, rollup(name, rolled)), 'body.properties.R.rollup')
  })

  it('200 without reusing a unique number, whatever happens to its row', async () => {
    const { sourceId } = await made({ No: { unique_id: {} } })
    const numberOf = (row: JsonObject): unknown => at(row, 'properties', 'No', 'unique_id', 'number')
    const rows = [await makeRow(server.owner, sourceId), await makeRow(server.owner, sourceId)]
    expect(rows.map(numberOf)).toStrictEqual([1, 2])
    await server.owner.call('updatePage', { path: { page_id: idOf(rows[0]) }, body: { in_trash: true } })
    expect(numberOf(await makeRow(server.owner, sourceId))).toBe(3)
    const away = { path: { page_id: idOf(rows[1]) }, body: { parent: { page_id: parent } } }
    expect((await server.owner.call('movePage', away)).status).toBe(200)
    expect(numberOf(await makeRow(server.owner, sourceId))).toBe(4)
  })

  it('200 for every number format', async () => {
    const formats = loadContractDocument().components.schemas['NullableNumberFormat']?.['enum'] as (string | null)[]
    expect(formats).toHaveLength(42)
    const { sourceId } = await made(Object.fromEntries(formats.map((format) => [format ?? 'none', { number: { format } }])))
    for (const [name, column] of Object.entries(await columns(sourceId)))
      if (name !== 'Name') expect(column['number']).toStrictEqual({ format: name === 'none' ? 'number' : name })
  })
})

describe('updateDataSource: concurrent changes, and columns that the service fills in', () => {
  it('200 or 409 for concurrent changes, without losing a change that got 200', async () => {
    const { sourceId } = await made({ Stage: { status: {} } })
    const names = Array.from({ length: 8 }, (_, index) => `Column ${index}`)
    const responses = await Promise.all(names.map((name) => change(sourceId, { [name]: { url: {} } })))
    for (const { status } of responses) expect([200, 409]).toContain(status)
    const kept = names.filter((_, index) => responses[index]?.status === 200)
    expect(kept.length).toBeGreaterThan(0)
    expect(
      Object.keys(await columns(sourceId))
        .slice(2)
        .toSorted(),
    ).toStrictEqual(kept.toSorted())
  })

  it('200 for columns whose values the service fills in', async () => {
    const { sourceId } = await made({
      Id: { unique_id: {} },
      Created: { created_time: {} },
      Author: { created_by: {} },
      Edited: { last_edited_time: {} },
      Editor: { last_edited_by: {} },
      Stage: { status: {} },
    })
    const row = await makeRow(server.owner, sourceId, { Name: [text('First')] })
    const me = { id: at(row, 'created_by', 'id') }
    expect(await valuesOf(server.owner, idOf(row))).toMatchObject({
      Id: { prefix: null, number: 1 },
      Created: row['created_time'],
      Author: me,
      Edited: row['last_edited_time'],
      Editor: me,
      Stage: { name: 'Not started' },
    })
  })
})
