import {
  createView,
  listViews,
  deleteViewQuery,
  keepViewQuery,
  listViewQueryResults,
  retrieveView,
  findViewRows,
  deleteView,
  updateView,
} from '../domain/data/index.ts'
import { read, write, writeAfter, type Handlers } from './handler.ts'
import { pageRequest } from './paging.ts'

export const viewHandlers = {
  listDatabaseViews: read((scope, call) => listViews(scope, call.query, pageRequest(call.query))),
  createView: write((scope, call) => createView(scope, call.body)),
  retrieveView: read((scope, call) => retrieveView(scope, call.path.view_id)),
  updateView: write((scope, call) => updateView(scope, call.path.view_id, call.body)),
  deleteView: write((scope, call) => deleteView(scope, call.path.view_id)),
  // The rows are found before the read-write transaction begins, so that a long scan does not block other writers.
  createViewQuery: writeAfter(
    ({ read }, call) => read((scope) => findViewRows(scope, call.path.view_id)),
    (scope, call, found) => keepViewQuery(scope, found, pageRequest(call.body ?? {}).pageSize),
  ),
  listViewQueryResults: read((scope, call) =>
    listViewQueryResults(scope, call.path.view_id, call.path.query_id, pageRequest(call.query)),
  ),
  deleteViewQuery: write((scope, call) => deleteViewQuery(scope, call.path.view_id, call.path.query_id)),
} satisfies Partial<Handlers>
