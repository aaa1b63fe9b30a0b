import { expect, it } from 'vitest'
import { exampleWorkspace } from '../../../server/bootstrap/example_workspace.ts'
import { updateRowValues } from '../../../server/store/row_values.ts'
import { makePage } from '../../harness/content.ts'
import { makeDatabase, makeRow, valuesOf } from '../../harness/databases_content.ts'
import { at, idOf } from '../../harness/json.ts'
import { serverOfFile } from '../../harness/server.ts'

const server = await serverOfFile()
const FORMULA = { formula: { expression: '1' } }
const UNIQUE = { unique_id: {} }
const LEFT = { rich_text: {} }
const texts = [{ text: { content: 'Bolts' } }]

/** The successive types of a column, its first value, and its last one. */
it.each<[string, readonly object[], object | undefined, unknown]>([
  ['a unique id, then a text', [UNIQUE, LEFT], undefined, '1'],
  ['a unique id, then a formula, then a text', [UNIQUE, FORMULA, LEFT], undefined, '1'],
  ['a unique id, then a formula, then a URL', [UNIQUE, FORMULA, { url: {} }], undefined, '1'],
  ['a unique id, then a formula, then an option', [UNIQUE, FORMULA, { select: {} }], undefined, null],
  ['a unique id, then a formula, then people', [UNIQUE, FORMULA, { people: {} }], undefined, []],
  ['a unique id, then a formula, then a unique id', [UNIQUE, FORMULA, UNIQUE], undefined, { prefix: null, number: 2 }],
  ['a text, then a unique id, then a text', [LEFT, UNIQUE, LEFT], { rich_text: texts }, '1'],
  ['a text, then a unique id, then a formula, then a text', [LEFT, UNIQUE, FORMULA, LEFT], { rich_text: texts }, '1'],
  ['a text, then a unique id, then a formula, then a URL', [LEFT, UNIQUE, FORMULA, { url: {} }], { rich_text: texts }, '1'],
  ['a text, then a formula, then a text', [LEFT, FORMULA, LEFT], { rich_text: texts }, 'Bolts'],
])('updateDataSource: 200 for a column that becomes in turn %s', async (_what, types, value, shown) => {
  const parent = await makePage(server.owner, 'Parent')
  const [first = {}, ...later] = types
  const { sourceId } = await makeDatabase(server.owner, parent, { A: first })
  const row = idOf(await makeRow(server.owner, sourceId, value ? { A: value } : {}))
  for (const type of later) {
    const body = { properties: { A: type } }
    const { status, text } = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
    expect(status, text).toBe(200)
  }
  const { A } = await valuesOf(server.owner, row)
  expect(isRichText(A) ? A[0]?.plain_text : A).toStrictEqual(shown)
})

const FORMER = { ids: 7, text: [null] }

/** Stored values that do not fit the column's type, as after a fault of an earlier release or in a damaged cell. */
it.each<[string, readonly object[]]>([
  ['a text, then a number', [LEFT, { number: {} }]],
  ['a text, then an option', [LEFT, { select: {} }]],
  ['a text, then a formula, then a text', [LEFT, FORMULA, LEFT]],
  ['options, then a text', [{ multi_select: {} }, LEFT]],
  ['a date, then a text', [{ date: {} }, LEFT]],
  ['people, then a text', [{ people: {} }, LEFT]],
  ['files, then a formula, then files', [{ files: {} }, FORMULA, { files: {} }]],
])(
  'updateDataSource: 200 with an empty value where the stored value has another type, for a column that becomes in turn %s',
  async (_what, types) => {
    const parent = await makePage(server.owner, 'Parent')
    const [first = {}, ...later] = types
    const { sourceId } = await makeDatabase(server.owner, parent, { A: first })
    const row = idOf(await makeRow(server.owner, sourceId))
    const column = await idOfColumn(sourceId)
    for (const former of [1, 'Bolts', FORMER]) {
      await server.service.database.write((db) =>
        updateRowValues(db, exampleWorkspace.workspace.id, row, JSON.stringify({ [column]: former })),
      )
      for (const type of later) {
        const body = { properties: { A: type } }
        const { status, text } = await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body })
        expect(status, text).toBe(200)
      }
      const { A } = await valuesOf(server.owner, row)
      expect(A === null || (Array.isArray(A) && A.length === 0), JSON.stringify(A)).toBe(true)
      await server.owner.call('updateDataSource', { path: { data_source_id: sourceId }, body: { properties: { A: first } } })
    }
  },
)

async function idOfColumn(sourceId: string): Promise<string> {
  const { body } = await server.owner.call('retrieveDataSource', { path: { data_source_id: sourceId } })
  return decodeURIComponent(String(at(body, 'properties', 'A', 'id')))
}

function isRichText(value: unknown): value is readonly { readonly plain_text: string }[] {
  return Array.isArray(value) && value.length > 0
}
