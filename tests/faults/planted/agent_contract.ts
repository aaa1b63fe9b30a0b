import { faultsInContract, type Fault } from '../fault.ts'

const rights = ['access/agent_capabilities.test.ts']
const input = ['operations/sessions/createSession.bad_input.test.ts', 'operations/sessions/createSession.course.test.ts']

/** The contract's facts about agents, sessions and meeting notes that no server code states: rights and lengths. */
export const agentContract: readonly Fault[] = [
  ...faultsInContract('resources/agents/paths/agents.yaml', rights, [
    ['listing agents requires no capability', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/agents/paths/agents_query.yaml', rights, [
    ['update_content is enough to find agents', '{ all: [read_content] }', '{ all: [update_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent.yaml', rights, [
    [
      'one of two capabilities is enough to retrieve an agent',
      '{ all: [read_content] }',
      '{ any: [read_content, read_comments] }',
    ],
    ['insert_content is enough to delete agents', '{ all: [update_content] }', '{ all: [insert_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_insights.yaml', rights, [
    ['insights require more than read_content', '{ all: [read_content] }', '{ all: [read_content, update_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_status.yaml', rights, [
    ['read_content is enough to disable agents', '{ all: [update_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/agents/paths/agent_credit_limit.yaml', rights, [
    ['changing credits requires no capability', '{ all: [update_content] }', 'none'],
  ]),
  ...faultsInContract('resources/agents/paths/agents_batch.yaml', rights, [
    ['a batch executes entries that are not permitted', '{ all: [update_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/sessions.yaml', rights, [
    ['read_content is enough to start sessions', '{ all: [insert_content] }', '{ all: [read_content] }'],
    ['insert_content is not enough to start sessions', '{ all: [insert_content] }', '{ all: [insert_content, read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/session.yaml', rights, [
    ['insert_content is enough to retrieve sessions', '{ all: [read_content] }', '{ any: [read_content, insert_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/session_cancel.yaml', rights, [
    ['read_content is enough to cancel runs', '{ all: [insert_content] }', '{ all: [read_content] }'],
  ]),
  ...faultsInContract('resources/sessions/paths/sessions_query.yaml', rights, [
    ['listing sessions requires no capability', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/sessions/paths/session_events_query.yaml', rights, [
    ['insert_content is enough to read messages', '{ all: [read_content] }', '{ all: [insert_content] }'],
  ]),
  ...faultsInContract('resources/meeting_notes/paths/meeting_notes.yaml', rights, [
    [
      'meeting notes can be created without the right to read them',
      '{ all: [insert_content, read_content] }',
      '{ all: [insert_content] }',
    ],
  ]),
  ...faultsInContract('resources/meeting_notes/paths/meeting_notes_query.yaml', rights, [
    ['finding meeting notes requires no capability', '{ all: [read_content] }', 'none'],
  ]),
  ...faultsInContract('resources/sessions/schemas/SessionMetadataRequest.yaml', input, [
    ['a message may have 17 metadata entries', 'maxProperties: 16', 'maxProperties: 17'],
    ['16 metadata entries are refused', 'maxProperties: 16', 'maxProperties: 15'],
    ['names of metadata have no length limit', '  maxLength: 64\n', ''],
    ['a metadata name of 64 characters is refused', 'maxLength: 64', 'maxLength: 63'],
    ['a metadata value of 513 characters is accepted', 'maxLength: 512', 'maxLength: 513'],
    ['a metadata value of 512 characters is refused', 'maxLength: 512', 'maxLength: 511'],
    ['metadata values of any type are accepted', '  type: string\n', ''],
  ]),
  ...faultsInContract('resources/sessions/schemas/SessionActionsRequest.yaml', input, [
    ['metadata of decisions is not checked', 'SessionMetadataRequest.yaml', 'SessionMetadata.yaml'],
  ]),
]
