import {
  isDependent,
  propertyEntries,
  settingsByName,
  takeInAnyOrder,
} from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { refusalOf, type SchemaContext, type Values } from './clone_context.ts'

interface NewProperty {
  readonly dataSourceId: string
  readonly name: string
  readonly settings: Values
  readonly step: string
}

/** The context for planning the creation of data sources. */
type PlannedSchemas = Pick<SchemaContext, 'form'> & { readonly progress: Pick<SchemaContext['progress'], 'isDone' | 'leaveOut'> }

/** The first properties of a new data source: its title, and all that depend on no others, unless one of them was refused. */
export function firstProperties(parts: PlannedSchemas, dataSource: Values | undefined): object {
  const [title] = propertyEntries(dataSource).find(([, property]) => property['type'] === 'title') ?? ['Name']
  if (dataSource === undefined || hasDeferredProperties(parts, dataSource)) return { [title]: { title: {} } }
  const properties = [...newProperties(parts, dataSource, (one) => !isDependent(one))]
  return { [title]: { title: {} }, ...Object.fromEntries(properties.map(({ name, settings }) => [name, settings])) }
}

/** Notes that a data source is to be created with its title alone, and its other properties added one by one. */
export function deferProperties({ progress }: SchemaContext, dataSource: Values): void {
  progress.note(`apart ${String(dataSource['id'])}`)
}

function hasDeferredProperties({ progress }: PlannedSchemas, dataSource: Values): boolean {
  return progress.isDone(`apart ${String(dataSource['id'])}`)
}

/** Adds the first properties of a data source before there are rows: some properties number the rows. */
export async function addFirstProperties(context: SchemaContext, dataSource: Values): Promise<void> {
  if (!hasDeferredProperties(context, dataSource)) return
  for (const property of newProperties(context, dataSource, (one) => one['type'] !== 'title' && !isDependent(one)))
    await addOptional(context, property)
}

/**
 * Adds the properties that refer to others: relations first, then formulas and rollups, which may depend on each other. Refused properties
 * are retried as long as others are accepted.
 */
export async function addLaterProperties(context: SchemaContext): Promise<void> {
  const waiting: NewProperty[] = []
  for await (const record of context.progress.records()) {
    if (record['object'] !== 'data_source') continue
    for (const relation of newProperties(context, record, ({ type }) => type === 'relation')) await addOptional(context, relation)
    waiting.push(...newProperties(context, record, (one) => one['type'] !== 'relation' && isDependent(one)))
  }
  const refused = await takeInAnyOrder(waiting, async (property) => (await add(context, property)) === undefined)
  for (const property of refused) await addOptional(context, property)
}

function* newProperties(
  { form, progress }: PlannedSchemas,
  dataSource: Values,
  isWanted: (property: Values) => boolean,
): Generator<NewProperty, void, undefined> {
  const dataSourceId = String(dataSource['id'])
  for (const [name, property] of propertyEntries(dataSource)) {
    if (!isWanted(property)) continue
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

function stepOf(dataSourceId: string, name: string): string {
  return `property ${dataSourceId} ${name}`
}

/** The settings for a new property, with options and other properties by name. */
function settingsOf(property: Values): Values {
  const settings = settingsByName(property)
  const { status } = settings
  return isObject(status) ? { ...settings, status: statusOf(status) } : settings
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

async function addOptional(context: SchemaContext, property: NewProperty): Promise<void> {
  const refusal = await add(context, property)
  if (refusal === undefined) return
  context.progress.leaveOut('property', `${property.dataSourceId} ${property.name}`, refusal)
  context.progress.note(property.step)
}

/** @returns the reason if it was refused; undefined if it exists now */
async function add({ target, progress }: SchemaContext, property: NewProperty): Promise<string | undefined> {
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

/** The step for the other side of a two-way relation, which is created together with it; undefined for other properties. */
function otherSideOf({ relation }: Values): string | undefined {
  if (!isObject(relation) || !isObject(relation['dual_property'])) return undefined
  return stepOf(String(relation['data_source_id']), String(relation['dual_property']['synced_property_name']))
}
