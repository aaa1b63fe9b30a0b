export { listAgentShares, shareAgent, type AgentRecipient, type AgentShare } from './administration/agent_sharing.ts'
export {
  createAgent,
  deleteAgentAsAdministrator,
  plainSettings,
  requestHigherLimit,
  requireAgent,
  restoreAgent,
  updateAgent,
  type NewAgent,
} from './administration/agents.ts'
export { updateCreditTerms } from './administration/credits.ts'
export { agentStatusOf, asOf, isGone, PERSONAL_AGENT_ID, type AgentLevel } from './agent.ts'
export { AGENT_BATCH, batchWork, createAgentBatch } from './batch.ts'
export { billingPeriodOf } from './billing_period.ts'
export { endTurnsKind } from './end_turns_kind.ts'
export { listAgents, queryAgents } from './list.ts'
export { createMeetingNotes } from './meeting_notes/create_meeting_notes.ts'
export type { Conversation, Media, Summarizer, Summary, Transcriber } from './meeting_notes/media.ts'
export { NOTE_KIND, noteKind, notePayloadForm, type NoteDeps } from './meeting_notes/process_note.ts'
export { queryMeetingNotes } from './meeting_notes/query/query_meeting_notes.ts'
export { parseJsonTranscript } from './meeting_notes/transcripts/parse_json.ts'
export { decodeText } from './meeting_notes/transcripts/parse_transcript.ts'
export { TRANSCRIPT_BYTES_MAX, TranscriptionError } from './meeting_notes/transcripts/segment.ts'
export { effectiveLimit, END_TURNS_KIND, endTurnsPayloadForm } from './pauses.ts'
export { retrieveAgent, retrieveAgentInsights } from './retrieve.ts'
export type {
  ProposalOutcome,
  RunFailure,
  RunInput,
  RunMessage,
  RunOutput,
  Runtime,
  RunTool,
  SettledCall,
  ToolCall,
  ToolResult,
} from './runtime.ts'
export { workspaceTools } from './sessions/agent_tools.ts'
export { cancelSession } from './sessions/cancel.ts'
export { createSession } from './sessions/create.ts'
export { listCurrentSessions, namesOf } from './sessions/current_sessions.ts'
export { SessionFeed } from './sessions/feed.ts'
export type { ResponseForm, Followed, FollowStart } from './sessions/followed.ts'
export { Follower } from './sessions/follower.ts'
export { LIMIT_KIND, limitPayloadForm, TURN_KIND, turnPayloadForm } from './sessions/jobs.ts'
export { sessionLimitKind } from './sessions/limits.ts'
export { mayFollow, openStream } from './sessions/open_stream.ts'
export { cancelAsPerson, decideAsPerson } from './sessions/person_acts.ts'
export { querySessions } from './sessions/query.ts'
export { querySessionEvents } from './sessions/query_events.ts'
export { retrieveSession } from './sessions/retrieve.ts'
export { sessionTurnKind } from './sessions/turn_job.ts'
export type { Runtimes, TurnDeps } from './sessions/turn_deps.ts'
export { sweepAgents, sweepHours } from './sweep.ts'
export { TermCounter, termsOf } from './terms.ts'
export { argumentFault } from './tools/arguments.ts'
export { bestFirst, passagesOf, scoreOf, type Passage } from './tools/passages.ts'
export { isFindings, type Findings } from './tools/search_workspace.ts'
export { isNamedPage } from './tools/titles.ts'
export { isRefusal } from './tools/tool.ts'
export { changeKind } from './triggers/change_kind.ts'
export { FOLLOW_KIND, followPayloadForm, SCHEDULE_KIND, schedulePayloadForm } from './triggers/jobs.ts'
export { followKind, scheduleKind, sweepSchedules } from './triggers/schedule_kind.ts'
export { deleteAgent, updateAgentCreditLimit, updateAgentStatus } from './write.ts'
