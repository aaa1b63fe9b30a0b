import type { PropertyConfigRequest, PropertyConfigUpdateRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import type { PropertyType, SettingsOf, StoredProperty } from '../properties/stored.ts'
import { facetsOf, isPropertyType } from '../property_types/index.ts'

type ColumnName = Pick<StoredProperty, 'id' | 'name' | 'description'>

/** The type key of a column in a request, and the object under it. */
interface WrittenConfig {
  readonly type: PropertyType
  readonly content: object
}

/** The type and settings in a request for a column; undefined if it has none. */
export function writtenConfig(request: PropertyConfigRequest | PropertyConfigUpdateRequest): WrittenConfig | undefined {
  const type = Object.keys(request).find(isPropertyType)
  if (type === undefined) return undefined
  const content: unknown = Reflect.get(request, type)
  return { type, content: typeof content === 'object' && content !== null ? content : {} }
}

/**
 * A new column. Relations, rollups and formulas refer to other columns: for them this is a placeholder until their settings are
 * known.
 * @param path the path of the column in the request
 */
export function newColumn(column: ColumnName, { type, content }: WrittenConfig, path: string): StoredProperty {
  const { settings } = facetsOf(type).config
  if (settings === 'formula') return { ...column, type: 'formula', expression: '' }
  if (typeof settings === 'string') return { ...column, type: 'button' }
  return withSettings({ ...column, type }, settings.create(content, `${path}.${type}`))
}

export function withSettings(
  column: ColumnName & { readonly type: PropertyType },
  settings: SettingsOf<PropertyType>,
): StoredProperty {
  // The compiler cannot see that the settings belong to the type. Tests check every response against the contract.
  return { ...column, ...settings } as StoredProperty
}

/** @throws ServiceError `validation_error` for a second column of a type that a data source can have only once */
export function requireOnlyOne(properties: readonly StoredProperty[], type: PropertyType, path: string): void {
  if (facetsOf(type).config.count === 'at most one' && properties.some((property) => property.type === type)) {
    throw invalid(path, `should not be a second property of type ${type}: a data source has at most one`)
  }
}
