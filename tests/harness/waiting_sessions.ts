import { randomUUID } from 'node:crypto'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import type { Database } from '../../server/store/database.ts'
import { findSession } from '../../server/store/sessions.ts'

/** Adds copies of a session, without its events. @returns their ids */
export async function copySession(database: Database, id: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await database.write(async (db) => {
    const session = await findSession(db, exampleWorkspace.workspace.id, id)
    if (!session) throw new Error(`no session ${id}`)
    await db.insert({
      table: 'sessions',
      columns: ['workspace_id', 'title_key', ...Object.keys(session)],
      rows: ids.map((copy) => [
        exampleWorkspace.workspace.id,
        session.title.toLowerCase(),
        ...Object.values({ ...session, id: copy }),
      ]),
    })
  })
  return ids
}

/** How often each session was terminated, by its events: `1` for all if each ended once. */
export async function terminations(database: Database): Promise<Map<number, number>> {
  const rows = await database.read((db) =>
    db.all(
      { times: 'integer' },
      `select count(e.sequence) as times from sessions s left join session_events e
        on e.workspace_id = s.workspace_id and e.session_id = s.id and e.status = 'terminated'
        where s.status = 'terminated' group by s.id`,
    ),
  )
  return new Map([...Map.groupBy(rows, ({ times }) => times)].map(([times, all]) => [times, all.length]))
}
