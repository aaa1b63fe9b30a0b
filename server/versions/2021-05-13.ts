/** Release 2021-05-13 renamed the property type `text` to `rich_text`. */

import { mapKind, mapProperties, mapRecords } from './responses.ts'
import { renamed, type JsonObject } from './json.ts'
import type { ReleaseChange, Release } from './release.ts'
import { renameKey, writtenProperties } from './requests.ts'

/** Renames only the property type: the rich text type `text` kept its name. */
const propertyType: ReleaseChange = {
  id: 'A1',
  upgrade(request) {
    for (const property of writtenProperties(request.call)) {
      renameKey(request, property, 'text', 'rich_text')
      request.origins.renameValue(property, 'type', 'text', 'rich_text')
    }
  },
  downgrade(response) {
    const records = mapRecords(response, (record) => mapProperties(record, toText))
    return response['object'] === 'list' && response['type'] === 'rich_text'
      ? mapKind({ ...records, type: 'text' }, 'property_item', toText)
      : mapKind(records, 'property_item', toText)
  },
}

function toText(property: JsonObject): JsonObject {
  return property['type'] === 'rich_text' ? renamed({ ...property, type: 'text' }, 'rich_text', 'text') : property
}

export const release: Release = { date: '2021-05-13', changes: [propertyType] }
