import { isObject, mapObjects, type JsonObject } from './json.ts'

/** Changes every record of an answer: the answer itself, the results of a list, the result of a task. */
export function mapRecords(answer: JsonObject, change: (record: JsonObject) => JsonObject): JsonObject {
  if (answer['object'] === 'list')
    return { ...answer, results: resultsOf(answer).map((result) => (isObject(result) ? change(result) : result)) }
  if (answer['object'] === 'async_task')
    return isObject(answer['result']) ? { ...answer, result: change(answer['result']) } : answer
  return change(answer)
}

/** Changes the records of one kind. */
export function mapKind(answer: JsonObject, kind: string, change: (record: JsonObject) => JsonObject): JsonObject {
  return mapRecords(answer, (record) => (record['object'] === kind ? change(record) : record))
}

/** The records of an answer, for a look ahead. */
export function recordsOf(answer: JsonObject): JsonObject[] {
  if (answer['object'] === 'list') return resultsOf(answer).filter(isObject)
  if (answer['object'] === 'async_task') return isObject(answer['result']) ? [answer['result']] : []
  return [answer]
}

function resultsOf(list: JsonObject): readonly unknown[] {
  return Array.isArray(list['results']) ? list['results'] : []
}

/** Changes every property of a page (its value) or of a schema. */
export function mapProperties(record: JsonObject, change: (property: JsonObject) => JsonObject): JsonObject {
  return isObject(record['properties']) ? { ...record, properties: mapObjects(record['properties'], change) } : record
}
