import type { NumberFormat, PropertyConfig, RollupFunction, SchemaOption, StatusGroup } from '../../../../generated/types.ts'
import { percentDecoded } from '../../../kernel/urls.ts'
import { invalid } from '../../shared/index.ts'

export type PropertyType = PropertyConfig['type']

interface Common {
  /** `title`, or four letters and digits. An id never changes, and is never reused within a data source. */
  readonly id: string
  readonly name: string
  readonly description: string | null
  /**
   * Set if the name was chosen by a caller to whom another column with the same name was not visible. If both are visible to a caller, this
   * one is presented with a numeric suffix.
   */
  readonly yields?: true
  /** For a computed column: its previous definition. Rows keep the old values, which reappear if the type is changed back. */
  readonly hidden?: StoredProperty
}

/** The settings of column types that have any. */
interface Settings {
  number: { readonly format: NumberFormat }
  select: { readonly options: readonly SchemaOption[] }
  multi_select: { readonly options: readonly SchemaOption[] }
  status: { readonly options: readonly SchemaOption[]; readonly groups: readonly StatusGroup[] }
  /** The expression refers to properties by id. */
  formula: { readonly expression: string }
  relation: {
    readonly dataSourceId: string
    /** The id of the synced property in the target data source; undefined for a one-way relation. */
    readonly syncedId?: string
  }
  rollup: { readonly function: RollupFunction; readonly relationId: string; readonly targetId: string }
  unique_id: { readonly prefix: string | null }
}

export type SettingsOf<T extends PropertyType> = T extends keyof Settings ? Settings[T] : object

/** A column of one type as stored in the schema of a data source. */
export type PropertyOf<T extends PropertyType> = T extends PropertyType ? Common & { readonly type: T } & SettingsOf<T> : never

/** A column of any type. */
export type StoredProperty = PropertyOf<PropertyType>

export type StatusProperty = PropertyOf<'status'>
export type FormulaProperty = PropertyOf<'formula'>
export type RelationProperty = PropertyOf<'relation'>
export type RollupProperty = PropertyOf<'rollup'>

/** A column whose values are options. */
export type OptionsProperty = Extract<StoredProperty, { readonly options: readonly SchemaOption[] }>

export function hasOptions(property: StoredProperty): property is OptionsProperty {
  return 'options' in property
}

type ColumnName = Pick<StoredProperty, 'id' | 'name'>

/** Finds a column by its current name or, if none has it, by its id, percent-encoded or plain. */
export function findProperty<P extends ColumnName>(properties: readonly P[], key: string): P | undefined {
  return properties.find(({ name }) => name === key) ?? findById(properties, key)
}

/**
 * Like `findProperty`, but requires the column to exist.
 * @param path of the key in the request
 * @throws ServiceError `validation_error` if there is no such column
 */
export function requireProperty(properties: readonly StoredProperty[], key: string | undefined, path: string): StoredProperty {
  const property = key === undefined ? undefined : findProperty(properties, key)
  if (property) return property
  throw invalid(path, `should be the name or id of a property: could not find property with name or id ${JSON.stringify(key)}`)
}

export function findById<P extends Pick<ColumnName, 'id'>>(properties: readonly P[], key: string): P | undefined {
  const id = percentDecoded(key)
  return properties.find((property) => property.id === key || property.id === id)
}
