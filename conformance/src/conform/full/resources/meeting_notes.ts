import { operations } from '../../../../../generated/operations.ts'
import type { Resource } from '../full_run_context.ts'
import { sendExamples } from '../send_examples.ts'

/** Meeting notes of recordings. Transcribing them is optional for servers. */
export const meetingNotesResource: Resource = {
  async exercise(context) {
    await sendExamples(context, operations.createMeetingNotes, { uncertain: new Set(['from_upload', 'from_block']) })
  },
}
