import { mapObjects, type JsonObject } from './json.ts'
import { isObject } from '../kernel/is_object.ts'

/** A copy of a response with each record changed: the response itself, the results of a list or the result of an async task. */
export function mapRecords(response: JsonObject, change: (record: JsonObject) => JsonObject): JsonObject {
  if (response['object'] === 'list')
    return { ...response, results: resultsOf(response).map((result) => (isObject(result) ? change(result) : result)) }
  if (response['object'] === 'async_task')
    return isObject(response['result']) ? { ...response, result: change(response['result']) } : response
  return change(response)
}

/** Like `mapRecords`, for the records whose `object` is `kind`. */
export function mapKind(response: JsonObject, kind: string, change: (record: JsonObject) => JsonObject): JsonObject {
  return mapRecords(response, (record) => (record['object'] === kind ? change(record) : record))
}

/** The records that `mapRecords` would change. */
export function recordsOf(response: JsonObject): JsonObject[] {
  if (response['object'] === 'list') return resultsOf(response).filter(isObject)
  if (response['object'] === 'async_task') return isObject(response['result']) ? [response['result']] : []
  return [response]
}

function resultsOf(list: JsonObject): readonly unknown[] {
  return Array.isArray(list['results']) ? list['results'] : []
}

/** A copy of a record with each property changed: the values of a page, or the configurations of a schema. */
export function mapProperties(record: JsonObject, change: (property: JsonObject) => JsonObject): JsonObject {
  return isObject(record['properties']) ? { ...record, properties: mapObjects(record['properties'], change) } : record
}
