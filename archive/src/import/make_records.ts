import type { Values } from '@workspace-service/cloning/clone_context.ts'
import { addLaterProperties, firstProperties } from '@workspace-service/cloning/copy_properties.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { richTextOf } from '@workspace-service/server/domain/content/index.ts'
import { cellReader, type CellTargets } from '../cell_texts.ts'
import { folderOf } from '../archive_names.ts'
import type { ManifestSource } from '../manifest.ts'
import { nameOfFile } from './archive_paths.ts'
import type { ArchiveTree, PlannedDatabase, PlannedPage } from './archive_tree.ts'
import { cellLinks, ownFileCell } from './cell_links.ts'
import { sendOptional, isTaken } from './send_optional.ts'
import { iconRequest, coverRequest } from './appearance.ts'
import { noNotes } from './import_journal.ts'
import type { ImportContext, StepContext } from './import_context.ts'
import { LinkRewriter } from './link_rewriter.ts'
import type { TableColumn, TableReader, TableRow } from './table_reader.ts'
import { titleIn } from './page_text.ts'

const TITLE_LENGTH_MAX = 2_000

export interface MadeSource {
  readonly path: string
  readonly id: string
  readonly reader: TableReader
}

/** Creates a page with its title. Its content follows once everything exists that it may refer to. */
export async function makePage(context: StepContext, page: PlannedPage): Promise<void> {
  const { target, tree, slot } = context
  const whole = page.title ?? (await titleIn(context, page.path)) ?? nameOfFile(page.path)
  const title = whole.slice(0, TITLE_LENGTH_MAX)
  const id = tree.idOf(page.path)
  if (title.length < whole.length)
    context.leftOut.push({
      what: 'the end of the title',
      where: page.path,
      reason: `A title has at most ${TITLE_LENGTH_MAX} characters.`,
    })
  if (await isThere(context, id)) return
  const body = { parent: parentOf(context, page.path), properties: { title: richTextOf(title) } }
  await sendOptional(context, 'page', page.path, () => target.send('createPage', { body, ids: { block: [id] }, slot }))
}

/** Creates a database and its data sources, without rows and without references to others. */
export async function makeDatabase(
  context: StepContext,
  database: PlannedDatabase,
  sources: ReadonlyMap<string, MadeSource>,
): Promise<void> {
  const about = database.manifest
  for (const [index, { path, manifest }] of database.sources.entries()) {
    const reader = sources.get(path)?.reader
    if (!reader) throw new Error(`the table ${path} was not opened before its rows were read`)
    context.leftOut.push(...reader.problems)
    const properties = manifest ? describedProperties(context, manifest) : inferredProperties(reader.columns)
    const title = richTextOf((index === 0 ? about?.title : manifest?.title) ?? nameOfFile(path))
    const make = (columns: object): Promise<void> => makeSource(context, database, path, { title, properties: columns })
    if (await isTaken(() => make(properties))) continue
    // Continues without the refused values: rows and texts are still imported.
    const isMade = await sendOptional(context, 'table that was not imported', path, () => make(onlyTitle(properties)))
    if (isMade)
      context.leftOut.push({ what: 'columns', where: path, reason: 'The service does not accept all of them in one schema.' })
  }
  if (about) await writeDatabaseDetails(context, database, about.title)
}

/** Creates a data source; the first one together with its database. */
async function makeSource(
  context: StepContext,
  { path: first, manifest: about }: PlannedDatabase,
  path: string,
  { title, properties }: { readonly title: object; readonly properties: object },
): Promise<void> {
  const { target, tree, slot } = context
  const [id, databaseId] = [tree.sourceIdOf(path), tree.idOf(path)]
  if (await isThere(context, id)) return
  if (path === first) {
    const described = about ? { description: richTextOf(about.description), is_inline: about.is_inline } : {}
    const body = { parent: parentOf(context, path), title, ...described, initial_data_source: { properties } }
    await target.send('createDatabase', { body, ids: { database: [databaseId], data_source: [id] }, slot })
  } else {
    const body = { parent: { database_id: databaseId }, title, properties }
    await target.send('createDataSource', { body, ids: { data_source: [id] } })
  }
}

/** Whether a killed process has created a record already. */
async function isThere({ hasRecord, isRedone }: StepContext, id: string): Promise<boolean> {
  return isRedone && hasRecord(id)
}

