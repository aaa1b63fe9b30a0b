/** Release 2022-06-28: `parent` is the direct parent, and relations have a type. */

import { mapProperties, mapRecords, recordsOf } from './responses.ts'
import { decoded, put, type JsonObject } from './json.ts'
import type { ReleaseChange, Lookups, NewCall, OldRequest, Release } from './release.ts'
import { writtenParent, writtenRelations } from './requests.ts'
import { canonicalJson } from '../kernel/canonical_json.ts'
import { canonicalId, oneSpelling } from '../kernel/ids.ts'
import { isObject } from '../kernel/is_object.ts'

const KEEPS_PARENT: readonly string[] = ['updateBlock', 'updateComment']

/** `parent` is the direct parent. In older releases, it was the nearest page, database or workspace above a page or database. */
const directParents: ReleaseChange = {
  id: 'D1',
  upgrade({ call, origins, preparations }) {
    const parent = writtenParent(call)
    // These operations cannot change the parent, so it is written as it was read.
    if (!parent || KEEPS_PARENT.includes(call.operation.id)) return
    origins.hide(parent, 'block_id')
    const id = call.path['page_id'] ?? call.path['database_id']
    if (typeof id === 'string') preparations.push((lookups) => leaveOutOwnParent(call, canonicalId(id), lookups))
  },
  downgrade(response, lookups) {
    const ids = recordsOf(response).flatMap((record) => blockAbove(record) ?? [])
    return ids.length === 0 ? response : withParentsAround(response, ids, lookups)
  },
}

/** If a page or database is written with the parent that was read, it does not move, even if its direct parent is a block. */
async function leaveOutOwnParent({ body = {} }: NewCall, id: string, lookups: Lookups): Promise<void> {
  const around = (await lookups.parentsAround([id])).get(id)
  const written = body['parent']
  if (!around || !isObject(written)) return
  const isOwn = Object.entries(around).every(
    ([key, value]) => key === 'type' || oneSpelling(String(written[key])) === String(value),
  )
  if (isOwn) delete body['parent']
}

function blockAbove({ object, parent }: JsonObject): string | undefined {
  if ((object !== 'page' && object !== 'database') || !isObject(parent)) return undefined
  return typeof parent['block_id'] === 'string' ? parent['block_id'] : undefined
}

async function withParentsAround(response: JsonObject, blockIds: readonly string[], lookups: Lookups): Promise<JsonObject> {
  const parents = await lookups.parentsAround(blockIds)
  return mapRecords(response, (record) => {
    const parent = parents.get(blockAbove(record) ?? '')
    return parent ? { ...record, parent } : record
  })
}

const SYNCED_KEYS = ['synced_property_id', 'synced_property_name']

/**
 * Relations have a type. In older releases, every written relation was two-way, and a relation that was read was two-way if it had a synced
 * property.
 */
const relationTypes: ReleaseChange = {
  id: 'D2',
  upgrade(request) {
    leaveOutUnchanged(request)
    for (const relation of writtenRelations(request.call)) upgradeRelation(request, relation)
  },
  downgrade: (response) => mapRecords(response, (record) => mapProperties(record, toFlatRelation)),
}

/** A relation that is written as it was read stays one-way, and its target need not be the only data source in its database. */
function leaveOutUnchanged({ call, preparations }: OldRequest): void {
  const { operation, path, body = {} } = call
  const properties = body['properties']
  if (operation.id !== 'updateDatabase' || !isObject(properties)) return
  const written = Object.entries(properties).flatMap(([key, property]) =>
    isObject(property) && isObject(property['relation']) ? [{ key, property, text: canonicalJson(property['relation']) }] : [],
  )
  if (written.length === 0) return
  const id = oneSpelling(String(path['database_id']))
  preparations.push(async (lookups) => {
    const [source] = (await lookups.dataSourcesOf([id])).get(id) ?? []
    const columns = Object.values(source?.properties ?? {})
    for (const { key, property, text } of written) {
      const column = source?.properties[key] ?? columns.find((one) => one.id === key)
      if (!column || canonicalJson(toFlatRelation({ ...column })['relation'] ?? null) !== text) continue
      if (isObject(property['relation'])) delete property['relation']['data_source_id']
      delete property['relation']
    }
  })
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

/** Flattens the relation of a schema property. Relation values of pages are arrays and stay unchanged. */
function toFlatRelation(property: JsonObject): JsonObject {
  const { relation } = property
  if (!isObject(relation)) return property
  const { database_id, dual_property: opposite } = relation
  if (!isObject(opposite)) return { ...property, relation: { database_id } }
  const { synced_property_name, synced_property_id } = opposite
  return { ...property, relation: { database_id, synced_property_name, synced_property_id: decoded(synced_property_id) } }
}

export const release: Release = { date: '2022-06-28', changes: [directParents, relationTypes] }
