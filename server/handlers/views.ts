import { createView } from '../domain/views/create.ts'
import { listViews } from '../domain/views/list.ts'
import { retrieveView } from '../domain/views/read.ts'
import { deleteView, updateView } from '../domain/views/update.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest } from './paging.ts'

export const views = {
  listDatabaseViews: (call) => call.read((scope) => listViews(scope, call.query, pageRequest(call.query))),
  createView: (call) => call.write((scope) => createView(scope, call.body)),
  retrieveView: (call) => call.read((scope) => retrieveView(scope, call.path.view_id)),
  updateView: (call) => call.write((scope) => updateView(scope, call.path.view_id, call.body)),
  deleteView: (call) => call.write((scope) => deleteView(scope, call.path.view_id)),
} satisfies Partial<Handlers>
