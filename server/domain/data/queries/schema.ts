import { meOf, type Scope } from '../../shared/index.ts'
import { reachFrom } from '../data_sources/formula_schemas.ts'
import type { DataSource } from '../data_sources/load.ts'
import type { ResultType } from '../formulas/index.ts'
import { findById, type RollupProperty, type StoredProperty } from '../properties/stored.ts'
import { facetsOf } from '../property_types/index.ts'
import type { FilterContext, RollupTarget } from '../property_types/property_facets.ts'

/** The schema against which filters and sorts are parsed. */
export interface QuerySchema extends FilterContext {
  readonly dataSource: DataSource
  /** The columns visible to the caller. */
  readonly columns: readonly StoredProperty[]
}

/** @param needsComputed whether the query uses formulas or rollups, whose result types must then be determined */
export async function querySchema(scope: Scope, dataSource: DataSource, needsComputed: boolean): Promise<QuerySchema> {
  const columns = dataSource.properties
  const viewer = { now: scope.now, me: meOf(scope.actor) }
  const hasComputed = columns.some(({ type }) => facetsOf(type).value.present === 'computed')
  if (!needsComputed || !hasComputed) return { dataSource, columns, resultTypes: new Map(), rollupTargets: new Map(), viewer }
  return { dataSource, columns, viewer, ...(await computedTypes(scope, dataSource, columns)) }
}

async function computedTypes(
  scope: Scope,
  dataSource: DataSource,
  columns: readonly StoredProperty[],
): Promise<Pick<QuerySchema, 'resultTypes' | 'rollupTargets'>> {
  const { sources, compiler } = await reachFrom(scope, dataSource)
  const resultTypeOf = (sourceId: string, { id, type }: StoredProperty): ResultType | undefined =>
    type === 'formula' ? compiler.property(sourceId, id).formula?.resultType : undefined
  const targetOf = (rollup: RollupProperty): RollupTarget | undefined => {
    const relation = findById(columns, rollup.relationId)
    const target = relation?.type === 'relation' ? sources.get(relation.dataSourceId) : undefined
    const property = target && findById(target.properties, rollup.targetId)
    return (
      target && property && { property, rollup: facetsOf(property.type).rollup, resultType: resultTypeOf(target.id, property) }
    )
  }
  return {
    resultTypes: new Map(columns.map((column) => [column.id, resultTypeOf(dataSource.id, column)])),
    rollupTargets: new Map(
      columns.flatMap((column) => {
        const found = column.type === 'rollup' ? targetOf(column) : undefined
        return found ? [[column.id, found] as const] : []
      }),
    ),
  }
}
