import { expect, it } from 'vitest'
import { makePage } from '../../harness/content.ts'
import { columnsOf } from '../../harness/databases_content.ts'
import { enumerationValues } from '../../harness/enumerations.ts'
import { at } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'
import { makeTracker, makeView } from '../../harness/views.ts'

const server = await serverOfFile()
const page = await makePage(server.owner)
const related = await makeTracker(server.owner, page)
const { sourceId } = await makeTracker(server.owner, page, related.sourceId)

/** The columns after adding one for each word. */
async function added(words: readonly string[], column: (word: string) => object): ReturnType<typeof columnsOf> {
  const properties = Object.fromEntries(words.map((word) => [word, column(word)]))
  const response = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties } })
  expect(response.status, response.text).toBe(200)
  return columnsOf(server.owner, sourceId)
}

it('updateDataSource: 200 for every function of a rollup', async () => {
  const words = enumerationValues('RollupFunction')
  const gathered = (word: string): string =>
    word.includes('checked') ? 'Approved' : word.includes('date') ? 'Due' : word.includes('group') ? 'Stage' : 'Cost'
  const columns = await added(words, (word) => ({
    rollup: { function: word, relation_property_name: 'Boat', rollup_property_name: gathered(word) },
  }))
  expect(words.map((word) => at(columns[word] ?? {}, 'rollup', 'function'))).toStrictEqual(words)
})

it('updateDataSource: 200 for every format of a number', async () => {
  const words = enumerationValues('NumberFormat')
  const columns = await added(words, (format) => ({ number: { format } }))
  expect(words.map((word) => at(columns[word] ?? {}, 'number', 'format'))).toStrictEqual(words)
})

it('updateDataSource: 200 for every color of an option', async () => {
  const words = enumerationValues('SelectColor')
  const { Colors = {} } = await added(['Colors'], () => ({
    select: { options: words.map((color) => ({ name: color, color })) },
  }))
  expect(words.map((_word, index) => at(Colors, 'select', 'options', index, 'color'))).toStrictEqual(words)
})

it('updateView: 200 for every verification state as a condition', async () => {
  for (const word of enumerationValues('VerificationOperand'))
    for (const condition of ['status', 'does_not_equal']) {
      const quick_filters = { Checked: { verification: { [condition]: word } } }
      const view = await makeView(server.owner, related, { quick_filters })
      expect(view['quick_filters']).toStrictEqual({ [related.columns['Checked'] ?? '']: { verification: { [condition]: word } } })
    }
})
