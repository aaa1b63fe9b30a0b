import type { Connection, Transaction } from './database.ts'
import { findRowsById } from './rows_by_id.ts'
import { columnNames, rowOf, type RowOf } from './row_shape.ts'
import { joinSql, valueList, raw, sql, type Sql } from './sql.ts'

/** What notes are found by. */
export interface NewMeetingNote {
  readonly id: string
  readonly createdTime: number
  /** Who created it and who was invited; each once. */
  readonly people: readonly string[]
}

export async function insertMeetingNotes(db: Transaction, workspaceId: string, notes: readonly NewMeetingNote[]): Promise<void> {
  if (notes.length === 0) return
  await db.insert({
    table: 'meeting_notes',
    columns: ['workspace_id', 'id', 'created_time'],
    rows: notes.map(({ id, createdTime }) => [workspaceId, id, createdTime]),
  })
  await db.insert({
    table: 'meeting_note_people',
    columns: ['workspace_id', 'note_id', 'user_id', 'created_time'],
    rows: notes.flatMap(({ id, createdTime, people }) => people.map((userId) => [workspaceId, id, userId, createdTime])),
  })
}

/** Drops what is known of notes besides their blocks, and transcripts that they do not show yet. @param ids of blocks of any type */
export async function dropMeetingNotes(db: Transaction, workspaceId: string, ids: readonly string[]): Promise<void> {
  const wanted = db.wanted(ids)
  await db.run(
    sql`insert into erased_blocks (workspace_id, id) select workspace_id, transcript_id from meeting_notes
     where workspace_id = ${workspaceId} and id in (select wanted.id from ${wanted}) and transcript_id is not null
     on conflict do nothing`,
  )
  await db.run(sql`delete from meeting_notes where workspace_id = ${workspaceId} and id in (select wanted.id from ${wanted})`)
  await db.run(
    sql`delete from meeting_note_people where workspace_id = ${workspaceId} and note_id in (select wanted.id from ${wanted})`,
  )
}

const recordingRow = rowOf({
  upload_id: 'text?',
  language: 'text?',
  /** Whether a summary is wanted. */
  is_summarised: 'integer?',
  transcript_id: 'text?',
})
export type RecordingRow = RowOf<typeof recordingRow>

/** What a note is made from; a copy of a note is made from nothing. */
export function findRecording(db: Connection, workspaceId: string, id: string): Promise<RecordingRow | undefined> {
  return db.get(
    recordingRow,
    sql`select upload_id, language, is_summarised, transcript_id from meeting_notes where workspace_id = ${workspaceId}
      and id = ${id}`,
  )
}

export async function setRecording(
  db: Transaction,
  workspaceId: string,
  id: string,
  uploadId: string,
  language: string,
  isSummarised: boolean,
): Promise<void> {
  await db.run(
    sql`update meeting_notes set upload_id = ${uploadId}, language = ${language}, is_summarised = ${isSummarised ? 1 : 0}
      where workspace_id = ${workspaceId} and id = ${id}`,
  )
}

/** @param transcriptId of the transcript that is being stored; null once the note shows it */
export async function setUnfinishedTranscript(
  db: Transaction,
  workspaceId: string,
  id: string,
  transcriptId: string | null,
): Promise<void> {
  await db.run(sql`update meeting_notes set transcript_id = ${transcriptId} where workspace_id = ${workspaceId} and id = ${id}`)
}

/** Notes on a page, however deep inside its blocks, in the order of their ids. @param afterId undefined to begin with */
export async function listNotesOnPage(
  db: Connection,
  workspaceId: string,
  pageId: string,
  afterId: string | undefined,
  limit: number,
): Promise<string[]> {
  const rows = await db.all(
    { id: 'text' },
    sql`select id from blocks where workspace_id = ${workspaceId} and page_id = ${pageId} and type = 'meeting_notes'
      ${afterId === undefined ? sql`` : sql`and id > ${afterId}`} order by id limit ${limit}`,
  )
  return rows.map(({ id }) => id)
}

/** Where a scan of notes goes on. */
export interface NotePosition {
  readonly createdTime: number
  readonly id: string
}

/** Notes in the order of their creation. */
export interface NoteScan {
  readonly workspaceId: string
  /** Only notes that one of these created or was invited to; undefined for all. */
  readonly people: readonly string[] | undefined
  readonly direction: 'ascending' | 'descending'
  /** Times of creation, both included. */
  readonly from: number
  readonly to: number
}