/** Settings of the whole database, and the titles of its data sources if they differ from its own. */
async function writeDatabaseDetails(
  context: StepContext,
  { path, manifest, sources }: PlannedDatabase,
  title: string,
): Promise<void> {
  if (!manifest) return
  const links = new LinkRewriter(context, path)
  const icon = await iconRequest(context, links, manifest.icon, path)
  const cover = await coverRequest(context, links, manifest.cover, path)
  const [first] = sources
  if (sources.length > 1 && first?.manifest) {
    const body = { title: richTextOf(first.manifest.title) }
    await context.target.send('updateDataSource', { path: { data_source_id: context.tree.sourceIdOf(first.path) }, body })
  }
  if (sources.length === 1 && first?.manifest && first.manifest.title !== title)
    context.leftOut.push({
      what: `title "${first.manifest.title}"`,
      where: path,
      reason: 'The only data source of a database has the title of the database.',
    })
  const body = { title: richTextOf(title), ...(icon && { icon }), ...(cover && { cover }) }
  await sendOptional(context, 'icon or cover', path, () =>
    context.target.send('updateDatabase', { path: { database_id: context.tree.idOf(path) }, body }),
  )
}

function parentOf({ tree, rootId }: StepContext, path: string): object {
  const parent = tree.parentIdOf(path) ?? rootId
  return parent === undefined ? { workspace: true } : { page_id: parent }
}

function describedProperties({ form, leftOut }: StepContext, { path, properties }: ManifestSource): object {
  const leaveOut = (what: string, id: string, reason: string): void => void leftOut.push({ what, where: id, reason })
  return firstProperties({ form, progress: { isDone: () => false, leaveOut } }, { id: path, properties })
}

/** The title among the properties of a new data source. */
function onlyTitle(properties: object): object {
  return Object.fromEntries(Object.entries(properties).filter(([, settings]) => isObject(settings) && 'title' in settings))
}

function inferredProperties(columns: readonly TableColumn[]): object {
  return Object.fromEntries(columns.flatMap(({ name, type }) => (type === 'relation' ? [] : [[name, { [type]: {} }]])))
}

/** The relations of a table of another program, whose values refer to rows of tables. */
function inferredRelations(tree: ArchiveTree, { columns }: TableReader): Values {
  const relations = columns.flatMap(({ name, relatedTo }) => {
    const relation = { data_source_id: tree.sourceIdOf(relatedTo ?? ''), type: 'single_property', single_property: {} }
    return relatedTo === undefined ? [] : [[name, { name, type: 'relation', relation }] as const]
  })
  return Object.fromEntries(relations)
}

/** Adds the properties that refer to other data sources, or are computed from others. */
export async function makeLaterProperties(
  { manifest, tree, form, target, journal }: ImportContext,
  made: readonly MadeSource[],
): Promise<void> {
  const sources = (manifest?.databases ?? []).flatMap(({ data_sources: list }) => list)
  const newIds = new Map(sources.map(({ id, path }) => [id, tree.sourceIdOf(path)]))
  const existing = new Map(made.map(({ path, id }) => [path, id]))
  await addLaterProperties({
    form,
    target,
    progress: {
      async *records() {
        for (const { path, properties } of sources) {
          const id = existing.get(path)
          if (id !== undefined) yield { object: 'data_source', id, properties: withNewIds(properties, newIds) }
        }
        for (const { id, reader } of made) yield { object: 'data_source', id, properties: inferredRelations(tree, reader) }
      },
      isDone: (step) => journal.countOf(step) > 0,
      note: (step) => journal.note(step, 1),
      // A resumed process retries refused steps.
      leaveOut: (what, where, reason) => {
        if (!journal.leftOut.some((entry) => entry.what === what && entry.where === where))
          journal.note(`left out ${what} ${where}`, 1, { ...noNotes, leftOut: [{ what, where, reason }] })
      },
    },
  })
}

function withNewIds(properties: Values, newIds: ReadonlyMap<string, string>): Values {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const relation = isObject(property) ? property['relation'] : undefined
      const target = isObject(relation) ? newIds.get(String(relation['data_source_id'])) : undefined
      return [
        name,
        isObject(property) && isObject(relation) && target
          ? { ...property, relation: { ...relation, data_source_id: target } }
          : property,
      ]
    }),
  )
}

