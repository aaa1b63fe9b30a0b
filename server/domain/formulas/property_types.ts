import { isRollupFunction, rollupFunctions } from '../rollups/functions.ts'
import { propertyById, type FormulaProperty, type FormulaSchema, type FormulaSchemas } from './schema.ts'
import { ANY, BOOLEAN, DATE, listOf, NUMBER, PERSON, TEXT, type FormulaType } from './types.ts'

/** The types of properties whose values are kept or filled in by the service. */
const TYPES: Readonly<Record<string, FormulaType>> = {
  title: TEXT,
  rich_text: TEXT,
  url: TEXT,
  email: TEXT,
  phone_number: TEXT,
  select: TEXT,
  status: TEXT,
  unique_id: TEXT,
  verification: TEXT,
  place: TEXT,
  number: NUMBER,
  checkbox: BOOLEAN,
  date: DATE,
  created_time: DATE,
  last_edited_time: DATE,
  created_by: PERSON,
  last_edited_by: PERSON,
  multi_select: listOf(TEXT),
  files: listOf(TEXT),
  people: listOf(PERSON),
}

/** The types of properties that formulas cannot read. */
const UNREADABLE: ReadonlySet<string> = new Set(['button', 'location', 'last_visited_time'])

/** The type of the values of a formula property. */
export type TypeOfFormula = (schema: FormulaSchema, property: FormulaProperty) => FormulaType

/** The type that a property has in formulas; undefined for one that they cannot read. */
export function typeOfProperty(
  schema: FormulaSchema,
  property: FormulaProperty,
  schemas: FormulaSchemas,
  typeOfFormula: TypeOfFormula,
): FormulaType | undefined {
  if (UNREADABLE.has(property.type)) return undefined
  if (property.type === 'formula') return typeOfFormula(schema, property)
  if (property.type === 'relation') return listOf({ kind: 'page', dataSourceId: property.relatedDataSourceId })
  if (property.type === 'rollup') return typeOfRollup(schema, property, schemas, typeOfFormula)
  return TYPES[property.type] ?? ANY
}

/** A rollup that no longer fits, or whose target is gone, may be anything: it reads as unsupported. */
function typeOfRollup(
  schema: FormulaSchema,
  { rollup }: FormulaProperty,
  schemas: FormulaSchemas,
  typeOfFormula: TypeOfFormula,
): FormulaType {
  const relation = rollup && propertyById(schema, rollup.relationPropertyId)
  const target = relation?.relatedDataSourceId === undefined ? undefined : schemas(relation.relatedDataSourceId)
  const gathered = rollup && propertyById(target, rollup.propertyId)
  if (rollup === undefined || target === undefined || gathered === undefined || gathered.type === 'rollup') return ANY
  // Asked for even where the result does not depend on it: a formula that gathers itself is found by this.
  const element = typeOfProperty(target, gathered, schemas, typeOfFormula) ?? ANY
  if (!isRollupFunction(rollup.function)) return ANY
  const { result } = rollupFunctions[rollup.function]
  if (result === 'number') return NUMBER
  if (result === 'date') return DATE
  return listOf(rollup.function === 'show_unique' && element.kind === 'list' ? element.element : element)
}
