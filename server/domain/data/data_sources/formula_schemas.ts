import { visibleAmong } from '../../../store/access.ts'
import { FormulaCompiler, type SchemaProperty, type FormulaSchema } from '../formulas/index.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { Scope } from '../../shared/index.ts'
import { loadDataSources, type DataSource } from './load.ts'

/** The maximum number of data sources that are loaded for the formulas of one. Formulas cannot reach further ones. */
const SOURCES_MAX = 50

/**
 * The data sources that formulas and rollups of the given columns can reach through relations, directly or through further formulas and
 * rollups, as far as they are visible to the caller.
 */
export async function reachableSources(
  scope: Scope,
  starts: readonly { readonly id: string; readonly properties: readonly StoredProperty[] }[],
): Promise<Map<string, DataSource>> {
  const known = new Set(starts.map(({ id }) => id))
  const reached = new Map<string, DataSource>()
  let properties = starts.flatMap((start) => start.properties)
  while (known.size < SOURCES_MAX && properties.some(({ type }) => facetsOf(type).value.present === 'computed')) {
    const targets = properties.flatMap((property) => (property.type === 'relation' ? [property.dataSourceId] : []))
    const next = [...new Set(targets)].filter((id) => !known.has(id)).slice(0, SOURCES_MAX - known.size)
    if (next.length === 0) break
    for (const id of next) known.add(id)
    const loaded = await loadDataSources(scope, [...(await visibleAmong(scope.db, scope.actor, next))])
    for (const [id, source] of loaded) reached.set(id, source)
    properties = [...loaded.values()].flatMap((source) => source.properties)
  }
  return reached
}

/** The data sources that formulas and rollups can reach, and the compiler for their formulas. */
export interface ReachableSources {
  readonly sources: ReadonlyMap<string, DataSource>
  readonly compiler: FormulaCompiler
}

export async function reachFrom(scope: Scope, dataSource: DataSource): Promise<ReachableSources> {
  const sources = new Map([[dataSource.id, dataSource], ...(await reachableSources(scope, [dataSource]))])
  const schemas = new Map([...sources].map(([id, { properties }]) => [id, formulaSchema(id, properties)]))
  return { sources, compiler: new FormulaCompiler((id) => schemas.get(id)) }
}

/** A schema as formulas see it. @param written the texts of formulas in the request, by property id */
export function formulaSchema(
  dataSourceId: string,
  properties: readonly StoredProperty[],
  written: ReadonlyMap<string, string> = new Map(),
): FormulaSchema {
  return { dataSourceId, properties: properties.map((property) => formulaProperty(property, written.get(property.id))) }
}

function formulaProperty(property: StoredProperty, written: string | undefined): SchemaProperty {
  const { id, name, type } = property
  const { describe } = facetsOf(type).formula
  return describe === 'none' ? { id, name, type } : { id, name, type, ...describe(property, written) }
}
