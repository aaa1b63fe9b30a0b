import { exampleWorkspace } from '../../../../server/bootstrap/example_workspace.ts'
import type { Actor } from '../../../../server/domain/shared/actor.ts'
import { queryMeetingNotes } from '../../../../server/domain/agents/meeting_notes/query/query_meeting_notes.ts'
import type { Scope } from '../../../../server/domain/shared/scope.ts'
import type { RowOf, RowShape } from '../../../../server/store/row_shape.ts'
import type { Sql } from '../../../../server/store/sql.ts'
import { observed } from '../../../harness/observed.ts'
import type { TestServer } from '../../../harness/server.ts'

/** The number of rows that all statements of a query read, and its results. */
export async function rowsRead(
  server: TestServer,
  actor: Partial<Actor>,
  body: object,
): Promise<[rows: number, found: string[]]> {
  let rows = 0
  const results = await server.service.database.read(async (db) => {
    const counting = observed(db, {
      async all<S extends RowShape>(shape: S, statement: Sql): Promise<RowOf<S>[]> {
        const found = await db.all(shape, statement)
        rows += found.length
        return found
      },
    })
    const viewer = { workspaceId: exampleWorkspace.workspace.id, seesWholeWorkspace: false, ...actor }
    const scope = {
      db: counting,
      actor: { ...viewer, capabilities: new Set(['read_content']) },
      now: server.clock.now(),
      baseUrl: server.url,
    }
    return (await queryMeetingNotes(scope as unknown as Scope, body)).results
  })
  return [rows, results.map(({ id }) => id)]
}
