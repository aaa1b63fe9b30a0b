import { createMeetingNotes, queryMeetingNotes } from '../domain/agents/index.ts'
import { read, write, type Handlers } from './handler.ts'

export const meetingNotesHandlers = {
  createMeetingNotes: write((scope, call) => createMeetingNotes(scope, call.body)),
  queryMeetingNotes: read((scope, call) => queryMeetingNotes(scope, call.body ?? {})),
} satisfies Partial<Handlers>
