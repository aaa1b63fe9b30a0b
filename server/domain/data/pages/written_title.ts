import type { PagePropertiesRequest } from '../../../../generated/types.ts'
import { invalid } from '../../shared/index.ts'
import { storeRichText, type ReferenceList, type StoredRichText } from '../../content/index.ts'

/**
 * The title in a request for a page outside data sources. Such a page has no other property.
 * @returns undefined if it is omitted
 * @throws ServiceError `validation_error` for any other property or type of value
 */
export function writtenTitle(
  properties: PagePropertiesRequest | undefined,
  references: ReferenceList,
): StoredRichText | undefined {
  for (const key of Object.keys(properties ?? {})) {
    if (key !== 'title')
      throw invalid(`body.properties.${key}`, 'should be not present: a page outside a data source has only `title`')
  }
  const value = properties?.['title']
  if (value === undefined) return undefined
  const path = 'body.properties.title'
  if (Array.isArray(value)) return storeRichText(value, path, references)
  if (!('title' in value)) throw invalid(path, 'should be a value of type title')
  return storeRichText(value.title, `${path}.title`, references)
}
