import type {
  DataSourcePropertiesUpdateRequest,
  PropertyConfigUpdateRequest,
  RelationConfigRequest,
  RelationConfigUpdateRequest,
  RollupConfigUpdateRequest,
} from '../../../../generated/types.ts'
import { deleteCellsOfOption, deleteCellsOfProperty } from '../../../store/cells.ts'
import { countRows } from '../../../store/data_sources.ts'
import { invalid, notFound } from '../../shared/index.ts'
import { findProperty, hasOptions, type PropertyType, type StoredProperty } from '../properties/stored.ts'
import { facetsOf, isComputed } from '../property_types/index.ts'
import { changeRelation, fillOpposites } from './change_relation.ts'
import { resolveComputed, writeFormula } from './check_computed.ts'
import { convertColumn, emptyColumn, numberRows, restoreHiddenValues } from './convert_rows.ts'
import { newColumn, requireOnlyOne, withSettings, writtenConfig } from './new_config.ts'
import { addRelation, unpair } from './relations.ts'
import { putRollup } from './rollups.ts'
import { requireSchemaLimits, type SchemaDraft, type SchemaSession } from './schema_session.ts'

/** Changes of rows that run after the whole request has been checked. */
type RowWork = () => Promise<void>

/** One entry of a request, for an existing or new column. */
interface Entry {
  readonly key: string
  readonly path: string
  readonly request: PropertyConfigUpdateRequest | null
  readonly column: StoredProperty | undefined
}

/** An entry that adds or changes a column, rather than removes it. */
interface WrittenEntry extends Entry {
  readonly request: PropertyConfigUpdateRequest
}

interface Changing {
  readonly session: SchemaSession
  readonly work: RowWork[]
  /** Runs last: fills relations that are paired with existing ones. */
  readonly pairing: RowWork[]
  /** Columns whose values are rewritten in every row, by id. */
  readonly rewritten: Set<string>
}

/**
 * The maximum number of values that one request rewrites. More would exceed the time limit of a request (200,000 take 17 to 33 seconds).
 */
const REWRITTEN_MAX = 250_000

/**
 * Changes columns in this order: deletions, renames, changes of settings or type, additions. Makes all changes or none.
 * @throws ServiceError `validation_error`, `object_not_found`
 */
export async function changeSchema(session: SchemaSession, requests: DataSourcePropertiesUpdateRequest): Promise<void> {
  const { draft } = session
  const entries = Object.entries(requests).map(([key, request]): Entry => {
    return { key, path: `body.properties.${key}`, request, column: findProperty(draft.properties, key) }
  })
  requireOnce(entries)
  const changing: Changing = { session, work: [], pairing: [], rewritten: new Set() }
  for (const entry of entries) if (entry.request === null) await remove(changing, entry)
  const written = entries.filter((entry): entry is WrittenEntry => entry.request !== null)
  for (const entry of written) if (entry.column) describe(changing, entry, entry.column)
  for (const entry of written) if (!entry.column) addPlain(changing, entry)
  requireNamesOnce(draft, written)
  for (const entry of written) if (entry.column) await change(changing, entry)
  for (const entry of written) if (!entry.column) await addLinked(changing, entry)
  await resolveRollups(session, written)
  await resolveComputed(session)
  requireSchemaLimits(draft)
  await requireTimeForRows(changing)
  for (const work of [...changing.work, ...changing.pairing]) await work()
}

/** @throws ServiceError `validation_error` if several columns would be rewritten in a data source with too many rows */
async function requireTimeForRows({ session, rewritten }: Changing): Promise<void> {
  if (rewritten.size < 2) return
  const { db, actor } = session.scope
  const rows = await countRows(db, actor.workspaceId, session.draft.id)
  if (rows * rewritten.size <= REWRITTEN_MAX) return
  throw invalid(
    'body.properties',
    `should change the values of fewer properties at once: the data source has ${rows} rows, and one request rewrites at most ` +
      `${REWRITTEN_MAX} values, or those of one property`,
  )
}

