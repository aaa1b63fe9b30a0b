import { idsOf } from '../../../kernel/ids.ts'
import { TimeSlice, yieldToEventLoop } from '../../../kernel/yield_to_event_loop.ts'
import { deleteCells, deleteCellsOfProperty, insertCells } from '../../../store/cells.ts'
import { allocateNumbers } from '../../../store/data_sources.ts'
import type { RowValues } from '../../../store/pages.ts'
import { findRowValues, listPagesAfter, listRowsByCreation, type PageOfSource } from '../../../store/row_values.ts'
import { valueFormOf } from '../../../store/stored/column_values.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { storedLinks } from '../properties/stored_values.ts'
import { facetsOf } from '../property_types/index.ts'
import { gatherFacts, plainTitles } from '../../content/index.ts'
import { keepRowValues } from '../rows/keep_values.ts'
import { cellsOf } from '../rows/write.ts'
import type { WriteScope } from '../../shared/index.ts'
import { knownPeople } from '../../people/index.ts'
import { Conversion, type ConversionFacts } from './conversion.ts'

const RUN = 100

/** The pages of a data source with their values, both rows and templates, in batches. Other requests can run between two batches. */
export async function* pageRuns(
  { db, actor }: WriteScope,
  dataSourceId: string,
): AsyncGenerator<{ inTrash: boolean; pages: readonly PageOfSource[]; documents: ReadonlyMap<string, RowValues> }> {
  for (const inTrash of [false, true]) {
    for (let rank: string | undefined = ''; rank !== undefined;) {
      const pages = await listPagesAfter(db, actor.workspaceId, dataSourceId, inTrash, rank, RUN)
      yield { inTrash, pages, documents: await findRowValues(db, actor.workspaceId, idsOf(pages)) }
      rank = pages.length < RUN ? undefined : pages.at(-1)?.rank
      if (rank !== undefined) await yieldToEventLoop()
    }
  }
}

/** The new value of a row. @returns undefined for none */
type Change = (page: PageOfSource, values: RowValues) => unknown

/** Changes one value of every row and template of a data source, in the documents and in the index. */
async function changeEveryRow(
  scope: WriteScope,
  dataSourceId: string,
  column: Pick<Conversion, 'property'>,
  prepare: (rows: readonly RowValues[]) => Change | Promise<Change>,
): Promise<void> {
  const slice = new TimeSlice()
  for await (const { inTrash, pages, documents } of pageRuns(scope, dataSourceId)) {
    const change = await prepare([...documents.values()])
    const added: AddedCell[] = []
    for (const page of pages) {
      // Check for each page: the values of one row may be long.
      if (slice.isOver) await slice.next()
      const next = await changeDocument(scope, page, documents.get(page.id) ?? {}, column.property.id, change)
      if (!page.isRow) continue
      const owner = { pageId: page.id, dataSourceId, inTrash, createdTime: page.createdTime }
      for (const cell of cellsOf(column.property, next)) added.push({ owner, cell })
    }
    await insertCells(scope.db, scope.actor.workspaceId, added)
  }
}

type AddedCell = Parameters<typeof insertCells>[2][number]

/** Changes one value in the document of a page. @returns the new value */
async function changeDocument(
  scope: WriteScope,
  page: PageOfSource,
  values: RowValues,
  id: string,
  change: Change,
): Promise<unknown> {
  const next = change(page, values)
  if (page.isRow && values[id] !== undefined) await deleteCells(scope.db, scope.actor.workspaceId, page.id, id)
  if (JSON.stringify(next) !== JSON.stringify(values[id])) {
    const { [id]: _before, ...others } = values
    await keepRowValues(scope, page.id, values, next === undefined ? others : { ...others, [id]: next }, 'body.properties')
  }
  return next
}

/** Converts the values of a column to its new type. @returns the column, with options that were created from texts */
export async function convertColumn(
  scope: WriteScope,
  dataSourceId: string,
  from: StoredProperty,
  to: StoredProperty,
): Promise<StoredProperty> {
  const conversion = new Conversion(from, to)
  const formerOf = formerValue(from)
  const prepare = async (rows: readonly RowValues[]): Promise<Change> => {
    const facts = await conversionFacts(scope, from, to, rows.map(formerOf))
    return (_page, values) => conversion.convert(formerOf(values), facts)
  }
  await changeEveryRow(scope, dataSourceId, conversion, prepare)
  return conversion.property
}

/** The value of a column before it was retyped. Earlier releases left values of other types in retyped columns; those count as empty. */
function formerValue(column: StoredProperty): (values: RowValues) => unknown {
  const form = valueFormOf(column)
  return ({ [column.id]: value }) => (form(value) ? undefined : value)
}

/** Rebuilds the index of a column whose values were hidden. */
export async function restoreHiddenValues(scope: WriteScope, dataSourceId: string, property: StoredProperty): Promise<void> {
  const formerOf = formerValue(property)
  await changeColumn(scope, dataSourceId, property, (_page, values) => formerOf(values))
}

/** Deletes all values of a column, including those of templates. */
export async function emptyColumn(scope: WriteScope, dataSourceId: string, property: StoredProperty): Promise<void> {
  await deleteCellsOfProperty(scope.db, scope.actor.workspaceId, dataSourceId, property.id)
  await changeColumn(scope, dataSourceId, property, () => undefined)
}

function changeColumn(scope: WriteScope, dataSourceId: string, property: StoredProperty, change: Change): Promise<void> {
  return changeEveryRow(scope, dataSourceId, { property }, () => change)
}

/** Numbers the rows of a data source for a new unique id column, in the order of creation. */
export async function numberRows(scope: WriteScope, dataSourceId: string, property: StoredProperty): Promise<void> {
  const { db, actor } = scope
  const rows = await listRowsByCreation(db, actor.workspaceId, dataSourceId)
  if (rows.length === 0) return
  const first = await allocateNumbers(db, actor.workspaceId, dataSourceId, rows.length)
  const numbers = new Map(rows.map((id, index) => [id, first + index]))
  await changeColumn(scope, dataSourceId, property, ({ id }) => numbers.get(id))
}

async function conversionFacts(
  scope: WriteScope,
  from: StoredProperty,
  to: StoredProperty,
  stored: readonly unknown[],
): Promise<ConversionFacts> {
  const { lookups } = facetsOf(from.type).conversion
  const facts = await gatherFacts(scope, lookups === 'mentions' ? stored : [])
  const linked = lookups === 'titles' ? stored.flatMap((links) => storedLinks(links).ids) : []
  const titles = lookups === 'titles' ? await plainTitles(scope, [...new Set(linked)]) : facts.titles
  const users = facetsOf(to.type).conversion.lookups === 'people' ? await knownPeople(scope) : new Map<string, string>()
  return { facts: { ...facts, titles }, users }
}
