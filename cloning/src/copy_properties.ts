import {
  isDependent,
  propertyEntries,
  settingsByName,
  takeInAnyOrder,
} from '@workspace-service/server/contract/copied_records.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import { refusalOf, type SchemaParts, type Values } from './clone_parts.ts'

interface NewProperty {
  readonly dataSourceId: string
  readonly name: string
  readonly settings: Values
  readonly step: string
}

/** The context for planning the creation of data sources. */
type PlannedSchemas = Pick<SchemaParts, 'form'> & { readonly progress: Pick<SchemaParts['progress'], 'isDone' | 'leaveOut'> }

/** The first properties of a new data source: its title, and all that depend on no others, unless one of them was refused. */
export function firstProperties(parts: PlannedSchemas, dataSource: Values | undefined): object {
  const [title] = propertyEntries(dataSource).find(([, property]) => property['type'] === 'title') ?? ['Name']
  if (dataSource === undefined || isApart(parts, dataSource)) return { [title]: { title: {} } }
  const properties = [...newProperties(parts, dataSource, (one) => !isDependent(one))]
  return { [title]: { title: {} }, ...Object.fromEntries(properties.map(({ name, settings }) => [name, settings])) }
}

/** From now on, a data source is created with its title alone, and its other properties are added one by one. */
export function setApart({ progress }: SchemaParts, dataSource: Values): void {
  progress.note(`apart ${String(dataSource['id'])}`)
}

function isApart({ progress }: PlannedSchemas, dataSource: Values): boolean {
  return progress.isDone(`apart ${String(dataSource['id'])}`)
}

/** Adds the first properties of a data source before there are rows: some properties number the rows. */
export async function addFirstProperties(parts: SchemaParts, dataSource: Values): Promise<void> {
  if (!isApart(parts, dataSource)) return
  for (const property of newProperties(parts, dataSource, (one) => one['type'] !== 'title' && !isDependent(one)))
    await addOrLeaveOut(parts, property)
}

/**
 * Adds the properties that refer to others: relations first, then formulas and rollups, which may depend on each other. Refused properties
 * are retried as long as others are accepted.
 */
export async function addLaterProperties(parts: SchemaParts): Promise<void> {
  const waiting: NewProperty[] = []
  for await (const record of parts.progress.records()) {
    if (record['object'] !== 'data_source') continue
    for (const relation of newProperties(parts, record, ({ type }) => type === 'relation')) await addOrLeaveOut(parts, relation)
    waiting.push(...newProperties(parts, record, (one) => one['type'] !== 'relation' && isDependent(one)))
  }
  const refused = await takeInAnyOrder(waiting, async (property) => (await add(parts, property)) === undefined)
  for (const property of refused) await addOrLeaveOut(parts, property)
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

async function addOrLeaveOut(parts: SchemaParts, property: NewProperty): Promise<void> {
  const refusal = await add(parts, property)
  if (refusal === undefined) return
  parts.progress.leaveOut('property', `${property.dataSourceId} ${property.name}`, refusal)
  parts.progress.note(property.step)
}

/** @returns the reason if it was refused; undefined if it exists now */
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

/** A two-way relation creates its other side, too. */
function otherSideOf({ relation }: Values): string | undefined {
  if (!isObject(relation) || !isObject(relation['dual_property'])) return undefined
  return stepOf(String(relation['data_source_id']), String(relation['dual_property']['synced_property_name']))
}