function requireOnce(entries: readonly Entry[]): void {
  const seen = new Set<string>()
  for (const { column, path } of entries) {
    if (column && seen.has(column.id)) throw invalid(path, 'should be not present: the same property is named twice')
    if (column) seen.add(column.id)
  }
}

async function remove({ session, work }: Changing, { key, path, column }: Entry): Promise<void> {
  if (!column) throw notFound(session.scope.actor, 'property', key)
  if (facetsOf(column.type).config.count === 'exactly one')
    throw invalid(path, 'should not be null: a data source keeps its title property')
  if (column.type === 'relation') await unpair(session, column)
  session.remove(column.id)
  const { db, actor } = session.scope
  work.push(() => deleteCellsOfProperty(db, actor.workspaceId, session.draft.id, column.id))
}

/** Sets the name and description of a column. */
function describe({ session }: Changing, { path, request }: WrittenEntry, column: StoredProperty): void {
  const { id, description = column.description } = request
  const name = request.name ?? column.name
  if (id && id !== column.id && id !== encodeURIComponent(column.id)) {
    throw invalid(`${path}.id`, `should be \`"${column.id}"\`, the id of this property`)
  }
  if (name !== column.name || description !== column.description) session.put({ ...column, name, description })
}

function addPlain({ session, work, rewritten }: Changing, { key, path, request }: WrittenEntry): void {
  const written = writtenConfig(request)
  if (!written) throw invalid(path, `should name a property of the data source, instead was ${JSON.stringify(key)}`)
  const { type, content } = written
  if (!facetsOf(type).config.isAddable) throw invalid(path, `should not add a property of type ${type}`)
  requireOnlyOne(session.draft.properties, type, path)
  const column = { id: session.newId(), name: request.name ?? key, description: request.description ?? null }
  const added = newColumn(column, written, path)
  session.put(added)
  if (added.type === 'formula') writeFormula(session, added.id, content, path)
  if (isNumbered(type)) {
    rewritten.add(added.id)
    work.push(() => numberRows(session.scope, session.draft.id, added))
  }
}

/** Whether every row has its own number in a column of the type. */
function isNumbered(type: PropertyType): boolean {
  return facetsOf(type).value.initial === 'number'
}

function requireNamesOnce({ properties }: SchemaDraft, entries: readonly WrittenEntry[]): void {
  const counts = new Map<string, number>()
  for (const { name } of properties) counts.set(name, (counts.get(name) ?? 0) + 1)
  for (const { key, path, request, column } of entries) {
    const name = request.name ?? (column ? undefined : key)
    if (name !== undefined && (counts.get(name) ?? 0) > 1) {
      throw invalid(`${path}.name`, 'should be a name that no other property of the data source has')
    }
  }
}

async function addLinked({ session, pairing }: Changing, { key, path, request }: WrittenEntry): Promise<void> {
  if (!('relation' in request)) return
  const column = session.draft.properties.find(({ name }) => name === (request.name ?? key))
  const relation = request.relation as Partial<RelationConfigRequest>
  if (!column) return
  if (relation.data_source_id === undefined || !('single_property' in relation || 'dual_property' in relation)) {
    throw invalid(`${path}.relation`, 'should contain `data_source_id`, and one of `single_property` and `dual_property`')
  }
  const added = await addRelation(session, column, relation as RelationConfigRequest, `${path}.relation`)
  const isPaired = 'dual_property' in relation && Boolean(relation.dual_property?.synced_property_id)
  if (isPaired) pairing.push(() => fillOpposites(session.scope, session.draft.id, added))
}

/** Changes the settings of a column, or its type. */
async function change(changing: Changing, { path, request, column: before }: WrittenEntry): Promise<void> {
  const written = writtenConfig(request)
  const column = changing.session.draft.properties.find(({ id }) => id === before?.id)
  if (!written || !column) return
  if (column.type === written.type) await configure(changing, path, column, written.content)
  else await retype(changing, path, column, written.type, written.content)
}

