import type { PropertyConfig } from '../../../generated/types.ts'
import { visibleAmong } from '../../store/access.ts'
import { findById, type RelationProperty, type StoredProperty } from '../properties/stored.ts'
import { referencesOfStored, renderStored, type FormulaSchema } from '../formulas/index.ts'
import type { Scope } from '../scope.ts'
import { formulaSchema } from './formula_schemas.ts'
import { loadDataSources, type DataSource } from './load.ts'

/** Schemas as answers show them, by data source: each column that the caller sees under its name. */
export async function presentSchemas(
  scope: Scope,
  dataSources: readonly DataSource[],
): Promise<Map<string, Record<string, PropertyConfig>>> {
  const named = dataSources.flatMap(({ properties }) =>
    properties.flatMap((property) => {
      if (property.type === 'formula') return referencesOfStored(property.expression).map((one) => one.dataSourceId)
      return property.type === 'relation' ? [property.dataSourceId] : []
    }),
  )
  const known = new Set(dataSources.map(({ id }) => id))
  const others = [...new Set(named)].filter((id) => !known.has(id))
  const targets = await loadDataSources(scope, [...(await visibleAmong(scope.db, scope.actor, others))])
  for (const dataSource of dataSources) targets.set(dataSource.id, dataSource)
  return new Map(
    dataSources.map(({ id, properties }) => [
      id,
      Object.fromEntries(properties.map((property) => [property.name, readColumn(property, properties, targets)])),
    ]),
  )
}

function schemaNames(targets: Targets, id: string): FormulaSchema | undefined {
  const target = targets.get(id)
  return target && formulaSchema(id, target.properties)
}

type Targets = ReadonlyMap<string, DataSource>

function readColumn(property: StoredProperty, siblings: readonly StoredProperty[], targets: Targets): PropertyConfig {
  const { id, name, description, type } = property
  const read = { id, name, description, type, [type]: readConfig(property, siblings, targets) }
  // The tag is computed, which the compiler cannot follow; tests hold every answer against the contract.
  return read as unknown as PropertyConfig
}

function readConfig(property: StoredProperty, siblings: readonly StoredProperty[], targets: Targets): object {
  switch (property.type) {
    case 'number':
      return { format: property.format }
    case 'select':
    case 'multi_select':
      return { options: property.options }
    case 'status':
      return { options: property.options, groups: property.groups }
    case 'unique_id':
      return { prefix: property.prefix }
    case 'formula':
      return { expression: renderStored(property.expression, (id) => schemaNames(targets, id)) }
    case 'relation':
      return readRelation(property, targets)
    case 'rollup': {
      const relation = findById(siblings, property.relationId)
      const target = relation?.type === 'relation' ? targets.get(relation.dataSourceId) : undefined
      return {
        function: property.function,
        relation_property_id: property.relationId,
        relation_property_name: relation?.name ?? '',
        rollup_property_id: property.targetId,
        rollup_property_name: findById(target?.properties ?? [], property.targetId)?.name ?? '',
      }
    }
    default:
      return {}
  }
}

function readRelation({ dataSourceId, syncedId }: RelationProperty, targets: Targets): object {
  const target = targets.get(dataSourceId)
  const place = { database_id: target?.block.parentId ?? '', data_source_id: dataSourceId }
  const opposite = syncedId === undefined ? undefined : findById(target?.properties ?? [], syncedId)
  return opposite
    ? { ...place, type: 'dual_property', dual_property: { synced_property_id: opposite.id, synced_property_name: opposite.name } }
    : { ...place, type: 'single_property', single_property: {} }
}
