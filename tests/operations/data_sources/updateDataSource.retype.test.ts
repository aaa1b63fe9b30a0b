import { beforeAll, describe, expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { makePage, readText, text } from '../../harness/content.ts'
import { columnsOf, makeDatabase, makeRow, valuesOf } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf, type Json, type JsonObject } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

// Each row of the table "what becomes of values", with every type and word that the row names.

const server = await serverOfFile()
const parent = await makePage(server.owner, 'Parent')

const [, tomas, aiko] = exampleWorkspace.people
const retype = async (sourceId: string, to: object, name = 'Col'): Promise<void> => {
  const body = { properties: { [name]: to } }
  const { status, text: response } = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
  if (status !== 200) throw new Error(response)
}
const column = async (sourceId: string): Promise<JsonObject> => (await columnsOf(server.owner, sourceId))['Col'] ?? {}

type Row = readonly [from: object, value: object, to: object, read: Json | object]
const TEXT_TYPES = ['rich_text', 'url', 'email', 'phone_number'] as const
const shown = (type: string, content: string): unknown => (type === 'rich_text' ? [readText(content)] : content)
const written = (type: string, content: string): object => ({ [type]: type === 'rich_text' ? [text(content)] : content })
const checkbox = { checkbox: {} }

const rows: Row[] = [
  // Any type becomes text.
  ...TEXT_TYPES.flatMap((to): Row[] => [
    [{ status: {} }, { status: { name: 'Done' } }, { [to]: {} }, shown(to, 'Done') as object],
    [
      { people: {} },
      { people: [{ id: tomas.id }, { id: aiko.id }] },
      { [to]: {} },
      shown(to, `${tomas.id}, ${aiko.id}`) as object,
    ],
  ]),
  [{ url: {} }, { url: 'https://yard.example' }, { email: {} }, 'https://yard.example'],
  [{ rich_text: {} }, { rich_text: [text('a'), text('b')] }, { phone_number: {} }, 'ab'],
  [{ rich_text: {} }, { rich_text: [] }, { url: {} }, null],
  [{ date: {} }, { date: { start: '2026-05-16', end: '2026-05-18' } }, { url: {} }, '2026-05-16 → 2026-05-18'],
  [{ place: {} }, { place: { lat: 51.5, lon: -0.1 } }, { url: {} }, '51.5, -0.1'],
  // Unchecked values are not stored.
  [{ checkbox: {} }, { checkbox: false }, { rich_text: {} }, []],
  // Text becomes a number, a date, a checkbox.
  ...TEXT_TYPES.flatMap((from): Row[] => [
    [{ [from]: {} }, written(from, '-3.5 m'), { number: {} }, -3.5],
    [{ [from]: {} }, written(from, 'about 3'), { number: {} }, null],
    [{ [from]: {} }, written(from, '2026-05-16T04:30:00Z'), { date: {} }, { start: '2026-05-16T04:30:00.000+00:00' }],
    [{ [from]: {} }, written(from, 'Done'), { status: {} }, { name: 'Done' }],
  ]),
  ...['yes', 'True', '1', 'CHECKED'].map((word): Row => [{ url: {} }, { url: word }, checkbox, true]),
  ...['no', '0', 'yes indeed'].map((word): Row => [{ url: {} }, { url: word }, checkbox, false]),
  // Text becomes people.
  [{ url: {} }, { url: `${tomas.id}, nobody, ${aiko.email.toUpperCase()}` }, { people: {} }, [{ id: tomas.id }, { id: aiko.id }]],
  // All other pairs result in an empty value.
  [{ date: {} }, { date: { start: '2026-05-16' } }, { number: {} }, null],
  [{ number: {} }, { number: 1 }, checkbox, false],
  [{ checkbox: {} }, { checkbox: true }, { select: {} }, null],
  [{ files: {} }, { files: [{ name: 'a', external: { url: 'https://yard.example/a' } }] }, { multi_select: {} }, []],
]

