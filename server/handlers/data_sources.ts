import {
  createDataSource,
  retrieveDataSource,
  listDataSourceTemplates,
  updateDataSource,
  queryDataSource,
} from '../domain/data/index.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest, queryOptions } from './paging.ts'

export const dataSourceHandlers = {
  createDataSource: write((scope, call) => createDataSource(scope, call.body)),
  retrieveDataSource: read((scope, call) => retrieveDataSource(scope, call.path.data_source_id)),
  updateDataSource: write((scope, call) => updateDataSource(scope, call.path.data_source_id, call.body)),
  listDataSourceTemplates: read((scope, call) =>
    listDataSourceTemplates(scope, call.path.data_source_id, pageRequest(call.query), call.query.name),
  ),
  queryDataSource: read((scope, call) => queryDataSource(scope, call.path.data_source_id, call.body ?? {}, queryOptions(call))),
} satisfies Partial<Handlers>
