/**
 * Release 2021-08-16: unknown keys are refused; entries of array rollups have the type of their property; appending blocks returns the new
 * blocks; property ids are percent-encoded; and empty properties are present with the value null.
 */

import { operations } from '../../generated/operations.ts'
import { mapKind, mapProperties, mapRecords } from './responses.ts'
import { decoded, renamed, type JsonObject } from './json.ts'
import type { ReleaseChange, Release } from './release.ts'
import { isObject } from '../kernel/is_object.ts'

/** Unknown keys are refused; older releases ignored them. */
const unknownKeys: ReleaseChange = { id: 'B1', ignoresUnknownKeys: true }

const OLD_ENTRY_TYPES: Readonly<Record<string, string>> = { files: 'file', rich_text: 'text', people: 'person' }

/** The entries of an array rollup have the type of the property that it aggregates. */
const rollupEntries: ReleaseChange = {
  id: 'B2',
  downgrade: (response) =>
    mapKind(response, 'page', (page) =>
      mapProperties(page, (property) => {
        const rollup = property['rollup']
        if (!isObject(rollup) || !Array.isArray(rollup['array'])) return property
        return { ...property, rollup: { ...rollup, array: rollup['array'].map(toOldEntry) } }
      }),
    ),
}

function toOldEntry(entry: unknown): unknown {
  if (!isObject(entry)) return entry
  const type = String(entry['type'])
  const older = OLD_ENTRY_TYPES[type]
  return older === undefined ? entry : renamed({ ...entry, type: older }, type, older)
}

/** Appending returns the new blocks. Older releases returned the parent block, so a call that retrieves it is added. */
const appendResponse: ReleaseChange = {
  id: 'B3',
  upgrade({ call, calls }) {
    if (call.operation.id === 'appendBlockChildren')
      calls.push({ operation: operations.retrieveBlock, path: call.path, query: {}, body: undefined })
  },
}

/** Property ids are percent-encoded. Change C3 decodes the ids of property items. */
const encodedIds: ReleaseChange = {
  id: 'B4',
  downgrade: (response) =>
    mapRecords(response, (record) => mapProperties(record, (property) => ({ ...property, id: decoded(property['id']) }))),
}

const LEFT_OUT_WHEN_EMPTY = new Set(['number', 'email', 'select', 'date', 'rollup'])

/** Properties without a value are present with the value null; older releases omitted them. */
const emptyValues: ReleaseChange = {
  id: 'B5',
  downgrade: (response) =>
    mapKind(response, 'page', (page) => {
      const { properties } = page
      if (!isObject(properties)) return page
      return {
        ...page,
        properties: Object.fromEntries(
          Object.entries(properties).filter(([, property]) => !isObject(property) || !isEmpty(property)),
        ),
      }
    }),
}

function isEmpty(property: JsonObject): boolean {
  const type = String(property['type'])
  if (!LEFT_OUT_WHEN_EMPTY.has(type)) return false
  const value = property[type]
  return value === null || (type === 'rollup' && isObject(value) && value[String(value['type'])] === null)
}

export const release: Release = {
  date: '2021-08-16',
  changes: [unknownKeys, rollupEntries, appendResponse, encodedIds, emptyValues],
}
