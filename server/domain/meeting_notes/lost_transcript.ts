import { findBlock, type Block } from '../../store/blocks.ts'
import type { Change } from '../events/change.ts'
import { hasListeners, type RecordScope } from '../events/record.ts'
import { noteContent } from './content.ts'

/** What there is to tell of meeting notes when a block has gone to the trash: that it was their transcript, or the last of it. */
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

function lossOf({ id, type, pageId, content }: Block, transcriptId: string): readonly Change[] {
  if (type !== 'meeting_notes' || pageId === null || noteContent(content).children?.transcript_block_id !== transcriptId)
    return []
  return [{ type: 'page.transcription_block.transcript_deleted', id: pageId, blockId: id, transcriptId }]
}