async function configure(
  { session, work, rewritten }: Changing,
  path: string,
  column: StoredProperty,
  content: object,
): Promise<void> {
  const place = `${path}.${column.type}`
  const { settings } = facetsOf(column.type).config
  if (typeof settings !== 'string') {
    const next = withSettings(column, settings.change(column, content, place))
    session.put(next)
    work.push(() => dropOptions(session, column, next))
  } else if (column.type === 'formula') {
    writeFormula(session, column.id, content, path)
  } else if (column.type === 'relation') {
    const before = work.length
    await changeRelation(session, column, content as RelationConfigUpdateRequest, place, work)
    if (work.length > before) rewritten.add(column.id)
  }
}

/** Removed options are deleted from the index at once and ignored in documents that still contain them. */
async function dropOptions({ scope, draft }: SchemaSession, before: StoredProperty, after: StoredProperty): Promise<void> {
  if (!hasOptions(before) || !hasOptions(after)) return
  const { db, actor } = scope
  for (const { id } of before.options) {
    if (!after.options.some((option) => option.id === id)) {
      await deleteCellsOfOption(db, actor.workspaceId, draft.id, before.id, id)
    }
  }
}

async function retype(
  changing: Changing,
  path: string,
  column: StoredProperty,
  type: PropertyType,
  content: object,
): Promise<void> {
  const { session } = changing
  const { draft } = session
  const isTitle = [column.type, type].some((one) => facetsOf(one).config.count === 'exactly one')
  if (isTitle) throw invalid(path, 'should keep the title property of the data source')
  if (!facetsOf(type).config.isAddable) throw invalid(path, `should not change a property to type ${type}`)
  requireOnlyOne(draft.properties, type, path)
  if (column.type === 'relation') await unpair(session, column)
  const { id, name, description } = column
  const hidden = storesValues(column.type) ? column : column.hidden
  const common = { id, name, description }
  if (hidden?.type === type && !isNumbered(type)) {
    session.put({ ...hidden, ...common })
    await configure(changing, path, { ...hidden, ...common }, content)
  } else if (type === 'relation') {
    const relation = content as Partial<RelationConfigRequest>
    const request = { name, relation } as PropertyConfigUpdateRequest
    await addLinked(changing, { key: name, path, request, column })
  } else {
    session.put(newColumn(common, { type, content }, path))
    if (type === 'formula') writeFormula(session, id, content, path)
  }
  const kept = !storesValues(type) && hidden ? { hidden } : {}
  const next = draft.properties.find((property) => property.id === id)
  if (next) session.put({ ...next, ...kept })
  if (storesValues(type)) changing.rewritten.add(id)
  changing.work.push(() => convert(session, column, id, hidden))
}

/** Whether rows have their own values of the type. */
function storesValues(type: PropertyType): boolean {
  return !isComputed(type) || isNumbered(type)
}

/** Converts the values of a retyped column. */
async function convert(
  session: SchemaSession,
  before: StoredProperty,
  id: string,
  hidden: StoredProperty | undefined,
): Promise<void> {
  const { scope, draft } = session
  const next = draft.properties.find((property) => property.id === id)
  if (!next) return
  if (isNumbered(next.type)) return numberRows(scope, draft.id, next)
  if (isComputed(next.type)) return deleteCellsOfProperty(scope.db, scope.actor.workspaceId, draft.id, id)
  if (hidden?.type === next.type) return restoreHiddenValues(scope, draft.id, next)
  const from = storesValues(before.type) ? before : hidden
  if (from) session.put(await convertColumn(scope, draft.id, from, next))
  // An earlier release may have left numbers in the column.
  else await emptyColumn(scope, draft.id, next)
}

/** Creates rollups after all other changes, because they refer to columns as they are then. */
async function resolveRollups(session: SchemaSession, entries: readonly WrittenEntry[]): Promise<void> {
  for (const { key, path, request, column } of entries) {
    if (!('rollup' in request)) continue
    const current = session.draft.properties.find(({ id, name }) => (column ? id === column.id : name === (request.name ?? key)))
    if (current) await putRollup(session, current, request.rollup as RollupConfigUpdateRequest, `${path}.rollup`)
  }
}
