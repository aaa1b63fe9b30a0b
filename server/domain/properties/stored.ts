import type { NumberFormat, PropertyConfig, RollupFunction, SchemaOption, StatusGroup } from '../../../generated/types.ts'

export type PropertyType = PropertyConfig['type']

interface Common {
  /** `title`, or four letters and digits; kept for life and never given twice in a data source. */
  readonly id: string
  readonly name: string
  readonly description: string | null
  /** Its name was given by somebody who does not see another column of that name. */
  readonly yields?: true
  /** Of a computed column: what it was before. The rows still hold those values, to be shown when it is of that type again. */
  readonly hidden?: StoredProperty
}

export type NumberProperty = Common & { readonly type: 'number'; readonly format: NumberFormat }
export type ChoiceProperty = Common & { readonly type: 'select' | 'multi_select'; readonly options: readonly SchemaOption[] }
export type StatusProperty = Common & {
  readonly type: 'status'
  readonly options: readonly SchemaOption[]
  readonly groups: readonly StatusGroup[]
}
/** Properties that the expression names are kept by their ids. */
export type FormulaProperty = Common & { readonly type: 'formula'; readonly expression: string }
export type RelationProperty = Common & {
  readonly type: 'relation'
  readonly dataSourceId: string
  /** The opposite side, in the target; undefined for a one-way relation. */
  readonly syncedId?: string
}
export type RollupProperty = Common & {
  readonly type: 'rollup'
  readonly function: RollupFunction
  readonly relationId: string
  readonly targetId: string
}
export type NumberedProperty = Common & { readonly type: 'unique_id'; readonly prefix: string | null }
export type PlainProperty = Common & {
  readonly type: Exclude<
    PropertyType,
    'number' | 'select' | 'multi_select' | 'status' | 'formula' | 'relation' | 'rollup' | 'unique_id'
  >
}

/** A column as the schema of a data source keeps it. */
export type StoredProperty =
  | NumberProperty
  | ChoiceProperty
  | StatusProperty
  | FormulaProperty
  | RelationProperty
  | RollupProperty
  | NumberedProperty
  | PlainProperty

export function hasOptions(property: StoredProperty): property is ChoiceProperty | StatusProperty {
  return property.type === 'select' || property.type === 'multi_select' || property.type === 'status'
}

/** The option that a status column gives to new rows: the first of its first group. */
export function defaultOption({ groups, options }: StatusProperty): SchemaOption | undefined {
  const id = groups[0]?.option_ids[0]
  return options.find((option) => option.id === id)
}

/** Types whose values rows hold themselves. */
const COMPUTED: ReadonlySet<PropertyType> = new Set([
  'formula',
  'rollup',
  'created_time',
  'created_by',
  'last_edited_time',
  'last_edited_by',
  'unique_id',
  'button',
  'last_visited_time',
  'location',
])

/** Whether the service makes the values, so that requests cannot. */
export function isComputed(type: PropertyType): boolean {
  return COMPUTED.has(type)
}

/** A column by its current name, or else by its id, percent-encoded or plain. */
export function findProperty(properties: readonly StoredProperty[], key: string): StoredProperty | undefined {
  return properties.find(({ name }) => name === key) ?? findById(properties, key)
}

export function findById(properties: readonly StoredProperty[], key: string): StoredProperty | undefined {
  const id = decoded(key)
  return properties.find((property) => property.id === key || property.id === id)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
