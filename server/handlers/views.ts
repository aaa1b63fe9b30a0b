import { createView } from '../domain/views/create.ts'
import { listViews } from '../domain/views/list.ts'
import { deleteViewQuery, keepViewQuery, listViewQueryResults } from '../domain/views/queries.ts'
import { retrieveView } from '../domain/views/present.ts'
import { findViewRows } from '../domain/views/run.ts'
import { deleteView, updateView } from '../domain/views/update.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const views = {
  listDatabaseViews: (call) => call.read((scope) => listViews(scope, call.query, pageRequest(call.query))),
  createView: (call) => call.write((scope) => createView(scope, call.body)),
  retrieveView: (call) => call.read((scope) => retrieveView(scope, call.path.view_id)),
  updateView: (call) => call.write((scope) => updateView(scope, call.path.view_id, call.body)),
  deleteView: (call) => call.write((scope) => deleteView(scope, call.path.view_id)),
  // Found before the transaction that keeps them: nobody else's writing waits while rows are looked at.
  createViewQuery: async (call) => {
    const found = await call.read((scope) => findViewRows(scope, call.path.view_id))
    return call.write((scope) => keepViewQuery(scope, found, pageRequest(call.body ?? {}).pageSize))
  },
  listViewQueryResults: (call) =>
    call.read((scope) => listViewQueryResults(scope, call.path.view_id, call.path.query_id, pageRequest(call.query))),
  deleteViewQuery: (call) => call.write((scope) => deleteViewQuery(scope, call.path.view_id, call.path.query_id)),
} satisfies Partial<Handlers>
