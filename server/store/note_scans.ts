import type { Connection } from './database.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, raw, sql, type Sql } from './sql.ts'
import { readBlockContent } from './stored/read_json.ts'

const noteRow = rowOf({
  id: 'text',
  content: 'text',
  in_trash: 'integer',
  created_time: 'integer',
  created_by: 'text',
  last_edited_time: 'integer',
  last_edited_by: 'text',
})

const scannedNote = rowOf({ ...noteRow, scan_key: 'key' })

/** A note with what filters and sorts need. */
export interface NoteRow {
  readonly id: string
  readonly content: Readonly<Record<string, unknown>>
  readonly inTrash: boolean
  readonly createdTime: number
  readonly createdBy: string
  readonly lastEditedTime: number
  readonly lastEditedBy: string
}

/** In milliseconds since 1970; both ends are inclusive. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** A range of notes in an index, and the direction in which to scan it. It includes notes in the trash. */
export type NoteRange = { readonly direction: 'ascending' | 'descending' } & (
  | {
      readonly along: 'creation'
      /** Only notes that one of these people created or attended; undefined for all notes. */
      readonly people: readonly string[] | undefined
      readonly within: TimeRange
    }
  | { readonly along: 'edits'; readonly within: TimeRange }
  /** Notes with a title, without a title, or stored before titles had a collation key. */
  | { readonly along: 'titles'; readonly which: 'titled' | 'untitled' | 'unknown' }
)

export type NoteScan = NoteRange & { readonly workspaceId: string }

export interface NotePosition {
  readonly key: number | string
  readonly id: string
}

export interface NoteBatch {
  readonly rows: readonly NoteRow[]
  /** The position after which to continue; undefined at the end. */
  readonly next: NotePosition | undefined
}

/** The next notes of a scan after a position, in the order of the scan. */
export async function scanNotes(
  db: Connection,
  scan: NoteScan,
  after: NotePosition | undefined,
  limit: number,
): Promise<NoteBatch> {
  const direction = raw(scan.direction === 'ascending' ? '' : 'desc')
  const sources = joinSql(
    rangesOf(scan).map((range) => sql`select * from (${restOf(range, scan.direction, after)} limit ${limit}) as portion`),
    ' union ',
  )
  const portion = sql`select id, scan_key from (${sources}) as portions order by scan_key ${direction}, id ${direction} limit ${limit}`
  const rows = await db.all(
    scannedNote,
    sql`select ${columnNames(noteRow, 'b')}, found.scan_key from (${portion}) as found
      ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${scan.workspaceId} and b.id = found.id`)}
      order by found.scan_key ${direction}, found.id ${direction}`,
  )
  const last = rows.length < limit ? undefined : rows.at(-1)
  return { rows: rows.map(noteOf), next: last && { key: last.scan_key ?? '', id: last.id } }
}

/** The notes on pages, at any depth, outside the trash. @param afterId continues after this note; only for a single page */
export async function listNotesOnPages(
  db: Connection,
  workspaceId: string,
  pageIds: readonly string[],
  afterId: string | undefined,
  limit: number,
): Promise<NoteRow[]> {
  const columns = columnNames(noteRow, 'b')
  const [only] = pageIds
  const rows = await db.all(
    noteRow,
    pageIds.length === 1 && only !== undefined
      ? sql`select ${columns} from blocks b where b.workspace_id = ${workspaceId} and b.page_id = ${only} and b.type = 'meeting_notes'
          ${afterId === undefined ? sql`` : sql`and b.id > ${afterId}`} and b.in_trash = 0 order by b.id limit ${limit}`
      : sql`select ${columns} from ${db.wanted(pageIds)}
          ${db.lookUpEach('blocks', 'b', sql`b.workspace_id = ${workspaceId} and b.page_id = wanted.id and b.type = 'meeting_notes'`)}
          where b.in_trash = 0 limit ${limit}`,
  )
  return rows.map(noteOf)
}

/** The content of a note whose own content is damaged. */
const UNREADABLE: NoteRow['content'] = { title: [], status: 'transcription_failed' }

function noteOf(row: RowOf<typeof noteRow>): NoteRow {
  return {
    id: row.id,
    content: readBlockContent(row.id, 'meeting_notes', row.content) ?? UNREADABLE,
    inTrash: Boolean(row.in_trash),
    createdTime: row.created_time,
    createdBy: row.created_by,
    lastEditedTime: row.last_edited_time,
    lastEditedBy: row.last_edited_by,
  }
}

/** The leading expression of the index by last edit. */
export const WORKSPACE_OF_NOTE = `case when type = 'meeting_notes' then workspace_id end`

interface IndexRange {
  readonly table: string
  readonly id: string
  readonly key: string
  readonly condition: Sql
}

function rangesOf(scan: NoteScan): IndexRange[] {
  const inWorkspace = sql`workspace_id = ${scan.workspaceId}`
  switch (scan.along) {
    case 'creation': {
      const condition = sql`${inWorkspace} and created_time >= ${scan.within.from} and created_time <= ${scan.within.to}`
      if (scan.people === undefined) return [{ table: 'meeting_notes', id: 'id', key: 'created_time', condition }]
      return scan.people.map((userId) => ({
        table: 'meeting_note_people',
        id: 'note_id',
        key: 'created_time',
        condition: sql`${condition} and user_id = ${userId}`,
      }))
    }
    case 'edits': {
      const within = sql`last_edited_time >= ${scan.within.from} and last_edited_time <= ${scan.within.to}`
      const condition = sql`${raw(WORKSPACE_OF_NOTE)} = ${scan.workspaceId} and type = 'meeting_notes' and ${within}`
      return [{ table: 'blocks', id: 'id', key: 'last_edited_time', condition }]
    }
    case 'titles':
      return [titleRange(scan.which, inWorkspace)]
  }
}

function titleRange(which: 'titled' | 'untitled' | 'unknown', inWorkspace: Sql): IndexRange {
  const notes = { table: 'meeting_notes', id: 'id' }
  switch (which) {
    case 'titled':
      return { ...notes, key: 'title_key', condition: sql`${inWorkspace} and title_key > ''` }
    case 'untitled':
      return { ...notes, key: 'id', condition: sql`${inWorkspace} and title_key = ''` }
    case 'unknown':
      return { ...notes, key: 'id', condition: sql`${inWorkspace} and title_key is null` }
  }
}

/** Selects the part of a range after a position, in order. */
function restOf(
  { table, id, key, condition }: IndexRange,
  direction: NoteScan['direction'],
  after: NotePosition | undefined,
): Sql {
  const [beyond, order] = direction === 'ascending' ? [raw('>'), raw('')] : [raw('<'), raw(' desc')]
  const following = after ? sql`and (${raw(key)}, ${raw(id)}) ${beyond} (${after.key}, ${after.id})` : sql``
  return sql`select ${raw(id)} as id, ${raw(key)} as scan_key from ${raw(table)} where ${condition} ${following}
    order by ${raw(key)}${order}, ${raw(id)}${order}`
}