const noteRow = rowOf({
  id: 'text',
  content: 'text',
  in_trash: 'integer',
  created_time: 'integer',
  created_by: 'text',
  last_edited_time: 'integer',
  last_edited_by: 'text',
})

/** A note as it is filtered and sorted. */
export interface NoteRow {
  readonly id: string
  readonly content: Readonly<Record<string, unknown>>
  readonly inTrash: boolean
  readonly createdTime: number
  readonly createdBy: string
  readonly lastEditedTime: number
  readonly lastEditedBy: string
}

/** The next notes of a scan, those in the trash included; fewer than `limit` when nothing is left. */
export async function listNotes(
  db: Connection,
  scan: NoteScan,
  after: NotePosition | undefined,
  limit: number,
): Promise<NoteRow[]> {
  const direction = raw(scan.direction === 'ascending' ? '' : 'desc')
  const order = sql`created_time ${direction}, id ${direction}`
  const sources = scan.people?.map((userId) =>
    source('meeting_note_people', 'note_id', scan, after, sql`and user_id = ${userId}`),
  ) ?? [source('meeting_notes', 'id', scan, after)]
  const portions = sources.map((part) => sql`select * from (${part} order by ${order} limit ${limit}) as portion`)
  const found = sql`select id, created_time from (${joinSql(portions, ' union ')}) as portions order by ${order} limit ${limit}`
  const rows = await db.all(
    noteRow,
    sql`select ${columnNames(noteRow, 'b')} from (${found}) as n
      ${db.lookUp('blocks', 'b', sql`b.workspace_id = ${scan.workspaceId} and b.id = n.id`)}
      order by n.created_time ${direction}, n.id ${direction}`,
  )
  return rows.map(noteOf)
}

/** The notes of a scan that stand on some pages, outside the trash, in no order; undefined when there are more than `limit`. */
export async function listNotesOnPages(
  db: Connection,
  { workspaceId, people, direction, from, to }: NoteScan,
  after: NotePosition,
  pageIds: readonly string[],
  limit: number,
): Promise<NotePosition[] | undefined> {
  const beyond = raw(direction === 'ascending' ? '>' : '<')
  const concerns = people
    ? sql`and exists (select 1 from meeting_note_people p
        where p.workspace_id = ${workspaceId} and p.note_id = b.id and p.user_id in (${valueList(people)}))`
    : sql``
  const notes = sql`b.workspace_id = ${workspaceId} and b.page_id = wanted.id and b.type = 'meeting_notes'`
  const rows = await db.all(
    { id: 'text', created_time: 'integer' },
    sql`select b.id, b.created_time from ${db.wanted(pageIds)} ${db.lookUpEach('blocks', 'b', notes)}
      where b.in_trash = 0 and b.created_time >= ${from} and b.created_time <= ${to}
        and (b.created_time, b.id) ${beyond} (${after.createdTime}, ${after.id}) ${concerns} limit ${limit + 1}`,
  )
  return rows.length > limit ? undefined : rows.map(({ id, created_time: createdTime }) => ({ id, createdTime }))
}

/** Notes by their ids, in no order. */
export async function findNotes(db: Connection, workspaceId: string, ids: readonly string[]): Promise<NoteRow[]> {
  return (await findRowsById(db, noteRow, 'blocks', workspaceId, ids)).map(noteOf)
}

function noteOf(row: RowOf<typeof noteRow>): NoteRow {
  return {
    id: row.id,
    content: JSON.parse(row.content) as NoteRow['content'],
    inTrash: Boolean(row.in_trash),
    createdTime: row.created_time,
    createdBy: row.created_by,
    lastEditedTime: row.last_edited_time,
    lastEditedBy: row.last_edited_by,
  }
}

function source(
  table: string,
  id: string,
  { workspaceId, direction, from, to }: NoteScan,
  after: NotePosition | undefined,
  condition = sql``,
): Sql {
  const [column, beyond] = [raw(id), raw(direction === 'ascending' ? '>' : '<')]
  const behind = after ? sql`and (created_time, ${column}) ${beyond} (${after.createdTime}, ${after.id})` : sql``
  return sql`select ${column} as id, created_time from ${raw(table)} where workspace_id = ${workspaceId} ${condition}
    and created_time >= ${from} and created_time <= ${to} ${behind}`
}
