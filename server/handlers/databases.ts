import { createDatabase } from '../domain/databases/create.ts'
import { retrieveDatabase } from '../domain/databases/databases.ts'
import type { Handlers } from '../contract/call.ts'

export const databases = {
  createDatabase: (call) => call.write((scope) => createDatabase(scope, call.body)),
  retrieveDatabase: (call) => call.read((scope) => retrieveDatabase(scope, call.path.database_id)),
} satisfies Partial<Handlers>
