import { expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { columnsOf, makeDatabase } from '../../harness/databases_content.ts'
import { expectInvalid } from '../../harness/expectations.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const options = [{ name: 'oak' }, { name: 'elm' }]
const columns = { Wood: { select: { options } }, Tags: { multi_select: { options } } }
const sourceId = (await makeDatabase(server.owner, await makePage(server.owner), columns)).sourceId

it.each<[what: string, property: string, type: string, options: object[], place: string]>([
  ['two new options', 'Wood', 'select', [{ name: 'ash' }, { name: 'ash' }], '[1].name'],
  ['two entries for an existing option', 'Wood', 'select', [{ name: 'oak' }, { name: 'elm' }, { name: 'oak' }], '[2].name'],
  ['two new options of a multi-select', 'Tags', 'multi_select', [{ name: 'ash' }, { name: 'fir' }, { name: 'ash' }], '[2].name'],
])('updateDataSource: 400, and no change, for %s with the same name', async (_what, property, type, options, location) => {
  const before = await columnsOf(server.owner, sourceId)
  const body = { properties: { [property]: { [type]: { options } } } }
  const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
  expectInvalid(response, `body.properties.${property}.${type}.options${location}`)
  expect(await columnsOf(server.owner, sourceId)).toStrictEqual(before)
})
