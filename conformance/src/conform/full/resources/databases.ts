import { operations } from '../../../../../generated/operations.ts'
import {
  firstDataSourceId,
  isDependent,
  propertyEntries,
  settingsByName,
  takeInAnyOrder,
} from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { ExampleRecord, RecordValues } from '../example_records.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { trashAndRestore } from '../trash_and_restore.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { idsIn } from '../replacements.ts'

/** Databases, and the data sources of the examples with every type of property. */
export const databases: Resource = {
  async make(context) {
    for (const database of context.records.of('database')) await makeDatabase(context, database)
    for (const source of context.records.of('data_source')) await makeFurtherSource(context, source)
    await addLaterProperties(context)
    for (const { id, values } of context.records.of('data_source')) await noteColumns(context, id, values)
  },

  async exercise(context) {
    await sendExamples(context, operations.createDatabase)
    await sendExamples(context, operations.updateDatabase, { target: () => freshDatabase(context) })
    const id = await newDatabase(context)
    const both = { update: operations.updateDatabase, retrieve: operations.retrieveDatabase }
    if (id !== undefined) await trashAndRestore(context.writer, both, { database_id: id })
  },
}

async function makeDatabase(context: FullRunContext, { id, values }: ExampleRecord): Promise<void> {
  const { records, replacements, writer } = context
  const sourceId = firstDataSourceId(values) ?? ''
  const source = records.find('data_source', sourceId)
  const parent = isObject(values['parent']) ? values['parent'] : {}
  const place = replacements.has(parent['page_id']) ? replacements.of(parent['page_id']) : undefined
  const body = {
    parent: { page_id: place ?? context.pageId },
    ...titleOf(context, values),
    ...(source && { initial_data_source: { properties: independentProperties(context, source.values) } }),
  }
  const made = await writer.send(operations.createDatabase, { body }, { name: 'a database of the examples', isCertain: true })
  if (!made) return
  replacements.set(id, made.id)
  const own = firstDataSourceId(made.record)
  if (source && own !== undefined) replacements.set(sourceId, own)
}

async function makeFurtherSource(context: FullRunContext, { id, values }: ExampleRecord): Promise<void> {
  const { replacements, writer } = context
  const parent = isObject(values['parent']) ? values['parent'] : {}
  const databaseId = parent['database_id']
  if (replacements.has(id) || typeof databaseId !== 'string') return
  const properties = independentProperties(context, values)
  const name = 'a data source of the examples'
  if (!replacements.has(databaseId)) {
    const body = { parent: { page_id: context.pageId }, ...titleOf(context, values), initial_data_source: { properties } }
    const database = await writer.send(operations.createDatabase, { body }, { name, isCertain: true })
    const own = database && firstDataSourceId(database.record)
    if (own === undefined) return
    replacements.set(databaseId, database?.id ?? '')
    replacements.set(id, own)
    return
  }
  const body = { parent: { database_id: replacements.of(databaseId) }, ...titleOf(context, values), properties }
  const made = await writer.send(operations.createDataSource, { body }, { name, isCertain: true })
  if (made) replacements.set(id, made.id)
}

function titleOf({ form, replacements }: FullRunContext, { title }: RecordValues): RecordValues {
  const { value, missing } = replacements.fill(form.of('DatabaseUpdateRequest', { title }))
  return isObject(value) && missing.length === 0 ? value : {}
}

function independentProperties({ form }: FullRunContext, source: RecordValues): RecordValues {
  const fitted = propertyEntries(source).flatMap(([name, column]) => {
    const wanted = isDependent(column) ? undefined : form.of('PropertyConfigRequest', newSettings(column))
    return wanted === undefined ? [] : [[name, wanted] as const]
  })
  return Object.fromEntries(fitted)
}

/** Settings without ids, which the server assigns. The groups of a status belong to it. */
function newSettings({ id: _id, ...column }: RecordValues): RecordValues {
  const type = String(column['type'])
  const settings = column[type]
  if (!isObject(settings) || !Array.isArray(settings['options'])) return column
  const options = settings['options'].filter(isObject).map(({ id: _option, ...option }) => option)
  return { ...column, [type]: { options } }
}

interface LaterProperty {
  readonly dataSourceId: string
  readonly name: string
  readonly settings: unknown
}

/** Relations first; then the others, which may depend on each other: they are retried as long as some are accepted. */
async function addLaterProperties(context: FullRunContext): Promise<void> {
  const all = context.records.of('data_source').flatMap((source) => [...laterProperties(context, source)])
  const isRelation = ({ settings }: LaterProperty): boolean => isObject(settings) && 'relation' in settings
  for (const relation of all.filter(isRelation)) await addProperty(context, relation)
  const refused = await takeInAnyOrder(
    all.filter((one) => !isRelation(one)),
    (property) => addProperty(context, property, true),
  )
  for (const property of refused) await addProperty(context, property)
}

function* laterProperties({ form, replacements }: FullRunContext, { id, values }: ExampleRecord): Generator<LaterProperty> {
  if (!replacements.has(id)) return
  for (const [name, column] of propertyEntries(values)) {
    if (!isDependent(column)) continue
    const { value, missing } = replacements.fill(form.of('PropertyConfigRequest', settingsByName(column)), id)
    if (value !== undefined && missing.length === 0) yield { dataSourceId: String(replacements.of(id)), name, settings: value }
  }
}

/** Adds a property. It may be refused: a formula of the examples may work only on their original server. */
async function addProperty(
  { writer }: FullRunContext,
  { dataSourceId, name, settings }: LaterProperty,
  isQuiet = false,
): Promise<boolean> {
  const input = { path: { data_source_id: dataSourceId }, body: { properties: { [name]: settings } } }
  const purpose = { name: `the property ${name} of the examples`, isCertain: false, isQuiet }
  return (await writer.send(operations.updateDataSource, input, purpose)) !== undefined
}

async function noteColumns(
  { replacements, writer, runRecords }: FullRunContext,
  id: string,
  example: RecordValues,
): Promise<void> {
  const own = replacements.has(id) ? replacements.of(id) : undefined
  if (own === undefined) return
  const read = await writer.read(operations.retrieveDataSource, { path: { data_source_id: own } })
  if (!read) return
  replacements.setColumns(id, example, read.record)
  for (const column of idsIn(read.record['properties'])) runRecords.allow(column)
}

async function freshDatabase(context: FullRunContext): Promise<Target | string> {
  const id = await newDatabase(context)
  return id === undefined ? 'no database could be created' : { path: { database_id: id } }
}

async function newDatabase({ writer, pageId }: FullRunContext): Promise<string | undefined> {
  const body = { parent: { page_id: pageId }, title: [{ text: { content: 'A database to change' } }] }
  return (await writer.send(operations.createDatabase, { body }, { name: 'a plain database', isCertain: true }))?.id
}
