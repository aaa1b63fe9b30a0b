import { expect, it } from 'vitest'
import { makePage, text } from '../harness/content.ts'
import { makeDatabase, makeRow } from '../harness/databases_content.ts'
import { at, idOf, resultsOf } from '../harness/json.ts'
import { serverOfFile } from '../harness/server.ts'

const server = await serverOfFile()
const { owner } = server

/** The most text in all formulas and rollups of a response together, in UTF-16 units. */
const TEXT_MAX = 32 * 1024 * 1024
const LENGTH = 199_000
const LONGEST = { formula: { expression: `repeat("x", ${LENGTH})` } }
const FORMULAS = 60
const ROWS = 4

it('queryDataSource: 200 with `unsupported` for formulas and rollups when all texts together would be too long', async () => {
  const parent = await makePage(owner)
  const names = Array.from({ length: FORMULAS }, (_column, index) => `Text ${index}`)
  const columns = { ...Object.fromEntries(names.map((name) => [name, LONGEST])), Number: { formula: { expression: '1 + 1' } } }
  const { sourceId } = await makeDatabase(owner, parent, columns)
  const ids: string[] = []
  for (let row = 0; row < ROWS; row += 1) ids.push(idOf(await makeRow(owner, sourceId, { Name: { title: [text('Row')] } })))
  const { body, text: response } = await owner.call('queryDataSource', { path: { data_source_id: sourceId }, body: {} })
  const types = resultsOf(body).map((row) => names.map((name) => at(row, 'properties', name, 'formula', 'type')))
  const whole = types.flat().filter((type) => type === 'string').length
  expect(whole).toBe(Math.floor(TEXT_MAX / LENGTH))
  expect(types.flat().slice(whole)).toStrictEqual(Array(ROWS * FORMULAS - whole).fill('unsupported'))
  expect(resultsOf(body).map((row) => at(row, 'properties', 'Number', 'formula', 'number'))).toStrictEqual(Array(ROWS).fill(2))
  expect(response.length).toBeLessThan(1.01 * TEXT_MAX)

  const rollup = (rollup_property_name: string): object => {
    return { rollup: { relation_property_name: 'Rows', rollup_property_name, function: 'show_original' } }
  }
  const relation = { data_source_id: sourceId, single_property: {} }
  const rollups = Object.fromEntries(names.map((name) => [name, rollup(name)]))
  const { sourceId: readers } = await makeDatabase(owner, parent, { Rows: { relation }, ...rollups })
  const reader = await makeRow(owner, readers, { Rows: { relation: ids.map((id) => ({ id })) } })
  const ofReader = names.map((name) => at(reader, 'properties', name, 'rollup', 'type'))
  expect(ofReader).toContain('array')
  expect(ofReader.at(-1)).toBe('unsupported')
})
