import { facetsOf } from '../property_types/index.ts'
import { rollupFunctions } from '../rollups/functions.ts'
import { propertyById, type SchemaProperty, type FormulaSchema, type FormulaSchemas } from './schema.ts'
import { ANY, DATE, listOf, NUMBER, type FormulaType } from './types.ts'

/** Determines the type of the values of a formula property. */
type TypeOfFormula = (schema: FormulaSchema, property: SchemaProperty) => FormulaType

/** The type of a property in formulas; undefined if formulas cannot read it. */
export function typeOfProperty(
  schema: FormulaSchema,
  property: SchemaProperty,
  schemas: FormulaSchemas,
  typeOfFormula: TypeOfFormula,
): FormulaType | undefined {
  const { type } = facetsOf(property.type).formula
  if (typeof type === 'object') return type
  if (type === 'none') return undefined
  if (type === 'formula') return typeOfFormula(schema, property)
  if (type === 'pages') return listOf({ kind: 'page', dataSourceId: property.relatedDataSourceId })
  return typeOfRollup(schema, property, schemas, typeOfFormula)
}

/** A rollup that no longer fits, or whose target no longer exists, has the type `any` and reads as unsupported. */
function typeOfRollup(
  schema: FormulaSchema,
  { rollup }: SchemaProperty,
  schemas: FormulaSchemas,
  typeOfFormula: TypeOfFormula,
): FormulaType {
  const relation = rollup && propertyById(schema, rollup.relationPropertyId)
  const target = relation?.relatedDataSourceId === undefined ? undefined : schemas(relation.relatedDataSourceId)
  const aggregated = rollup && propertyById(target, rollup.propertyId)
  if (rollup === undefined || target === undefined || aggregated === undefined || isRollup(aggregated)) return ANY
  // The type is determined even if the result does not depend on it, to detect a formula that aggregates itself.
  const element = typeOfProperty(target, aggregated, schemas, typeOfFormula) ?? ANY
  const { result } = rollupFunctions[rollup.function]
  if (result === 'number') return NUMBER
  if (result === 'date') return DATE
  return listOf(rollup.function === 'show_unique' && element.kind === 'list' ? element.element : element)
}

/** Whether a property is a rollup, which another rollup cannot aggregate. */
function isRollup({ type }: SchemaProperty): boolean {
  return facetsOf(type).formula.type === 'rollup'
}