describe('updateDataSource: conversion of values', () => {
  /** A single row of a data source, with one column for each case in `rows`. */
  let shared: { readonly sourceId: string; readonly row: string }
  beforeAll(async () => {
    const columns = Object.fromEntries(rows.map(([from], index) => [`Col ${index}`, from]))
    const { sourceId } = await makeDatabase(server.owner, parent, columns)
    const values = Object.fromEntries(rows.map(([, value], index) => [`Col ${index}`, value]))
    shared = { sourceId, row: idOf(await makeRow(server.owner, sourceId, values)) }
  })

  it.each(rows.map((row, index) => [...row, index] as const))(
    '200 for %j with %j, which becomes %j',
    async (_from, _value, to, read, index) => {
      await retype(shared.sourceId, to, `Col ${index}`)
      const found = (await valuesOf(server.owner, shared.row))[`Col ${index}`]
      if (typeof read === 'object' && read !== null) expect(found).toMatchObject(read)
      else expect(found).toStrictEqual(read)
      if (Array.isArray(read)) expect(found).toHaveLength(read.length)
    },
  )

  it.each(TEXT_TYPES)('200 for titles of related pages, which become %s', async (type) => {
    const boats = await makeDatabase(server.owner, parent)
    const made = await makeDatabase(server.owner, parent, {
      Col: { relation: { data_source_id: boats.sourceId, dual_property: {} } },
    })
    const ids = [
      await makeRow(server.owner, boats.sourceId, { Name: [text('Heron')] }),
      await makeRow(server.owner, boats.sourceId, { Name: [text('Ibis')] }),
    ]
    const row = idOf(await makeRow(server.owner, made.sourceId, { Col: { relation: ids.map((boat) => ({ id: idOf(boat) })) } }))
    await retype(made.sourceId, { [type]: {} })
    expect((await valuesOf(server.owner, row))['Col']).toStrictEqual(shown(type, 'Heron, Ibis'))
    const filter = { property: 'Col', rich_text: { contains: 'ibis' } }
    const found = await server.owner.call('queryDataSource', { path: { data_source_id: made.sourceId }, body: { filter } })
    expect(resultsOf(found.body).map(idOf)).toStrictEqual([row])
  })

  it.each<[string, object, string, object]>([
    ['select', { name: 'oak' }, 'multi_select', [{ name: 'oak', color: 'brown' }]],
    ['multi_select', [{ name: 'ash' }, { name: 'oak' }], 'select', { name: 'ash', color: 'green' }],
    ['select', { name: 'oak' }, 'status', { name: 'oak', color: 'brown' }],
    ['multi_select', [{ name: 'ash' }, { name: 'oak' }], 'status', { name: 'ash', color: 'green' }],
    ['status', { name: 'oak' }, 'select', { name: 'oak', color: 'brown' }],
    ['status', { name: 'oak' }, 'multi_select', [{ name: 'oak', color: 'brown' }]],
  ])('200 with ids and colors of options kept, and the first of several options: %s %j → %s', async (from, value, to, read) => {
    const options = [
      { name: 'oak', color: 'brown' },
      { name: 'ash', color: 'green' },
    ]
    const { sourceId } = await makeDatabase(server.owner, parent, { Col: { [from]: { options } } })
    const row = idOf(await makeRow(server.owner, sourceId, { Col: { [from]: value } }))
    const before = at(await column(sourceId), from, 'options')
    await retype(sourceId, { [to]: {} })
    expect(at(await column(sourceId), to, 'options')).toStrictEqual(before)
    expect((await valuesOf(server.owner, row))['Col']).toMatchObject(read)
    if (to === 'status') {
      const ids = (before as JsonObject[]).map(idOf)
      expect(at(await column(sourceId), 'status', 'groups')).toMatchObject([
        { option_ids: ids },
        { option_ids: [] },
        { option_ids: [] },
      ])
    }
    const key = to === 'multi_select' ? { contains: 'oak' } : { equals: 'oak' }
    const found = await server.owner.call('queryDataSource', {
      path: { data_source_id: sourceId },
      body: { filter: { property: 'Col', [to]: key } },
    })
    expect(resultsOf(found.body).map(idOf)).toStrictEqual(JSON.stringify(read).includes('oak') ? [row] : [])
  })

  it.each<[string, object]>([
    ['a rollup', { rollup: { function: 'count', relation_property_name: 'To', rollup_property_name: 'Name' } }],
    ['a time', { created_time: {} }],
    ['an author', { last_edited_by: {} }],
    ['a formula', { formula: { expression: '1' } }],
  ])('200 for a change to %s, hiding the values until the type is restored', async (_what, computed) => {
    const { sourceId } = await makeDatabase(server.owner, parent, { Col: { number: { format: 'euro' } } })
    const To = { relation: { data_source_id: sourceId, single_property: {} } }
    await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties: { To } } })
    const row = idOf(await makeRow(server.owner, sourceId, { Col: { number: 7 } }))
    const find = async (): Promise<unknown[]> => {
      const body = { filter: { property: 'Col', number: { equals: 7 } } }
      return resultsOf((await server.owner.call('queryDataSource', { path: { data_source_id: sourceId }, body })).body)
    }
    await retype(sourceId, computed)
    expect((await valuesOf(server.owner, row))['Col']).not.toBe(7)
    await retype(sourceId, { number: {} })
    expect((await valuesOf(server.owner, row))['Col']).toBe(7)
    expect(await find()).toHaveLength(1)
  })
})
