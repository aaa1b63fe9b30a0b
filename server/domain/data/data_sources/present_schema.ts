import type { PropertyConfig } from '../../../../generated/types.ts'
import { visibleAmong } from '../../../store/access.ts'
import type { StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { SchemaNames } from '../property_types/property_facets.ts'
import type { Scope } from '../../shared/index.ts'
import { formulaSchema } from './formula_schemas.ts'
import { loadDataSources, type DataSource } from './load.ts'

/** Schemas in responses, by data source: each column that is visible to the caller under its name. */
export async function presentSchemas(
  scope: Scope,
  dataSources: readonly DataSource[],
): Promise<Map<string, Record<string, PropertyConfig>>> {
  const named = dataSources.flatMap(({ properties }) =>
    properties.flatMap((property) => {
      const { sources } = facetsOf(property.type).config
      return sources === 'none' ? [] : sources(property)
    }),
  )
  const known = new Set(dataSources.map(({ id }) => id))
  const others = [...new Set(named)].filter((id) => !known.has(id))
  const targets = await loadDataSources(scope, [...(await visibleAmong(scope.db, scope.actor, others))])
  for (const dataSource of dataSources) targets.set(dataSource.id, dataSource)
  const source: SchemaNames['source'] = (id) => {
    const target = targets.get(id)
    return target && { databaseId: target.block.parentId, properties: target.properties }
  }
  const schemaOf: SchemaNames['formulaSchema'] = (id) => {
    const target = targets.get(id)
    return target && formulaSchema(id, target.properties)
  }
  return new Map(
    dataSources.map(({ id, properties }) => {
      const schemas = { siblings: properties, source, formulaSchema: schemaOf }
      return [id, Object.fromEntries(properties.map((property) => [property.name, presentColumn(property, schemas)]))]
    }),
  )
}

function presentColumn(property: StoredProperty, schemas: SchemaNames): PropertyConfig {
  const { id, name, description, type } = property
  const column = { id, name, description, type, [type]: facetsOf(type).config.present(property, schemas) }
  // The compiler cannot see which key is computed. Tests check every response against the contract.
  return column as unknown as PropertyConfig
}
