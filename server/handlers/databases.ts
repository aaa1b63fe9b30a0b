import { createDatabase } from '../domain/databases/create.ts'
import { retrieveDatabase } from '../domain/databases/databases.ts'
import { listDatabases } from '../domain/databases/list.ts'
import { updateDatabase } from '../domain/databases/update.ts'
import { queryDatabase } from '../domain/queries/query.ts'
import type { Handlers } from '../contract/call.ts'
import { pageRequest, queryOptions } from './paging.ts'

export const databases = {
  listDatabases: (call) => call.read((scope) => listDatabases(scope, pageRequest(call.query))),
  createDatabase: (call) => call.write((scope) => createDatabase(scope, call.body)),
  retrieveDatabase: (call) => call.read((scope) => retrieveDatabase(scope, call.path.database_id)),
  updateDatabase: (call) => call.write((scope) => updateDatabase(scope, call.path.database_id, call.body)),
  queryDatabase: (call) => call.read((scope) => queryDatabase(scope, call.path.database_id, call.body ?? {}, queryOptions(call))),
} satisfies Partial<Handlers>
