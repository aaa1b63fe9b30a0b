import { text } from '../../harness/content.ts'
import { at, idOf, textAt } from '../../harness/json.ts'
import type { UncheckedCaller } from './unchecked_caller.ts'
import { worstTexts } from './worst_texts.ts'

const ROWS = 60
const LONG_ROWS = 100
/** Doubles a text until the step budget of a formula is used up. */
const COSTLY = Array.from({ length: 16 }).reduce<string>((inner) => `replaceAll(${inner}, "a", "aa")`, 'prop("Name")')

/** Close to the maximum size of a request: each character has three bytes. */
export const longestOfRequest = Array.from({ length: 80 }, () => text('\u20ac'.repeat(2_000)))

interface Rows {
  readonly databaseId: string
  readonly sourceId: string
  readonly rowIds: readonly string[]
}

/** Content that makes requests expensive. Requests do not change it. */
export interface World {
  /** Pages filled with one of `worstTexts`. */
  readonly dense: string
  readonly long: string
  /** Rows with formulas that use up their step budgets, and a view that sorts by them. */
  readonly rows: Rows
  readonly viewId: string
  /** One row, with rollups over all of them. */
  readonly rollups: Rows
  /** Rows with the longest texts, and one row with rollups over all of them. */
  readonly longRows: Rows
  readonly longRollups: Rows
  /** A page with the longest title. */
  readonly longTitled: string
  newPage(content?: string): Promise<string>
  /** Creates a page with more lines than a response contains. */
  newOverlongPage(): Promise<string>
  newRows(): Promise<Rows>
  /** Creates rows with the longest texts. */
  newLongRows(): Promise<Rows>
  /** Creates a row with half of its allowed values. */
  newHalfRow(): Promise<Rows>
}

export async function makeWorld(caller: UncheckedCaller): Promise<World> {
  const newPage = async (content?: string): Promise<string> =>
    idOf(await caller.call('createPage', { body: content === undefined ? {} : { markdown: worstTexts[content] } }))
  const newOverlongPage = async (): Promise<string> => {
    const page_id = await newPage('short lines')
    const insert_content = { content: worstTexts['short lines'] }
    await caller.call('updatePageMarkdown', { path: { page_id }, body: { type: 'insert_content', insert_content } })
    return page_id
  }
  const parent = await newPage()
  const newDatabase = async (properties: object, values: object, count: number): Promise<Rows> => {
    const made = await caller.call('createDatabase', {
      body: { parent: { page_id: parent }, initial_data_source: { properties: { Name: { title: {} }, ...properties } } },
    })
    const sourceId = textAt(made, 'data_sources', 0, 'id')
    const rowIds: string[] = []
    for (let row = 0; row < count; row += 1) {
      const body = { parent: { data_source_id: sourceId }, properties: { Name: { title: [text('a')] }, ...values } }
      rowIds.push(idOf(await caller.call('createPage', { body })))
    }
    return { databaseId: idOf(made), sourceId, rowIds }
  }
  const newRows = (): Promise<Rows> =>
    newDatabase(
      { Text: { rich_text: {} }, Costly: { formula: { expression: COSTLY } } },
      { Text: { rich_text: [text('x'.repeat(2_000))] } },
      ROWS,
    )
  const longest = Array.from({ length: 100 }, () => text('x'.repeat(2_000)))
  const newLongRows = (): Promise<Rows> => newDatabase({ Text: { rich_text: {} } }, { Text: { rich_text: longest } }, LONG_ROWS)
  const newHalfRow = (): Promise<Rows> =>
    newDatabase({ First: { rich_text: {} }, Second: { rich_text: {} } }, { First: { rich_text: longestOfRequest } }, 1)
  const titled = { body: { properties: { title: { title: longest } } } }
  const rows = await newRows()
  const newRollups = ({ sourceId, rowIds }: Rows, rollup_property_name: string): Promise<Rows> => {
    const rolled = { relation_property_name: 'Rows', rollup_property_name }
    return newDatabase(
      {
        Rows: { relation: { data_source_id: sourceId, single_property: {} } },
        All: { rollup: { ...rolled, function: 'show_original' } },
        Unique: { rollup: { ...rolled, function: 'show_unique' } },
      },
      { Rows: { relation: rowIds.map((id) => ({ id })) } },
      1,
    )
  }
  const rollups = await newRollups(rows, 'Costly')
  const longRows = await newLongRows()
  const longRollups = await newRollups(longRows, 'Text')
  const views = await caller.call('listDatabaseViews', { query: { database_id: rows.databaseId } })
  const viewId = textAt(views, 'results', 0, 'id')
  const { properties = {} } = await caller.call('retrieveDataSource', { path: { data_source_id: rows.sourceId } })
  const sorts = [{ property: at(properties, 'Costly', 'id'), direction: 'ascending' }]
  await caller.call('updateView', { path: { view_id: viewId }, body: { sorts } })
  return {
    dense: await newPage('marks'),
    long: await newPage('short lines'),
    rows,
    viewId,
    rollups,
    longRows,
    longRollups,
    longTitled: idOf(await caller.call('createPage', titled)),
    newPage,
    newOverlongPage,
    newRows,
    newLongRows,
    newHalfRow,
  }
}
