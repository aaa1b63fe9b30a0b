import type { BorderRow } from './border_rows.ts'

const message = { message: 'Ahoy' }

/** Sessions of agents that the caller cannot reach, and what messages name. */
export const sessionRows: readonly BorderRow[] = [
  ...(['retrieveSession', 'querySessionEvents'] as const).map((operation): BorderRow => {
    return { operation, place: 'path.session_id', kind: 'session', ask: (session_id) => ({ path: { session_id } }) }
  }),
  {
    operation: 'cancelSession',
    place: 'path.session_id',
    kind: 'session',
    // What is seen has nothing left to cancel.
    isSilent: true,
    ask: (session_id) => ({ path: { session_id } }),
  },
  {
    operation: 'createSession',
    place: 'SessionMessageRequest.session_id',
    kind: 'session',
    // What is seen may still be at work on the message before.
    isSilent: true,
    ask: (session_id) => ({ body: { ...message, session_id } }),
  },
  {
    operation: 'createSession',
    place: 'SessionActionsRequest.session_id',
    kind: 'session',
    // What is seen asks for no decision.
    isSilent: true,
    ask: (session_id) => ({ body: { session_id, actions: [{ action_id: 'none', option_id: 'approve' }] } }),
  },
  {
    operation: 'createSession',
    place: 'SessionMessageRequest.agent_id',
    kind: 'agent',
    ask: (agent_id) => ({ body: { ...message, agent_id } }),
  },
  {
    operation: 'createSession',
    place: 'SessionAttachmentRequest.file_upload.id',
    kind: 'upload',
    ask: (id, { world }) => ({ body: { ...message, agent_id: world.agents.shown, attachments: [{ file_upload: { id } }] } }),
  },
]
