import { mapObjects, type JsonObject } from './json.ts'
import { isObject } from '../kernel/is_object.ts'

/** A copy of a response with each record changed: the response itself, the results of a list or the result of an async task. */
export function mapRecords(answer: JsonObject, change: (record: JsonObject) => JsonObject): JsonObject {
  if (answer['object'] === 'list')
    return { ...answer, results: resultsOf(answer).map((result) => (isObject(result) ? change(result) : result)) }
  if (answer['object'] === 'async_task')
    return isObject(answer['result']) ? { ...answer, result: change(answer['result']) } : answer
  return change(answer)
}

/** Like `mapRecords`, for the records whose `object` is `kind`. */
export function mapKind(answer: JsonObject, kind: string, change: (record: JsonObject) => JsonObject): JsonObject {
  return mapRecords(answer, (record) => (record['object'] === kind ? change(record) : record))
}

/** The records that `mapRecords` would change. */
export function recordsOf(answer: JsonObject): JsonObject[] {
  if (answer['object'] === 'list') return resultsOf(answer).filter(isObject)
  if (answer['object'] === 'async_task') return isObject(answer['result']) ? [answer['result']] : []
  return [answer]
}

function resultsOf(list: JsonObject): readonly unknown[] {
  return Array.isArray(list['results']) ? list['results'] : []
}

/** A copy of a record with each property changed: the values of a page, or the configurations of a schema. */
export function mapProperties(record: JsonObject, change: (property: JsonObject) => JsonObject): JsonObject {
  return isObject(record['properties']) ? { ...record, properties: mapObjects(record['properties'], change) } : record
}
