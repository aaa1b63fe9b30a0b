import type { RollupFunction } from '../../../../generated/types.ts'
import type { PropertyType } from '../properties/stored.ts'

/** A property as formulas see it. */
export interface SchemaProperty {
  readonly id: string
  readonly name: string
  readonly type: PropertyType
  /** For a `relation`: the data source to whose rows it links. */
  readonly relatedDataSourceId?: string
  /** For a `formula`: the stored form, or the text of a request that is being checked. An empty text is an empty formula. */
  readonly expression?: { readonly form: 'stored' | 'written'; readonly text: string }
  readonly rollup?: { readonly function: RollupFunction; readonly relationPropertyId: string; readonly propertyId: string }
}

export interface FormulaSchema {
  readonly dataSourceId: string
  readonly properties: readonly SchemaProperty[]
}

/** The schemas that formulas can reach: their own data source and the visible targets of its relations. */
export type FormulaSchemas = (dataSourceId: string) => FormulaSchema | undefined

/** The property with exactly this id. */
export function propertyById(schema: FormulaSchema | undefined, id: string): SchemaProperty | undefined {
  return schema?.properties.find((property) => property.id === id)
}
