import { titlesSchema } from '../dialects/titles_schema.ts'
import { authorizations } from '../schema/authorizations.ts'
import { blocks } from '../schema/blocks.ts'
import { comments } from '../schema/comments.ts'
import { databases } from '../schema/databases.ts'
import { fileUploads } from '../schema/file_uploads.ts'
import { people } from '../schema/people.ts'
import { requests } from '../schema/requests.ts'
import { views } from '../schema/views.ts'
import type { Migration } from './migration.ts'

/**
 * Every table of the service. Every key leads with the workspace, so that a distributed engine can place a workspace on one node.
 *
 * Release 0.1.0 came to the same schema in nineteen steps, hence the number: a database that it has left needs nothing.
 */
export const openingSchema: Migration = {
  number: 19,
  name: 'opening schema',
  statements: (types, engine) => [
    ...[people, authorizations, blocks, comments, databases, views, fileUploads, requests].flatMap((subject) => subject(types)),
    ...titlesSchema[engine],
  ],
}
