import { refusalOf, type SchemaParts, type Values } from './clone_parts.ts'
import { LATER_PROPERTIES } from './make_records.ts'
import { isObject } from '../kernel/is_object.ts'

interface LaterProperty {
  readonly dataSourceId: string
  readonly name: string
  readonly settings: Values
  readonly step: string
}

/**
 * Adds the properties that name others: relations first, then formulas and rollups in whatever order they need each other, trying those that
 * were refused again as long as others are taken.
 */
export async function completeSchemas(parts: SchemaParts): Promise<void> {
  const { progress } = parts
  const relations: LaterProperty[] = []
  let waiting: LaterProperty[] = []
  for await (const record of progress.records()) {
    if (record['object'] === 'data_source')
      for (const property of laterProperties(parts, record)) {
        if (property.settings['type'] === 'relation') relations.push(property)
        else waiting.push(property)
      }
  }
  for (const relation of relations) {
    const refusal = await addProperty(parts, relation)
    if (refusal !== undefined) leaveOut(parts, relation, refusal)
  }
  for (let size = -1; size !== waiting.length;) {
    size = waiting.length
    const refused: LaterProperty[] = []
    for (const property of waiting) if ((await addProperty(parts, property)) !== undefined) refused.push(property)
    waiting = refused
  }
  for (const property of waiting) leaveOut(parts, property, (await addProperty(parts, property)) ?? '')
}

function* laterProperties({ form, progress }: SchemaParts, dataSource: Values): Generator<LaterProperty> {
  const dataSourceId = String(dataSource['id'])
  for (const [name, property] of Object.entries(isObject(dataSource['properties']) ? dataSource['properties'] : {})) {
    if (!isObject(property) || !LATER_PROPERTIES.has(String(property['type']))) continue
    const step = `property ${dataSourceId} ${name}`
    const fitted = form.of('PropertyConfigRequest', settingsOf(property))
    if (isObject(fitted)) yield { dataSourceId, name, settings: { type: property['type'], ...fitted }, step }
    else progress.leaveOut('property', `${dataSourceId} ${name}`, 'It names no other property.')
  }
}

/** The settings as those of a new property, naming others by their names: their ids are other in the clone. */
function settingsOf({ id: _id, ...property }: Values): Values {
  const { relation, rollup } = property
  if (isObject(rollup)) {
    const { relation_property_name: relationName, rollup_property_name: name, function: how } = rollup
    return { ...property, rollup: { relation_property_name: relationName, rollup_property_name: name, function: how } }
  }
  if (!isObject(relation) || !isObject(relation['dual_property'])) return property
  const { synced_property_name: name } = relation['dual_property']
  const { data_source_id: id } = relation
  return { ...property, relation: { type: 'dual_property', data_source_id: id, dual_property: { synced_property_name: name } } }
}

/** @returns why it was refused; undefined if it is there now */
async function addProperty(parts: SchemaParts, property: LaterProperty): Promise<string | undefined> {
  const { target, progress } = parts
  const { dataSourceId, name, settings, step } = property
  if (progress.isDone(step)) return undefined
  try {
    const path = { data_source_id: dataSourceId }
    await target.send('updateDataSource', { path, body: { properties: { [name]: settings } }, key: step })
  } catch (error) {
    return refusalOf(error)
  }
  progress.note(step)
  noteOtherSide(parts, settings)
  return undefined
}

/** A two-way relation makes its other side too. */
function noteOtherSide({ progress }: SchemaParts, { relation }: Values): void {
  if (!isObject(relation) || !isObject(relation['dual_property'])) return
  progress.note(`property ${String(relation['data_source_id'])} ${String(relation['dual_property']['synced_property_name'])}`)
}

function leaveOut({ progress }: SchemaParts, { dataSourceId, name, step }: LaterProperty, reason: string): void {
  progress.leaveOut('property', `${dataSourceId} ${name}`, reason)
  progress.note(step)
}
