/**
 * Release 2026-03-11 replaced `after` with `position` and `archived` with `in_trash`, and renamed the block type `transcription` to
 * `meeting_notes`.
 */

import type { OperationId } from '../contract/operation.ts'
import { mapKind, mapRecords } from './responses.ts'
import { renamed, type JsonObject } from './json.ts'
import type { ReleaseChange, OldRequest, Release } from './release.ts'
import { renameKey, writtenBlocks } from './requests.ts'

/** `position` replaced `after`. */
const appendPosition: ReleaseChange = {
  id: 'F1',
  upgrade({ call: { operation, body = {} }, origins }) {
    if (operation.id !== 'appendBlockChildren' || !Object.hasOwn(body, 'after')) return
    origins.refuse(body, 'position')
    const target = { id: body['after'] }
    const position = { type: 'after_block', after_block: target }
    origins.replace(body, 'after', 'position', position)
    origins.inline(position, 'type', 'after_block')
    origins.inline(target, 'id')
  },
}

const FLAG_WRITERS: readonly OperationId[] = [
  'updatePage',
  'updateBlock',
  'updateDatabase',
  'updateDataSource',
  'queryDatabase',
  'queryDataSource',
]
const FLAG_BEARERS = new Set<unknown>(['page', 'block', 'database', 'data_source', 'file_upload'])

/** `in_trash` replaced `archived`; older responses have both. */
const trashFlag: ReleaseChange = {
  id: 'F2',
  upgrade(request) {
    const { operation, body = {} } = request.call
    if (FLAG_WRITERS.includes(operation.id)) upgradeFlag(request, body)
    else for (const block of writtenBlocks(request.call)) upgradeFlag(request, block)
  },
  downgrade: (response) =>
    mapRecords(response, (record) =>
      FLAG_BEARERS.has(record['object']) && 'in_trash' in record ? { ...record, archived: record['in_trash'] } : record,
    ),
}

/** Replaces `archived`. A request may have both flags if they are equal; otherwise `in_trash` is refused. */
function upgradeFlag({ origins }: OldRequest, object: JsonObject): void {
  if (!Object.hasOwn(object, 'archived')) return
  if (Object.hasOwn(object, 'in_trash') && object['archived'] === object['in_trash']) {
    delete object['archived']
    return
  }
  origins.refuse(object, 'in_trash')
  origins.rename(object, 'archived', 'in_trash')
}

const NOTES_NAMES = ['transcription', 'meeting_notes']

/** The block type `transcription` was renamed to `meeting_notes`. */
const meetingNotes: ReleaseChange = {
  id: 'F3',
  upgrade(request) {
    const isUpdate = request.call.operation.id === 'updateBlock'
    for (const block of writtenBlocks(request.call)) {
      if (NOTES_NAMES.some((name) => Object.hasOwn(block, name))) renameKey(request, block, 'transcription', 'meeting_notes')
      // `type` is optional, and it must be recorded as missing only in updates: skipping this saves time in requests with many blocks.
      if (isUpdate || NOTES_NAMES.includes(String(block['type'])))
        request.origins.renameValue(block, 'type', 'transcription', 'meeting_notes')
    }
  },
  downgrade: (response) =>
    mapKind(response, 'block', (block) =>
      block['type'] === 'meeting_notes' ? renamed({ ...block, type: 'transcription' }, 'meeting_notes', 'transcription') : block,
    ),
}

export const release: Release = { date: '2026-03-11', changes: [appendPosition, trashFlag, meetingNotes] }
