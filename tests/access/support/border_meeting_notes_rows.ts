import { appendOne } from '../../harness/content.ts'
import { upload } from '../../harness/files.ts'
import type { Asking, BorderRow } from './border_rows.ts'

const recording = ({ world, who }: Asking): Promise<string> => upload(world.own[who].caller, 'Ines: Fine.', 'talk.txt')

export const meetingNotesRows: readonly BorderRow[] = [
  {
    operation: 'createMeetingNotes',
    place: 'FileUploadSource.file_upload_id',
    kind: 'upload',
    ask: (file_upload_id, { world }) => ({
      body: { source: { type: 'file_upload', file_upload_id }, parent: { type: 'page_id', page_id: world.shown.page } },
    }),
    fresh: recording,
  },
  {
    operation: 'createMeetingNotes',
    place: 'BlockSource.block_id',
    kind: 'block',
    ask: (block_id) => ({ body: { source: { type: 'block', block_id } } }),
    fresh: async ({ world }) => {
      const id = await upload(world.owner, 'Ines: Fine.', 'talk.txt')
      return appendOne(world.owner, world.shown.page, { file: { file_upload: { id } } })
    },
  },
  {
    operation: 'createMeetingNotes',
    place: 'MeetingNotesParent.page_id',
    kind: 'page',
    ask: async (page_id, asking) => ({
      body: {
        source: { type: 'file_upload', file_upload_id: await recording(asking) },
        parent: { type: 'page_id', page_id },
      },
    }),
  },
  {
    operation: 'queryMeetingNotes',
    place: 'PersonFilterValue.value.id',
    kind: 'user',
    // Unknown people have no notes.
    isSilent: true,
    ask: (id) => {
      const value = { type: 'exact', value: { table: 'workspace_user', id } }
      const filter = { operator: 'person_contains', value }
      return { body: { filter: { operator: 'and', filters: [{ property: 'attendees', filter }] } } }
    },
  },
]
