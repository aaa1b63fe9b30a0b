import { appendOne } from '../../harness/content.ts'
import { upload } from '../../harness/files.ts'
import type { RequestContext, BorderRow } from './border_rows.ts'

const recording = ({ world, caller }: RequestContext): Promise<string> =>
  upload(world.own[caller].caller, 'Ines: Fine.', 'talk.txt')

export const meetingNotesRows: readonly BorderRow[] = [
  {
    operation: 'createMeetingNotes',
    location: 'FileUploadSource.file_upload_id',
    kind: 'upload',
    request: (file_upload_id, { world }) => ({
      body: { source: { type: 'file_upload', file_upload_id }, parent: { type: 'page_id', page_id: world.shown.page } },
    }),
    fresh: recording,
  },
  {
    operation: 'createMeetingNotes',
    location: 'BlockSource.block_id',
    kind: 'block',
    request: (block_id) => ({ body: { source: { type: 'block', block_id } } }),
    fresh: async ({ world }) => {
      const id = await upload(world.owner, 'Ines: Fine.', 'talk.txt')
      return appendOne(world.owner, world.shown.page, { file: { file_upload: { id } } })
    },
  },
  {
    operation: 'createMeetingNotes',
    location: 'MeetingNotesParent.page_id',
    kind: 'page',
    request: async (page_id, context) => ({
      body: {
        source: { type: 'file_upload', file_upload_id: await recording(context) },
        parent: { type: 'page_id', page_id },
      },
    }),
  },
  {
    operation: 'queryMeetingNotes',
    location: 'PersonFilterValue.value.id',
    kind: 'user',
    // Unknown people have no notes.
    isSilent: true,
    request: (id) => {
      const value = { type: 'exact', value: { table: 'workspace_user', id } }
      const filter = { operator: 'person_contains', value }
      return { body: { filter: { operator: 'and', filters: [{ property: 'attendees', filter }] } } }
    },
  },
]
