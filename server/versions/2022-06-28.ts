/** Release 2022-06-28: `parent` is the direct parent, and relations have a type. */

import { mapProperties, mapRecords, recordsOf } from './answers.ts'
import { decoded, put, type JsonObject } from './json.ts'
import type { ReleaseChange, Lookups, OldRequest, Release } from './release.ts'
import { writtenParent, writtenRelations } from './requests.ts'
import { isObject } from '../kernel/is_object.ts'

/** `parent` is the direct parent. Before, that of a page or database was the nearest page, database or workspace above it. */
const directParents: ReleaseChange = {
  id: 'D1',
  upgrade({ call, origins }) {
    const parent = writtenParent(call)
    if (parent) origins.hide(parent, 'block_id')
  },
  downgrade(answer, lookups) {
    const ids = recordsOf(answer).flatMap((record) => blockAbove(record) ?? [])
    return ids.length === 0 ? answer : withParentsAround(answer, ids, lookups)
  },
}

function blockAbove({ object, parent }: JsonObject): string | undefined {
  if ((object !== 'page' && object !== 'database') || !isObject(parent)) return undefined
  return typeof parent['block_id'] === 'string' ? parent['block_id'] : undefined
}

async function withParentsAround(answer: JsonObject, blockIds: readonly string[], lookups: Lookups): Promise<JsonObject> {
  const parents = await lookups.parentsAround(blockIds)
  return mapRecords(answer, (record) => {
    const parent = parents.get(blockAbove(record) ?? '')
    return parent ? { ...record, parent } : record
  })
}

const SYNCED_KEYS = ['synced_property_id', 'synced_property_name']

/** Relations have a type. Before, every relation written was two-way, and a two-way relation was read by its synced property. */
const relationTypes: ReleaseChange = {
  id: 'D2',
  upgrade(request) {
    for (const relation of writtenRelations(request.call)) upgradeRelation(request, relation)
  },
  downgrade: (answer) => mapRecords(answer, (record) => mapProperties(record, toFlatRelation)),
}

function upgradeRelation({ origins }: OldRequest, relation: JsonObject): void {
  const isWritten = ['database_id', ...SYNCED_KEYS].some((key) => Object.hasOwn(relation, key))
  for (const key of ['type', 'single_property', 'dual_property']) origins.hide(relation, key)
  if (!isWritten) return
  const opposite: JsonObject = {}
  for (const key of SYNCED_KEYS.filter((name) => Object.hasOwn(relation, name))) {
    put(opposite, key, relation[key])
    delete relation[key]
  }
  relation['dual_property'] = opposite
  origins.inline(relation, 'dual_property')
}

/** Flattens the relation of a schema property. Relation values of pages are arrays and stay as they are. */
function toFlatRelation(property: JsonObject): JsonObject {
  const { relation } = property
  if (!isObject(relation)) return property
  const { database_id, dual_property: opposite } = relation
  if (!isObject(opposite)) return { ...property, relation: { database_id } }
  const { synced_property_name, synced_property_id } = opposite
  return { ...property, relation: { database_id, synced_property_name, synced_property_id: decoded(synced_property_id) } }
}

export const release: Release = { date: '2022-06-28', changes: [directParents, relationTypes] }
