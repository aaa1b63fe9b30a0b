import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '../../../../kernel/is_object.ts'
import type { ExampleRecord, Values } from '../example_records.ts'
import type { FullParts, Resource } from '../parts.ts'
import { sendExamples, type Target } from '../send_examples.ts'
import { idsIn } from '../stand_ins.ts'
import type { Taken } from '../writer.ts'
import { columnsOf } from './properties.ts'

/** Properties that name others are added when all data sources are there. */
const LATER: ReadonlySet<unknown> = new Set(['relation', 'rollup', 'formula'])

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
    await trashAndRestore(parts)
  },
}

async function makeDatabase(parts: FullParts, { id, values }: ExampleRecord): Promise<void> {
  const { records, standIns, writer } = parts
  const [first]: unknown[] = Array.isArray(values['data_sources']) ? values['data_sources'] : []
  const sourceId = isObject(first) ? String(first['id']) : ''
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
  const own = firstSourceOf(made)
  if (source && own !== undefined) standIns.set(sourceId, own)
}

export function firstSourceOf({ record }: Taken): string | undefined {
  const [first]: unknown[] = Array.isArray(record['data_sources']) ? record['data_sources'] : []
  return isObject(first) ? String(first['id']) : undefined
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
    const own = database && firstSourceOf(database)
    if (own === undefined) return
    standIns.set(databaseId, database?.id ?? '')
    standIns.set(id, own)
    return
  }
  const body = { parent: { database_id: standIns.of(databaseId) }, ...titleOf(parts, values), properties }
  const made = await writer.send(operations.createDataSource, { body }, { name, isCertain: true })
  if (made) standIns.set(id, made.id)
}

function titleOf({ form, standIns }: FullParts, { title }: Values): Values {
  const { value, missing } = standIns.fill(form.of('DatabaseUpdateRequest', { title }))
  return isObject(value) && missing.length === 0 ? value : {}
}

function independentProperties({ form }: FullParts, source: Values): Values {
  const fitted = columnsOf(source).flatMap(([name, column]) => {
    const wanted = LATER.has(column['type']) ? undefined : form.of('PropertyConfigRequest', newSettings(column))
    return wanted === undefined ? [] : [[name, wanted] as const]
  })
  return Object.fromEntries(fitted)
}

/** Settings without ids, which the server assigns. The groups of a status are its own. */
function newSettings({ id: _id, ...column }: Values): Values {
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

/** Relations first; then the others in whatever order they need each other: they are tried again as long as some are taken. */
async function addLaterProperties(parts: FullParts): Promise<void> {
  const all = parts.records.of('data_source').flatMap((source) => [...laterProperties(parts, source)])
  const isRelation = ({ settings }: LaterProperty): boolean => isObject(settings) && 'relation' in settings
  for (const relation of all.filter(isRelation)) await addProperty(parts, relation)
  let waiting = all.filter((one) => !isRelation(one))
  for (let size = -1; size !== waiting.length;) {
    size = waiting.length
    const refused: LaterProperty[] = []
    for (const one of waiting) if (!(await addProperty(parts, one))) refused.push(one)
    waiting = refused
  }
}

function* laterProperties({ form, standIns }: FullParts, { id, values }: ExampleRecord): Generator<LaterProperty> {
  if (!standIns.has(id)) return
  for (const [name, column] of columnsOf(values)) {
    if (!LATER.has(column['type'])) continue
    const { value, missing } = standIns.fill(form.of('PropertyConfigRequest', namedByNames(column)), id)
    if (value !== undefined && missing.length === 0) yield { dataSourceId: String(standIns.of(id)), name, settings: value }
  }
}

/** Other properties by their names: their ids are others here. */
function namedByNames({ id: _id, ...column }: Values): Values {
  const { relation, rollup } = column
  if (isObject(rollup)) {
    const { relation_property_name: relationName, rollup_property_name: name, function: how } = rollup
    return { ...column, rollup: { relation_property_name: relationName, rollup_property_name: name, function: how } }
  }
  if (!isObject(relation) || !isObject(relation['dual_property'])) return column
  const { synced_property_name: name } = relation['dual_property']
  const { data_source_id: target } = relation
  return { ...column, relation: { type: 'dual_property', data_source_id: target, dual_property: { synced_property_name: name } } }
}

/** A formula of the examples may be one that only its own server computes. */
async function addProperty({ writer }: FullParts, { dataSourceId, name, settings }: LaterProperty): Promise<boolean> {
  const asked = { path: { data_source_id: dataSourceId }, body: { properties: { [name]: settings } } }
  const purpose = { name: `the property ${name} of the examples`, isCertain: false }
  return (await writer.send(operations.updateDataSource, asked, purpose)) !== undefined
}

async function noteColumns({ standIns, writer, inside }: FullParts, id: string, example: Values): Promise<void> {
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

async function trashAndRestore(parts: FullParts): Promise<void> {
  const { writer } = parts
  const id = await newDatabase(parts)
  if (id === undefined) return
  const path = { database_id: id }
  for (const inTrash of [true, false]) {
    const name = inTrash ? 'into the trash' : 'out of the trash'
    await writer.send(operations.updateDatabase, { path, body: { in_trash: inTrash } }, { name, isCertain: true })
    const read = await writer.read(operations.retrieveDatabase, { path })
    const text = inTrash ? 'is not true after the move to the trash' : 'is not false after the restore'
    if (read) writer.expect(read.record['in_trash'] === inTrash, operations.updateDatabase, read.answer, 'body.in_trash', text)
  }
}
