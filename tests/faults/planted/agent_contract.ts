import { faultsInContract, type Fault } from '../fault.ts'

const rights = ['access/agent_capabilities.test.ts']
const input = ['operations/sessions/createSession.bad_input.test.ts', 'operations/sessions/createSession.course.test.ts']

/** The contract's facts about agents, sessions and meeting notes that no server code states: rights and lengths. */
export const agentContract: readonly Fault[] = [
  ...faultsInContract('resources/agents/paths/agents.yaml', rights, [
    ['any token lists agents', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/agents/paths/agents_query.yaml', rights, [
    ['agents are found by who may change content', '{ all: [read_content] }', '{ all: [update_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent.yaml', rights, [
    ['any of two capabilities shows an agent', '{ all: [read_content] }', '{ any: [read_content, read_comments] }'],
    ['agents are deleted by who may only insert', '{ all: [update_content] }', '{ all: [insert_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_insights.yaml', rights, [
    ['insights ask for more than reading', '{ all: [read_content] }', '{ all: [read_content, update_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_status.yaml', rights, [
    ['agents are switched off by who may only read', '{ all: [update_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_credit_limit.yaml', rights, [
    ['any token gives credits', '{ all: [update_content] }', 'none'],
  ]),
  ...faultsInContract('resources/agents/paths/agents_batch.yaml', rights, [
    ['a batch does what its parts may not', '{ all: [update_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/sessions.yaml', rights, [
    ['who may only read talks to agents', '{ all: [insert_content] }', '{ all: [read_content] }'],
    ['who may only insert cannot talk to agents', '{ all: [insert_content] }', '{ all: [insert_content, read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/session.yaml', rights, [
    ['sessions are shown to who may insert', '{ all: [read_content] }', '{ any: [read_content, insert_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/session_cancel.yaml', rights, [
    ['who may only read cancels turns', '{ all: [insert_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/sessions_query.yaml', rights, [
    ['any token finds sessions', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/sessions/paths/session_events_query.yaml', rights, [
    ['what was said is read by who may insert', '{ all: [read_content] }', '{ all: [insert_content] }'],
  ]),
  ...faultsInContract('resources/meeting_notes/paths/meeting_notes.yaml', rights, [
    ['meeting notes are made by who may not read them', '{ all: [insert_content, read_content] }', '{ all: [insert_content] }'],
  ]),
  ...faultsInContract('resources/meeting_notes/paths/meeting_notes_query.yaml', rights, [
    ['any token finds meeting notes', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/sessions/schemas/SessionMetadataRequest.yaml', input, [
    ['a message carries 17 notes', 'maxProperties: 16', 'maxProperties: 17'],
    ['16 notes are too many', 'maxProperties: 16', 'maxProperties: 15'],
    ['names of notes have no end', '  maxLength: 64\n', ''],
    ['a name of 64 characters is too long', 'maxLength: 64', 'maxLength: 63'],
    ['a note of 513 characters is taken', 'maxLength: 512', 'maxLength: 513'],
    ['a note of 512 characters is too long', 'maxLength: 512', 'maxLength: 511'],
    ['notes are of any type', '  type: string\n', ''],
  ]),
  ...faultsInContract('resources/sessions/schemas/SessionActionsRequest.yaml', input, [
    ['decisions carry notes of any kind', 'SessionMetadataRequest.yaml', 'SessionMetadata.yaml'],
  ]),
]
