import { createDatabase, retrieveDatabase, listDatabases, updateDatabase, queryDatabase } from '../domain/data/index.ts'
import { read, write, type Handlers } from './handler.ts'
import { pageRequest, queryOptions } from './paging.ts'

export const databaseHandlers = {
  listDatabases: read((scope, call) => listDatabases(scope, pageRequest(call.query))),
  createDatabase: write((scope, call) => createDatabase(scope, call.body)),
  retrieveDatabase: read((scope, call) => retrieveDatabase(scope, call.path.database_id)),
  updateDatabase: write((scope, call) => updateDatabase(scope, call.path.database_id, call.body)),
  queryDatabase: read((scope, call) => queryDatabase(scope, call.path.database_id, call.body ?? {}, queryOptions(call))),
} satisfies Partial<Handlers>
