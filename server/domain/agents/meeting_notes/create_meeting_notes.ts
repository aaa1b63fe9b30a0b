import type { CreateMeetingNotesRequest, MeetingNotesBlock, MeetingNotesSource } from '../../../../generated/types.ts'
import { canonicalId } from '../../../kernel/ids.ts'
import { findBlock, touch, type Block } from '../../../store/blocks.ts'
import { findUpload } from '../../../store/file_uploads.ts'
import { setRecording } from '../../../store/meeting_notes.ts'
import {
  editedIds,
  requireOpen,
  requireVisible,
  placeBelow,
  insertDrafts,
  presentBlock,
  filesIn,
  requirePage,
  type Place,
  type NoteContent,
} from '../../content/index.ts'
import { recordEvent, contentChange } from '../../events/index.ts'
import { invalid, type WriteScope } from '../../shared/index.ts'
import { attachUploads } from '../../files/index.ts'
import { enqueueNote } from './process_note.ts'

const UPLOAD_PATH = 'body.source.file_upload_id'
const BLOCK_PATH = 'body.source.block_id'
const PARENT_PATH = 'body.parent.page_id'

/**
 * Creates a note for a recording. Its content is created in the background: see `process_note.ts`.
 * @throws ServiceError `object_not_found`, `validation_error`, or `restricted_resource` for a member with read permission only
 */
export async function createMeetingNotes(
  scope: WriteScope,
  { source, parent, title, language = 'auto', options }: CreateMeetingNotesRequest,
): Promise<MeetingNotesBlock> {
  const { db, actor, now } = scope
  const { uploadId, place, edited, name } = await (source.type === 'block'
    ? besideBlock(scope, source)
    : onPage(scope, source, parent?.page_id ?? ''))
  const upload = await findUpload(db, actor.workspaceId, uploadId)
  const content: NoteContent = {
    title: [{ type: 'text', text: { content: title ?? nameWithoutEnding(name ?? upload?.filename ?? '') } }],
    status: 'transcription_not_started',
  }
  const [note] = await insertDrafts(
    scope,
    [{ type: 'meeting_notes', content: { ...content }, children: [], path: 'body' }],
    place,
  )
  if (!note) throw new Error('a note was not stored')
  await recordEvent(scope, contentChange(place, [note]))
  await setRecording(db, actor.workspaceId, note.id, uploadId, language, options?.kickoff_summary ?? true)
  await touch(db, actor.workspaceId, edited, actor.userId, now)
  await enqueueNote(db, { workspaceId: actor.workspaceId, id: note.id }, now)
  // Callers that may create notes have the read-content capability, so the block is complete.
  return (await presentBlock(scope, note)) as MeetingNotesBlock
}

interface Plan {
  readonly uploadId: string
  readonly place: Place
  /** The ids of the records that count as edited when the note is added. */
  readonly edited: readonly string[]
  /** The file's name in the block that shows the recording, if it has one there. */
  readonly name: string | undefined
}

type SourceOf<Type> = Extract<MeetingNotesSource, { type: Type }>

/** Plans a note at the end of a page. */
async function onPage(scope: WriteScope, source: SourceOf<'file_upload'>, pageId: string): Promise<Plan> {
  const page = await requirePage(scope, pageId, PARENT_PATH)
  const uploadId = canonicalId(source.file_upload_id)
  await attachUploads(scope, [{ id: uploadId, path: UPLOAD_PATH, use: 'recording' }])
  await requireOpen(scope, page, 'page', PARENT_PATH)
  return { uploadId, place: await placeBelow(scope, page, undefined), edited: [page.id], name: undefined }
}

const SOURCE_TYPES: ReadonlySet<string> = new Set(['audio', 'video', 'file'])

/** Plans a note directly after the block that shows the recording. */
async function besideBlock(scope: WriteScope, source: SourceOf<'block'>): Promise<Plan> {
  const block = await requireVisible(scope, source.block_id)
  const uploadId = fileOf(block)
  const parent = await findBlock(scope.db, scope.actor.workspaceId, block.parentId)
  if (!parent) throw new Error(`block ${block.id} has no parent`)
  await attachUploads(scope, [{ id: uploadId, path: BLOCK_PATH, use: 'recording', isPresent: true }])
  await requireOpen(scope, block, 'block', BLOCK_PATH)
  const place = await placeBelow(scope, parent, { type: 'after_block', after_block: { id: block.id } })
  const name = block.content['name']
  return { uploadId, place, edited: editedIds(parent), name: typeof name === 'string' ? name : undefined }
}

/** The id of the upload that a block shows. @throws ServiceError `validation_error` if the block shows no uploaded recording */
function fileOf({ type, content }: Block): string {
  if (!SOURCE_TYPES.has(type)) throw invalid(BLOCK_PATH, `should be the id of an audio, video or file block: it is a ${type}`)
  const [id] = filesIn([content])
  if (id === undefined)
    throw invalid(BLOCK_PATH, 'should be the id of a block whose file this service stores: its file is external')
  return id
}

/** For example, `launch-speech` for `launch-speech.mp3`. */
function nameWithoutEnding(filename: string): string {
  return filename.replace(/(?<=.)\.[A-Za-z0-9]{1,10}$/, '')
}
