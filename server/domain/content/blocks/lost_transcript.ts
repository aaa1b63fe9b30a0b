import { findBlock, findBlocks, type Block } from '../../../store/blocks.ts'
import { listNotesOnPage } from '../../../store/meeting_notes.ts'
import { trashedAmong } from '../../../store/trash.ts'
import { hasListeners, recordEvent, type Change, type RecordScope } from '../../events/index.ts'
import { noteContent } from './note_content.ts'

const NOTES_AT_ONCE = 500

/** The change of a meeting note to record when a block has been moved to the trash that is its transcript, or the last part of it. */
export async function lostTranscript(scope: RecordScope, block: Block): Promise<readonly Change[]> {
  if (block.parentType !== 'block_id' || !(await hasListeners(scope))) return []
  const { workspaceId } = scope.actor
  const parent = await findBlock(scope.db, workspaceId, block.parentId)
  if (parent === undefined) return []
  const own = lossOf(parent, block.id)
  if (own.length > 0) return own
  if (parent.type !== 'toggle' || parent.hasChildren) return []
  const note = await findBlock(scope.db, workspaceId, parent.parentId)
  return note === undefined ? [] : lossOf(note, parent.id)
}

/**
 * Records the deletion of transcripts that are erased with the content of a page. Those deleted before have already been
 * recorded.
 */
export async function recordTranscriptsErased(scope: RecordScope, pageId: string): Promise<void> {
  if (!(await hasListeners(scope))) return
  const { workspaceId } = scope.actor
  for (let [after, isOver]: [string | undefined, boolean] = [undefined, false]; !isOver;) {
    const ids = await listNotesOnPage(scope.db, workspaceId, pageId, after, NOTES_AT_ONCE)
    const notes = await findBlocks(scope.db, workspaceId, ids)
    await recordEvent(scope, await erasedTranscripts(scope, [...notes.values()]))
    after = ids.at(-1)
    isOver = ids.length < NOTES_AT_ONCE
  }
}

async function erasedTranscripts(scope: RecordScope, notes: readonly Block[]): Promise<Change[]> {
  const { workspaceId } = scope.actor
  const ids = notes.flatMap((note) => transcriptOf(note) ?? [])
  const transcripts = await findBlocks(scope.db, workspaceId, ids)
  const trashed = await trashedAmong(scope.db, workspaceId, ids)
  return notes.flatMap((note) => {
    const id = transcriptOf(note)
    return id === undefined || trashed.has(id) || !transcripts.get(id)?.hasChildren ? [] : lossOf(note, id)
  })
}

function transcriptOf({ content }: Block): string | undefined {
  return noteContent(content).children?.transcript_block_id
}

function lossOf(note: Block, transcriptId: string): readonly Change[] {
  const { id, type, pageId } = note
  if (type !== 'meeting_notes' || pageId === null || transcriptOf(note) !== transcriptId) return []
  return [{ type: 'page.transcription_block.transcript_deleted', id: pageId, blockId: id, transcriptId }]
}
