import { createMeetingNotes } from '../domain/agents/meeting_notes/create_meeting_notes.ts'
import { queryMeetingNotes } from '../domain/agents/meeting_notes/query/query_meeting_notes.ts'
import { read, write, type Handlers } from './handler.ts'

export const meetingNotesHandlers = {
  createMeetingNotes: write((scope, call) => createMeetingNotes(scope, call.body)),
  queryMeetingNotes: read((scope, call) => queryMeetingNotes(scope, call.body ?? {})),
} satisfies Partial<Handlers>
