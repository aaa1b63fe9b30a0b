import { isObject } from '../kernel/is_object.ts'
import { refusalOf, type SchemaParts, type Values } from './clone_parts.ts'

/** Types that name other properties or data sources: they are added when all data sources are there. */
const LATER: ReadonlySet<unknown> = new Set(['relation', 'rollup', 'formula'])

interface NewProperty {
  readonly dataSourceId: string
  readonly name: string
  readonly settings: Values
  readonly step: string
}

/** What is needed to say how a data source is made, before anything is. */
type PlannedSchemas = Pick<SchemaParts, 'form'> & { readonly progress: Pick<SchemaParts['progress'], 'isDone' | 'leaveOut'> }

/** The properties that a new data source begins with: its title, and all that depend on no others, unless one of them was refused. */
export function firstProperties(parts: PlannedSchemas, dataSource: Values | undefined): object {
  const [title] = entriesOf(dataSource).find(([, property]) => property['type'] === 'title') ?? ['Name']
  if (dataSource === undefined || isApart(parts, dataSource)) return { [title]: { title: {} } }
  const properties = [...newProperties(parts, dataSource, (type) => !LATER.has(type))]
  return { [title]: { title: {} }, ...Object.fromEntries(properties.map(({ name, settings }) => [name, settings])) }
}

/** From now on, a data source begins with its title alone, and its other properties are added one by one. */
export function setApart({ progress }: SchemaParts, dataSource: Values): void {
  progress.note(`apart ${String(dataSource['id'])}`)
}

function isApart({ progress }: PlannedSchemas, dataSource: Values): boolean {
  return progress.isDone(`apart ${String(dataSource['id'])}`)
}

/** Adds the properties that a data source should have begun with, before there are rows: some number the rows. */
export async function addFirstProperties(parts: SchemaParts, dataSource: Values): Promise<void> {
  if (!isApart(parts, dataSource)) return
  for (const property of newProperties(parts, dataSource, (type) => type !== 'title' && !LATER.has(type)))
    await addOrLeaveOut(parts, property)
}

/**
 * Adds the properties that name others: relations first, then formulas and rollups in whatever order they need each other, trying those that
 * were refused again as long as others are taken.
 */
export async function addLaterProperties(parts: SchemaParts): Promise<void> {
  let waiting: NewProperty[] = []
  for await (const record of parts.progress.records()) {
    if (record['object'] !== 'data_source') continue
    for (const relation of newProperties(parts, record, (type) => type === 'relation')) await addOrLeaveOut(parts, relation)
    waiting.push(...newProperties(parts, record, (type) => type !== 'relation' && LATER.has(type)))
  }
  for (let size = -1; size !== waiting.length;) {
    size = waiting.length
    const refused: NewProperty[] = []
    for (const property of waiting) if ((await add(parts, property)) !== undefined) refused.push(property)
    waiting = refused
  }
  for (const property of waiting) await addOrLeaveOut(parts, property)
}

function* newProperties(
  { form, progress }: PlannedSchemas,
  dataSource: Values,
  isWanted: (type: unknown) => boolean,
): Generator<NewProperty, void, undefined> {
  const dataSourceId = String(dataSource['id'])
  for (const [name, property] of entriesOf(dataSource)) {
    if (!isWanted(property['type'])) continue
    const settings = form.of('PropertyConfigRequest', settingsOf(property))
    if (isObject(settings)) yield { dataSourceId, name, settings, step: stepOf(dataSourceId, name) }
    else
      progress.leaveOut(
        'property',
        `${dataSourceId} ${name}`,
        `A property of type ${String(property['type'])} cannot be created.`,
      )
  }
}

function entriesOf(dataSource: Values | undefined): [name: string, property: Values][] {
  const properties = dataSource?.['properties']
  return Object.entries(isObject(properties) ? properties : {}).filter((entry): entry is [string, Values] => isObject(entry[1]))
}

function stepOf(dataSourceId: string, name: string): string {
  return `property ${dataSourceId} ${name}`
}

/** The settings as those of a new property, naming options and other properties by their names: their ids are other in the clone. */
function settingsOf({ id: _id, ...property }: Values): Values {
  const { status, relation, rollup } = property
  if (isObject(status)) return { ...property, status: statusOf(status) }
  if (isObject(rollup)) {
    const { relation_property_name: relationName, rollup_property_name: name, function: how } = rollup
    return { ...property, rollup: { relation_property_name: relationName, rollup_property_name: name, function: how } }
  }
  if (!isObject(relation) || !isObject(relation['dual_property'])) return property
  const { synced_property_name: name } = relation['dual_property']
  const { data_source_id: id } = relation
  return { ...property, relation: { type: 'dual_property', data_source_id: id, dual_property: { synced_property_name: name } } }
}

function statusOf({ options, groups }: Values): Values {
  const names = new Map(listOf(options).map(({ id, name }) => [id, name]))
  const named = listOf(groups).map(({ name, option_ids: ids }) => ({
    name,
    option_ids: Array.isArray(ids) ? ids.map((id: unknown) => names.get(id) ?? id) : [],
  }))
  return { options, groups: named }
}

function listOf(value: unknown): Values[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

async function addOrLeaveOut(parts: SchemaParts, property: NewProperty): Promise<void> {
  const refusal = await add(parts, property)
  if (refusal === undefined) return
  parts.progress.leaveOut('property', `${property.dataSourceId} ${property.name}`, refusal)
  parts.progress.note(property.step)
}

/** @returns why it was refused; undefined if it is there now */
async function add({ target, progress }: SchemaParts, property: NewProperty): Promise<string | undefined> {
  const { dataSourceId, name, settings, step } = property
  if (progress.isDone(step)) return undefined
  try {
    const path = { data_source_id: dataSourceId }
    await target.send('updateDataSource', { path, body: { properties: { [name]: settings } }, key: step })
  } catch (error) {
    return refusalOf(error)
  }
  const other = otherSideOf(settings)
  if (other !== undefined) progress.note(other)
  progress.note(step)
  return undefined
}

/** A two-way relation makes its other side too. */
function otherSideOf({ relation }: Values): string | undefined {
  if (!isObject(relation) || !isObject(relation['dual_property'])) return undefined
  return stepOf(String(relation['data_source_id']), String(relation['dual_property']['synced_property_name']))
}
