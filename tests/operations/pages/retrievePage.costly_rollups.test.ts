import { expect, it } from 'vitest'
import { makePage, text } from '../../harness/content.ts'
import { makeDatabase, makeRow } from '../../harness/databases_content.ts'
import { at, idOf, resultsOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

/** A formula with nine thousand additions. One evaluation is well within the step budget; `ROWS` evaluations exceed it. */
const COSTLY = 'split(repeat("x", 9000), "").map(index + 1).length()'
const ROWS = 30

const server = await serverOfFile()

it('retrievePage: 200 with `unsupported` for rolled-up formulas once their total cost exceeds the limit', async () => {
  const parent = await makePage(server.owner, 'Parent')
  const parts = await makeDatabase(server.owner, parent, { Costly: { formula: { expression: COSTLY } } })
  const links: { id: string }[] = []
  for (let index = 0; index < ROWS; index += 1)
    links.push({ id: idOf(await makeRow(server.owner, parts.sourceId, { Name: [text(`P${index}`)] })) })
  const alone = await server.owner.call('queryDataSource', { path: { data_source_id: parts.sourceId }, body: {} })
  for (const row of resultsOf(alone.body)) expect(at(row, 'properties', 'Costly', 'formula', 'number')).toBe(9000)

  const rolled = { relation_property_name: 'Parts', rollup_property_name: 'Costly' }
  const jobs = await makeDatabase(server.owner, parent, {
    Parts: { relation: { data_source_id: parts.sourceId, single_property: {} } },
    All: { rollup: { ...rolled, function: 'show_original' } },
    Count: { rollup: { ...rolled, function: 'count' } },
  })
  const made = await makeRow(server.owner, jobs.sourceId, { Name: [text('Job')], Parts: { relation: links } })
  const { body } = await server.owner.call('retrievePage', { path: { page_id: idOf(made) } })
  const entries = at(body, 'properties', 'All', 'rollup', 'array')
  const types = Array.isArray(entries) ? entries.map((entry) => at(entry, 'formula', 'type')) : []
  expect(types.at(0)).toBe('number')
  expect(types.at(-1)).toBe('unsupported')
  expect(at(body, 'properties', 'Count', 'rollup', 'number')).toBe(ROWS)
})
