import { createDataSource } from '../domain/data_sources/create.ts'
import { retrieveDataSource } from '../domain/data_sources/data_sources.ts'
import { listDataSourceTemplates } from '../domain/data_sources/templates.ts'
import { updateDataSource } from '../domain/data_sources/update.ts'
import { queryDataSource } from '../domain/queries/query.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest, queryOptions } from './paging.ts'

export const dataSources = {
  createDataSource: (call) => call.write((scope) => createDataSource(scope, call.body)),
  retrieveDataSource: (call) => call.read((scope) => retrieveDataSource(scope, call.path.data_source_id)),
  updateDataSource: (call) => call.write((scope) => updateDataSource(scope, call.path.data_source_id, call.body)),
  listDataSourceTemplates: (call) =>
    call.read((scope) => listDataSourceTemplates(scope, call.path.data_source_id, pageRequest(call.query), call.query.name)),
  queryDataSource: (call) =>
    call.read((scope) => queryDataSource(scope, call.path.data_source_id, call.body ?? {}, queryOptions(call))),
} satisfies Partial<Handlers>
