/**
 * Release 2025-09-03: a database contains data sources, which have the schema and the rows and their own operations; relations and searches
 * refer to data sources; and the response to an append continues with the siblings after the new blocks.
 */

import { operations } from '../../generated/operations.ts'
import { isSameJson } from '../kernel/canonical_json.ts'
import { canonicalId } from '../kernel/ids.ts'
import { mapKind, mapRecords, recordsOf } from './responses.ts'
import { mergeDatabase, onlyDataSource } from './databases.ts'
import { renamed, type JsonObject } from './json.ts'
import type { ReleaseChange, Lookups, NewCall, OldRequest, Release } from './release.ts'
import { renameKey, writtenParent, writtenRelations } from './requests.ts'
import { isObject } from '../kernel/is_object.ts'

/** A database contains data sources. Older releases see a database and its only data source as one object. */
const mergedDatabases: ReleaseChange = {
  id: 'E1',
  downgrade(response, lookups) {
    const ids = recordsOf(response)
      .filter(isFullDatabase)
      .map(({ id }) => String(id))
    return ids.length === 0 ? response : withDataSources(response, ids, lookups)
  },
}

function isFullDatabase(record: JsonObject): boolean {
  return record['object'] === 'database' && Array.isArray(record['data_sources'])
}

async function withDataSources(response: JsonObject, databaseIds: readonly string[], lookups: Lookups): Promise<JsonObject> {
  const found = await lookups.dataSourcesOf(databaseIds)
  return mapRecords(response, (record) => {
    if (!isFullDatabase(record)) return record
    const [only, another] = found.get(String(record['id'])) ?? []
    return only && !another ? mergeDatabase(record, { ...only }) : { object: 'database', id: record['id'] }
  })
}

/** A new database is created with `initial_data_source`, which older releases do not have. */
const initialDataSource: ReleaseChange = {
  id: 'E2',
  upgrade({ call: { operation, body = {} }, origins }) {
    if (operation.id === 'createDatabase') origins.hide(body, 'initial_data_source')
  },
}

/** The schema belongs to the data source, so an older update of a database becomes two calls. */
const schemaInDataSource: ReleaseChange = {
  id: 'E3',
  upgrade({ call, calls, origins, preparations, version }) {
    const { operation, body = {} } = call
    if (operation.id !== 'updateDatabase') return
    if (Object.hasOwn(body, 'title')) preparations.push((lookups) => leaveOutReadTitle(call, lookups))
    if (!Object.hasOwn(body, 'properties')) return
    const path: JsonObject = { database_id: call.path['database_id'] }
    origins.rename(path, 'database_id', 'data_source_id')
    calls.unshift({ operation: operations.updateDataSource, path, query: {}, body: { properties: body['properties'] } })
    delete body['properties']
    preparations.push(async (lookups) => {
      const dataSource = await onlyDataSource(lookups, canonicalId(String(path['data_source_id'])), version)
      if (dataSource) path['data_source_id'] = dataSource.id
    })
  },
}

/** A caller may send back the title that it has read, which is the data source's. Then neither title changes. */
async function leaveOutReadTitle({ path, body = {} }: NewCall, lookups: Lookups): Promise<void> {
  const id = canonicalId(String(path['database_id']))
  const [source] = (await lookups.dataSourcesOf([id])).get(id) ?? []
  if (source && isSameJson(source.title, body['title'])) delete body['title']
}

/** Rows are queried in the data source. The older operation still exists, so there is nothing to translate. */
const queryOfDataSource: ReleaseChange = { id: 'E4' }

/**
 * The parent of a row is a data source. When a page is created, a database is still accepted as its parent; when a page is moved, it is
 * not.
 */
const parentsOfRows: ReleaseChange = {
  id: 'E5',
  upgrade(request) {
    const parent = writtenParent(request.call)
    if (!parent) return
    if (request.call.operation.id === 'movePage') moveIntoDataSource(request, parent)
    else request.origins.hide(parent, 'data_source_id')
  },
  downgrade: (response) =>
    mapKind(response, 'page', (page) => {
      const { parent } = page
      return isObject(parent) && parent['type'] === 'data_source_id'
        ? { ...page, parent: { type: 'database_id', database_id: parent['database_id'] } }
        : page
    }),
}

function moveIntoDataSource(request: OldRequest, parent: JsonObject): void {
  renameKey(request, parent, 'database_id', 'data_source_id')
  request.origins.renameValue(parent, 'type', 'database_id', 'data_source_id')
  if (Object.hasOwn(parent, 'data_source_id')) resolveLater(request, parent)
}