/** Creates a row with the values that refer to nothing. */
export async function makeRow(context: StepContext, source: MadeSource, row: TableRow): Promise<void> {
  const { target, tree, slot } = context
  const id = tree.idOf(row.path)
  const values = await valuesOf(context, source, row, ({ type }) => type !== 'relation')
  // The existing row may lack values, if a request with all of them was refused.
  if (await isThere(context, id)) return writeValues(context, row, values)
  const create = (properties: object): Promise<unknown> =>
    target.send('createPage', { body: { parent: { data_source_id: source.id }, properties }, ids: { block: [id] }, slot })
  // All values at once; separately only if one of them is refused.
  if (await isTaken(() => create(values))) return
  const title = source.reader.columns.find(({ type }) => type === 'title')?.name ?? ''
  const { [title]: titleValue, ...others } = values
  if (!(await sendOptional(context, 'row', row.path, () => create(titleValue === undefined ? {} : { [title]: titleValue }))))
    return
  await writeOneByOne(context, row, others)
}

/** Writes the relations of a row, once all rows exist. */
export async function relateRow(context: StepContext, source: MadeSource, row: TableRow): Promise<void> {
  if (!source.reader.columns.some(({ type }) => type === 'relation')) return
  await writeValues(context, row, await valuesOf(context, source, row, ({ type }) => type === 'relation'))
}

/** Writes values together, or separately if one of them is refused. */
async function writeValues(context: StepContext, row: TableRow, values: Values): Promise<void> {
  if (Object.keys(values).length === 0) return
  const sending = { path: { page_id: context.tree.idOf(row.path) }, body: { properties: values }, turn: context.slot }
  if (!(await isTaken(() => context.target.send('updatePage', sending)))) await writeOneByOne(context, row, values)
}

async function writeOneByOne({ target, tree, ...parts }: StepContext, row: TableRow, values: Values): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    const sending = { path: { page_id: tree.idOf(row.path) }, body: { properties: { [name]: value } } }
    await sendOptional(parts, `value of "${name}"`, row.path, () => target.send('updatePage', sending))
  }
}

async function valuesOf(
  context: StepContext,
  { path, reader }: MadeSource,
  { path: where, cells }: TableRow,
  isWanted: (column: TableColumn) => boolean,
): Promise<Record<string, unknown>> {
  const links = new LinkRewriter(context, path)
  const values: Record<string, unknown> = {}
  for (const column of reader.columns.filter(isWanted)) {
    const read = cellReader(column.type)
    const text = cells[column.index] ?? ''
    if (text === '') continue
    const reportLoss = (what: string, reason: string): void =>
      void context.leftOut.push({ what, where: `${where}, ${column.name}`, reason })
    if (column.relatedTo !== undefined) {
      const related = cellLinks(context.tree, context.tree.rowsPathOf(path), text) ?? []
      values[column.name] = { relation: related.map((link) => ({ id: context.tree.idOf(link.path) })) }
      continue
    }
    if (column.type === 'verification' && text !== 'unverified') reportLoss(text, 'Importing a page does not verify it.')
    if (read === 'computed') continue
    const targets: CellTargets = {
      personOf: context.personOf,
      rowOf: (name) => context.tree.idOf(`${relatedFolder(context, column)}/${name}.md`),
      upload: async (address) => (await links.upload(address))?.id,
      reportLoss,
    }
    const isList = column.type === 'files' && !context.manifest
    const payload = await read(isList ? ownFileCell(text.split(/,\s+/)) : text, targets)
    if (payload === undefined) reportLoss(`value "${text.slice(0, 100)}"`, `It is not a valid value of type ${column.type}.`)
    else values[column.name] = { [column.type]: payload }
  }
  if (cells.length > reader.headings.length)
    context.leftOut.push({ what: 'cells', where, reason: 'The row has more cells than the table has columns.' })
  return values
}

/** The folder of the rows that a relation refers to. */
function relatedFolder({ manifest }: StepContext, { config }: TableColumn): string {
  const id = config?.type === 'relation' ? config.relation.data_source_id : undefined
  const sources = (manifest?.databases ?? []).flatMap(({ data_sources: list }) => list)
  return folderOf(sources.find((source) => source.id === id)?.path ?? '')
}
