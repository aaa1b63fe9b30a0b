/**
 * What changed on 2025-09-03: databases hold data sources, which have the schema, the rows, the queries and operations of their own, and
 * relations and searches lead to them; appending continues after the new blocks. Here is how older callers keep the old form.
 */

import { operations } from '../../generated/operations.ts'
import { canonicalId } from '../kernel/ids.ts'
import { mapKind, mapRecords, recordsOf } from './answers.ts'
import { mergeDatabase, onlyDataSource } from './databases.ts'
import { isObject, renamed, type JsonObject } from './json.ts'
import type { ReleaseChange, Lookups, OldRequest, Release } from './release.ts'
import { renameKey, writtenParent, writtenRelations } from './requests.ts'

/** Databases hold data sources; before, a database and its only data source were one object. */
const mergedDatabases: ReleaseChange = {
  id: 'E1',
  downgrade(answer, lookups) {
    const ids = recordsOf(answer)
      .filter(isFullDatabase)
      .map(({ id }) => String(id))
    return ids.length === 0 ? answer : withDataSources(answer, ids, lookups)
  },
}

function isFullDatabase(record: JsonObject): boolean {
  return record['object'] === 'database' && Array.isArray(record['data_sources'])
}

async function withDataSources(answer: JsonObject, databaseIds: readonly string[], lookups: Lookups): Promise<JsonObject> {
  const found = await lookups.dataSourcesOf(databaseIds)
  return mapRecords(answer, (record) => {
    if (!isFullDatabase(record)) return record
    const [only, another] = found.get(String(record['id'])) ?? []
    return only && !another ? mergeDatabase(record, { ...only }) : { object: 'database', id: record['id'] }
  })
}

/** A new database names its first data source. */
const initialDataSource: ReleaseChange = {
  id: 'E2',
  upgrade({ call: { operation, body = {} }, origins }) {
    if (operation.id === 'createDatabase') origins.hide(body, 'initial_data_source')
  },
}

/** The schema is changed in the data source: the other half of an older update. */
const schemaInDataSource: ReleaseChange = {
  id: 'E3',
  upgrade({ call, calls, origins, preparations, version }) {
    const { operation, body = {} } = call
    if (operation.id !== 'updateDatabase' || !Object.hasOwn(body, 'properties')) return
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

/** Rows are queried in the data source; the older path stays. */
const queryOfDataSource: ReleaseChange = { id: 'E4' }

/** Rows belong to data sources. Creating a page still takes the database, moving one does not. */
const parentsOfRows: ReleaseChange = {
  id: 'E5',
  upgrade(request) {
    const parent = writtenParent(request.call)
    if (!parent) return
    if (request.call.operation.id === 'movePage') moveIntoDataSource(request, parent)
    else request.origins.hide(parent, 'data_source_id')
  },
  downgrade: (answer) =>
    mapKind(answer, 'page', (page) => {
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

/** Puts the only data source in the place of the database that the caller named, once the contract has accepted the id. */
function resolveLater({ preparations, version }: OldRequest, holder: JsonObject): void {
  preparations.push(async (lookups) => {
    const dataSource = await onlyDataSource(lookups, canonicalId(String(holder['data_source_id'])), version)
    if (dataSource) holder['data_source_id'] = dataSource.id
  })
}

/** Searches and queries find data sources where they found databases. */
const foundDataSources: ReleaseChange = {
  id: 'E6',
  upgrade({ call: { operation, body = {} }, origins }) {
    const { filter } = body
    if (operation.id === 'search' && isObject(filter)) origins.renameValue(filter, 'value', 'database', 'data_source')
  },
  downgrade(answer, lookups) {
    const list =
      answer['type'] === 'page_or_data_source'
        ? renamed({ ...answer, type: 'page_or_database' }, 'page_or_data_source', 'page_or_database')
        : answer
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

/** Relations lead to data sources. */
const relationTargets: ReleaseChange = {
  id: 'E7',
  upgrade(request) {
    for (const relation of writtenRelations(request.call)) {
      renameKey(request, relation, 'database_id', 'data_source_id')
      if (Object.hasOwn(relation, 'data_source_id')) resolveLater(request, relation)
    }
  },
}

/** Data sources and views have operations, which are declared as of this release. */
const newOperations: ReleaseChange = { id: 'E8' }

/** A database with several data sources, or with none, cannot be addressed: nothing of an older update of it may happen. */
const addressedDatabase: Pick<ReleaseChange, 'upgrade'> = {
  upgrade({ call: { operation, path }, preparations, version }) {
    if (operation.id !== 'retrieveDatabase' && operation.id !== 'updateDatabase') return
    preparations.push(async (lookups) => {
      await onlyDataSource(lookups, canonicalId(String(path['database_id'])), version)
    })
  },
}

/** Several data sources; a query says so by itself, in every version. */
const severalDataSources: ReleaseChange = { id: 'E9', ...addressedDatabase }

/** No data source; the check is that of E9. */
const noDataSource: ReleaseChange = { id: 'E10' }

/** An append goes on with the siblings behind the new blocks; before, it answers with the new blocks alone. */
const appendedSiblings: ReleaseChange = {
  id: 'E11',
  downgrade(answer, lookups, { call: { operation, path, body = {} } }) {
    const { children } = body
    if (operation.id !== 'appendBlockChildren' || !Array.isArray(answer['results']) || !Array.isArray(children)) return answer
    const results = answer['results'].slice(0, children.length)
    const last: unknown = results.at(-1)
    if (results.length === answer['results'].length || !isObject(last)) return answer
    return withCursor({ ...answer, results }, lookups.cursorAfter(canonicalId(String(path['block_id'])), String(last['id'])))
  },
}

async function withCursor(list: JsonObject, cursor: Promise<string>): Promise<JsonObject> {
  return { ...list, has_more: true, next_cursor: await cursor }
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
    schemaInDataSource, // the last one takes the properties out of the body that the others look at
  ],
}
