import { titlesSchema } from '../dialects/titles_schema.ts'
import { authorizationTables } from '../schema/authorizations.ts'
import { blockTables } from '../schema/blocks.ts'
import { commentTables } from '../schema/comments.ts'
import { databaseTables } from '../schema/databases.ts'
import { fileUploadTables } from '../schema/file_uploads.ts'
import { peopleTables } from '../schema/people.ts'
import { requestTables } from '../schema/requests.ts'
import { viewTables } from '../schema/views.ts'
import type { Migration } from './migration.ts'

/**
 * The tables of the first release. Every key begins with the workspace, so that a distributed engine can place a workspace on one node.
 * The number is 18 because release 0.1.0 arrived at the same schema in eighteen migrations. Its databases do not need this one.
 */
export const openingSchema: Migration = {
  number: 18,
  name: 'opening schema',
  statements: (types, engine) => [
    ...[
      peopleTables,
      authorizationTables,
      blockTables,
      commentTables,
      databaseTables,
      viewTables,
      fileUploadTables,
      requestTables,
    ].flatMap((subject) => subject(types)),
    ...titlesSchema[engine],
  ],
}
