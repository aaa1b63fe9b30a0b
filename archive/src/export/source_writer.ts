import { isDependent } from '@workspace-service/server/contract/copied_records.ts'
import { chunks, TimeSlice } from '@workspace-service/server/kernel/yield_to_event_loop.ts'
import {
  loadDataSources,
  presentSchemas,
  storedLinks,
  facetsOf,
  computeValues,
  allLinks,
  presentPayload,
  valueFacts,
  type DataSource,
  type StoredProperty,
  type Row,
} from '@workspace-service/server/domain/data/index.ts'
import { filesIn, plainTitles } from '@workspace-service/server/domain/content/index.ts'
import { findPageRecords } from '@workspace-service/server/store/pages.ts'
import { writeCell, type CellFacts } from '../cell_texts.ts'
import { csvRecord } from '../csv.ts'
import type { ManifestSource } from '../manifest.ts'
import type { ExportContext } from './export_context.ts'
import { OwnFiles, copyFiles, writePage } from './page_writer.ts'
import { childBatches, isRow, type IndexedRecord } from './record_index.ts'

/** Writes a data source: a table of its rows, then the files of rows and the Markdown of rows with content. */
export async function writeSource(context: ExportContext, record: IndexedRecord): Promise<ManifestSource> {
  const { scope, zip, leftOut } = context
  const source = (await loadDataSources(scope, [record.id])).get(record.id)
  if (!source) throw new Error(`data source ${record.id} is missing`)
  const columns = inOrder(source.properties)
  const rowColumn = freeName(columns)
  await zip.add(record.path, tableOf(context, record.path, source, columns, rowColumn), record.time)
  for await (const rows of rowsOf(context, source)) for (const row of rows) await writeRow(context, row, columns)
  const templates = context.index.templates.get(record.path)
  if (templates !== undefined)
    leftOut.push({
      what: `${templates} templates`,
      where: record.path,
      reason: 'A Markdown archive cannot contain templates, only rows.',
    })
  const schema = (await presentSchemas(scope, [source])).get(source.id) ?? {}
  const properties = Object.fromEntries(columns.flatMap(({ name }) => (schema[name] ? [[name, schema[name]]] : [])))
  return { path: record.path, id: record.id, title: record.title, row_column: rowColumn, properties }
}

/** The title first. Properties that depend on others are added last when a schema is created, so they are last in a file, too, by name. */
function inOrder(properties: readonly StoredProperty[]): StoredProperty[] {
  const place = ({ type }: StoredProperty): number =>
    type === 'title' ? 0 : !isDependent({ type }) ? 1 : type === 'relation' ? 2 : 3
  return properties.toSorted((one, other) => place(one) - place(other) || (place(one) > 1 ? (one.name < other.name ? -1 : 1) : 0))
}

function freeName(columns: readonly StoredProperty[]): string {
  const taken = new Set(columns.map(({ name }) => name))
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'Row' : `Row (${number})`
    if (!taken.has(name)) return name
  }
}

/** So few rows that their values take little memory, however long they are. */
const ROWS_AT_ONCE = 10

async function* rowsOf({ scope }: ExportContext, source: DataSource): AsyncGenerator<Row[]> {
  for await (const blocks of childBatches(scope, source.id)) {
    for (const rows of chunks(blocks.filter(isRow), ROWS_AT_ONCE)) {
      const ids = rows.map(({ id }) => id)
      const records = await findPageRecords(scope.db, scope.actor.workspaceId, ids)
      yield rows.flatMap((block) => {
        const record = records.get(block.id)
        return record ? [{ block, ...record }] : []
      })
    }
  }
}

async function* tableOf(
  context: ExportContext,
  path: string,
  source: DataSource,
  columns: readonly StoredProperty[],
  rowColumn: string,
): AsyncGenerator<string> {
  yield csvRecord([...columns.map(({ name }) => name), rowColumn])
  const shown = columns.filter(({ type }) => facetsOf(type).value.present !== 'none')
  const slice = new TimeSlice()
  for await (const rows of rowsOf(context, source)) {
    // Each row has its own context, because each has its own folder for files.
    const facts = await valueFacts(context.scope, rows, shown, Infinity)
    const computed = await computeValues(context.scope, source, rows, shown)
    for (const row of rows) {
      const files = filesOfRow(context, row, columns, new Map([...facts.facts.files].map(([id, { name }]) => [id, name])))
      const own = { ...facts, facts: files.inFacts(facts.facts, path, files.paths.keys()) }
      const name = context.index.rowName(row.block.id) ?? ''
      const cells: string[] = []
      for (const column of columns) {
        // Yields between cells, because a rollup may hold the long texts of many rows.
        if (slice.isOver) await slice.next()
        const cellFacts = factsOfCell(context, `${path}: ${name}, ${column.name}`)
        const payload = !shown.includes(column)
          ? undefined
          : facetsOf(column.type).value.present === 'computed'
            ? computed.get(row.block.id)?.get(column.id)
            : column.type === 'relation'
              ? (await linkedIds(context, row, column.id)).map((id) => ({ id }))
              : presentPayload(row, column, own)
        cells.push(payload === undefined ? '' : writeCell(column.type, payload, cellFacts))
      }
      if (slice.isOver) await slice.next()
      yield csvRecord([...cells, name])
    }
  }
}

function factsOfCell({ index, leftOut }: ExportContext, where: string): CellFacts {
  return {
    rowName: (id) => index.rowName(id),
    reportLoss: (what, reason) => void leftOut.push({ what, where, reason }),
  }
}

async function linkedIds({ scope }: ExportContext, row: Row, propertyId: string): Promise<readonly string[]> {
  const { ids, more } = storedLinks(row.values[propertyId])
  return more ? allLinks(scope, row.block.id, propertyId) : ids
}

/**
 * The files of a row: first the files of its properties, whose paths are in the table, too.
 * @param names of files, by id
 */
function filesOfRow(
  { index }: ExportContext,
  row: Row,
  columns: readonly StoredProperty[],
  names: ReadonlyMap<string, string>,
): OwnFiles {
  const files = new OwnFiles(index.pathOf(row.block.id) ?? '')
  for (const { id, type } of columns) {
    if (type !== 'files') continue
    for (const fileId of filesIn([row.values[id]])) {
      const name = names.get(fileId)
      if (name !== undefined) files.pathOf(fileId, name)
    }
  }
  return files
}

async function writeRow(context: ExportContext, row: Row, columns: readonly StoredProperty[]): Promise<void> {
  const { scope, index } = context
  const { block, icon, cover } = row
  const path = index.pathOf(block.id) ?? ''
  const inFiles = columns.filter(({ type }) => type === 'files')
  const named = inFiles.some(({ id }) => row.values[id] !== undefined)
  const { facts } = named ? await valueFacts(scope, [row], inFiles, Infinity) : { facts: undefined }
  const files = filesOfRow(context, row, columns, new Map([...(facts?.files ?? [])].map(([id, { name }]) => [id, name])))
  if (block.hasChildren || icon !== null || cover !== null) {
    const title = (await plainTitles(scope, [block.id])).get(block.id) ?? ''
    await writePage(context, { block, path, title, details: { icon, cover }, files })
  } else if (files.paths.size > 0) {
    await copyFiles(
      context,
      files,
      block.lastEditedTime,
      (what, reason) => void context.leftOut.push({ what, where: path, reason }),
    )
  }
}