/** Once the request has been validated, replaces the database id in `data_source_id` with the id of the database's only data source. */
function resolveLater({ preparations, version }: OldRequest, parent: JsonObject): void {
  preparations.push(async (lookups) => {
    if (parent['data_source_id'] === undefined) return // An earlier preparation has removed it.
    const dataSource = await onlyDataSource(lookups, canonicalId(String(parent['data_source_id'])), version)
    if (dataSource) parent['data_source_id'] = dataSource.id
  })
}

/** Searches and queries return data sources instead of databases. */
const foundDataSources: ReleaseChange = {
  id: 'E6',
  upgrade({ call: { operation, body = {} }, origins }) {
    const { filter } = body
    if (operation.id === 'search' && isObject(filter)) origins.renameValue(filter, 'value', 'database', 'data_source')
  },
  downgrade(response, lookups) {
    const list =
      response['type'] === 'page_or_data_source'
        ? renamed({ ...response, type: 'page_or_database' }, 'page_or_data_source', 'page_or_database')
        : response
    const ids = recordsOf(list)
      .filter(({ object }) => object === 'data_source')
      .map(({ id }) => String(id))
    return ids.length === 0 ? list : withDatabases(list, ids, lookups)
  },
}

async function withDatabases(list: JsonObject, dataSourceIds: readonly string[], lookups: Lookups): Promise<JsonObject> {
  const databases = await lookups.databasesOf(dataSourceIds)
  return mapKind(list, 'data_source', (dataSource) => {
    const database = databases.get(String(dataSource['id']))
    if (!database || database.data_sources.length !== 1 || !isObject(dataSource['properties']))
      return { object: 'database', id: database?.id ?? dataSource['id'] }
    const { archived } = dataSource
    return mergeDatabase({ ...database, ...(archived === undefined ? {} : { archived: database.in_trash }) }, dataSource)
  })
}

/** The target of a relation is a data source. */
const relationTargets: ReleaseChange = {
  id: 'E7',
  upgrade(request) {
    for (const relation of writtenRelations(request.call)) {
      // A relation that is sent back as it was read has both.
      if (Object.hasOwn(relation, 'database_id') && Object.hasOwn(relation, 'data_source_id')) continue
      renameKey(request, relation, 'database_id', 'data_source_id')
      if (Object.hasOwn(relation, 'data_source_id')) resolveLater(request, relation)
    }
  },
}

/** New operations. The contract says that they are available from this release on, so there is nothing to translate. */
const newOperations: ReleaseChange = { id: 'E8' }

/** Refuses requests for a database with several data sources or none, before any of their calls is executed. */
const addressedDatabase: Pick<ReleaseChange, 'upgrade'> = {
  upgrade({ call: { operation, path }, preparations, version }) {
    if (operation.id !== 'retrieveDatabase' && operation.id !== 'updateDatabase') return
    preparations.push(async (lookups) => {
      await onlyDataSource(lookups, canonicalId(String(path['database_id'])), version)
    })
  },
}

/** A database with several data sources. The operation that queries a database refuses such a database itself, in every version. */
const severalDataSources: ReleaseChange = { id: 'E9', ...addressedDatabase }

/** A database without data sources; checked by E9. */
const noDataSource: ReleaseChange = { id: 'E10' }

/** The response to an append continues with the siblings after the new blocks. In older releases, it contained only the new blocks. */
const appendedSiblings: ReleaseChange = {
  id: 'E11',
  downgrade(response, _lookups, { call: { operation, body = {} } }) {
    const { children } = body
    if (operation.id !== 'appendBlockChildren' || !Array.isArray(response['results']) || !Array.isArray(children)) return response
    const results = response['results'].slice(0, children.length)
    const next: unknown = response['results'][results.length]
    return results.length > 0 && isObject(next) ? { ...response, results, has_more: true, next_cursor: next['id'] } : response
  },
}

export const release: Release = {
  date: '2025-09-03',
  changes: [
    mergedDatabases,
    initialDataSource,
    queryOfDataSource,
    parentsOfRows,
    foundDataSources,
    relationTargets,
    newOperations,
    severalDataSources,
    noDataSource,
    appendedSiblings,
    schemaInDataSource, // must be last, because it removes `properties` from the body, which the other changes read
  ],
}
