import { randomUUID } from 'node:crypto'
import { generateNKeysBetween } from 'fractional-indexing'
import { exampleWorkspace } from '../../../../server/bootstrap/example_workspace.ts'
import { insertBlocks } from '../../../../server/store/blocks.ts'
import { lastRank } from '../../../../server/store/sibling_ranks.ts'
import { sql } from '../../../../server/store/sql.ts'
import type { TestServer } from '../../../harness/server.ts'

/** A note whose times and calendar event no request could set. Times are instants, `2026-05-01T09:00Z`. */
export interface StoredNote {
  readonly title?: string
  readonly created?: string
  readonly createdBy?: string
  readonly edited?: string
  readonly editedBy?: string
  readonly attendees?: readonly string[]
}

/** Stores finished notes on a page. @returns their ids */
export async function storeNotes(server: TestServer, page: string, notes: readonly StoredNote[]): Promise<string[]> {
  const ids = notes.map(() => randomUUID())
  const timeOf = (text: string | undefined): number => (text === undefined ? server.clock.now() : Date.parse(text))
  await server.service.database.write(async (db) => {
    const ranks = generateNKeysBetween(await lastRank(db, exampleWorkspace.workspace.id, page), null, notes.length)
    const rows = notes.map(({ title = '', created, createdBy = exampleWorkspace.bot.id, attendees }, index) => ({
      id: ids[index] ?? '',
      type: 'meeting_notes',
      parentType: 'page_id' as const,
      parentId: page,
      pageId: page,
      rank: ranks[index] ?? '',
      content: {
        title: title === '' ? [] : [{ type: 'text', text: { content: title } }],
        status: 'notes_ready',
        ...(attendees && {
          calendar_event: { start_time: '2026-05-04T08:30:00.000Z', end_time: '2026-05-04T09:00:00.000Z', attendees },
        }),
      },
      createdTime: timeOf(created),
      createdBy,
    }))
    await insertBlocks(db, exampleWorkspace.workspace.id, rows)
    const edits = notes.flatMap(({ edited, editedBy = exampleWorkspace.bot.id }, index) =>
      edited === undefined
        ? []
        : [
            {
              home_id: exampleWorkspace.workspace.id,
              edited_id: ids[index] ?? '',
              edit_time: timeOf(edited),
              editor_id: editedBy,
            },
          ],
    )
    if (edits.length === 0) return
    // The workspace comes from a column: with a constant, SQLite would plan to read all blocks of the workspace for each edit.
    const columns = { home_id: 'id', edited_id: 'id', edit_time: 'integer', editor_id: 'id' } as const
    const isEdited = sql`blocks.workspace_id = edits.home_id and blocks.id = edits.edited_id`
    await db.run(
      sql`update blocks set last_edited_time = edit_time, last_edited_by = editor_id
        from ${db.records('edits', columns, edits)} where ${isEdited}`,
    )
  }, exampleWorkspace.workspace.id)
  return ids
}
