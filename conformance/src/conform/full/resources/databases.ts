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
import type { FullParts, Resource } from '../parts.ts'
import { trashAndRestore } from '../trash_and_restore.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { idsIn } from '../stand_ins.ts'

/** Databases, and with them the data sources of the examples: with every type of property. */
export const databases: Resource = {
  async make(parts) {
    for (const database of parts.records.of('database')) await makeDatabase(parts, database)
    for (const source of parts.records.of('data_source')) await makeFurtherSource(parts, source)
    await addLaterProperties(parts)
    for (const { id, values } of parts.records.of('data_source')) await noteColumns(parts, id, values)
  },

  async exercise(parts) {
    await sendExamples(parts, operations.createDatabase)
    await sendExamples(parts, operations.updateDatabase, { target: () => freshDatabase(parts) })
    const id = await newDatabase(parts)
    const both = { update: operations.updateDatabase, retrieve: operations.retrieveDatabase }
    if (id !== undefined) await trashAndRestore(parts.writer, both, { database_id: id })
  },
}

async function makeDatabase(parts: FullParts, { id, values }: ExampleRecord): Promise<void> {
  const { records, standIns, writer } = parts
  const sourceId = firstDataSourceId(values) ?? ''
  const source = records.find('data_source', sourceId)
  const parent = isObject(values['parent']) ? values['parent'] : {}
  const place = standIns.has(parent['page_id']) ? standIns.of(parent['page_id']) : undefined
  const body = {
    parent: { page_id: place ?? parts.pageId },
    ...titleOf(parts, values),
    ...(source && { initial_data_source: { properties: independentProperties(parts, source.values) } }),
  }
  const made = await writer.send(operations.createDatabase, { body }, { name: 'a database of the examples', isCertain: true })
  if (!made) return
  standIns.set(id, made.id)
  const own = firstDataSourceId(made.record)
  if (source && own !== undefined) standIns.set(sourceId, own)
}

async function makeFurtherSource(parts: FullParts, { id, values }: ExampleRecord): Promise<void> {
  const { standIns, writer } = parts
  const parent = isObject(values['parent']) ? values['parent'] : {}
  const databaseId = parent['database_id']
  if (standIns.has(id) || typeof databaseId !== 'string') return
  const properties = independentProperties(parts, values)
  const name = 'a data source of the examples'
  if (!standIns.has(databaseId)) {
    const body = { parent: { page_id: parts.pageId }, ...titleOf(parts, values), initial_data_source: { properties } }
    const database = await writer.send(operations.createDatabase, { body }, { name, isCertain: true })
    const own = database && firstDataSourceId(database.record)
    if (own === undefined) return
    standIns.set(databaseId, database?.id ?? '')
    standIns.set(id, own)
    return
  }
  const body = { parent: { database_id: standIns.of(databaseId) }, ...titleOf(parts, values), properties }
  const made = await writer.send(operations.createDataSource, { body }, { name, isCertain: true })
  if (made) standIns.set(id, made.id)
}

function titleOf({ form, standIns }: FullParts, { title }: RecordValues): RecordValues {
  const { value, missing } = standIns.fill(form.of('DatabaseUpdateRequest', { title }))
  return isObject(value) && missing.length === 0 ? value : {}
}

function independentProperties({ form }: FullParts, source: RecordValues): RecordValues {
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
async function addLaterProperties(parts: FullParts): Promise<void> {
  const all = parts.records.of('data_source').flatMap((source) => [...laterProperties(parts, source)])
  const isRelation = ({ settings }: LaterProperty): boolean => isObject(settings) && 'relation' in settings
  for (const relation of all.filter(isRelation)) await addProperty(parts, relation)
  const refused = await takeInAnyOrder(
    all.filter((one) => !isRelation(one)),
    (property) => addProperty(parts, property, true),
  )
  for (const property of refused) await addProperty(parts, property)
}

function* laterProperties({ form, standIns }: FullParts, { id, values }: ExampleRecord): Generator<LaterProperty> {
  if (!standIns.has(id)) return
  for (const [name, column] of propertyEntries(values)) {
    if (!isDependent(column)) continue
    const { value, missing } = standIns.fill(form.of('PropertyConfigRequest', settingsByName(column)), id)
    if (value !== undefined && missing.length === 0) yield { dataSourceId: String(standIns.of(id)), name, settings: value }
  }
}

/** A formula of the examples may work only on their original server. */
async function addProperty(
  { writer }: FullParts,
  { dataSourceId, name, settings }: LaterProperty,
  isQuiet = false,
): Promise<boolean> {
  const asked = { path: { data_source_id: dataSourceId }, body: { properties: { [name]: settings } } }
  const purpose = { name: `the property ${name} of the examples`, isCertain: false, isQuiet }
  return (await writer.send(operations.updateDataSource, asked, purpose)) !== undefined
}

async function noteColumns({ standIns, writer, inside }: FullParts, id: string, example: RecordValues): Promise<void> {
  const own = standIns.has(id) ? standIns.of(id) : undefined
  if (own === undefined) return
  const read = await writer.read(operations.retrieveDataSource, { path: { data_source_id: own } })
  if (!read) return
  standIns.setColumns(id, example, read.record)
  for (const column of idsIn(read.record['properties'])) inside.allow(column)
}

async function freshDatabase(parts: FullParts): Promise<Target | string> {
  const id = await newDatabase(parts)
  return id === undefined ? 'no database could be made' : { path: { database_id: id } }
}

async function newDatabase({ writer, pageId }: FullParts): Promise<string | undefined> {
  const body = { parent: { page_id: pageId }, title: [{ text: { content: 'A database to change' } }] }
  return (await writer.send(operations.createDatabase, { body }, { name: 'a plain database', isCertain: true }))?.id
}
