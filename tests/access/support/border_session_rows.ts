import type { BorderRow } from './border_rows.ts'

const message = { message: 'Ahoy' }

/** Sessions of agents that the caller cannot reach, and objects named in messages. */
export const sessionRows: readonly BorderRow[] = [
  ...(['retrieveSession', 'querySessionEvents'] as const).map((operation): BorderRow => {
    return { operation, location: 'path.session_id', kind: 'session', request: (session_id) => ({ path: { session_id } }) }
  }),
  {
    operation: 'cancelSession',
    location: 'path.session_id',
    kind: 'session',
    // The visible session has nothing left to cancel.
    isSilent: true,
    request: (session_id) => ({ path: { session_id } }),
  },
  {
    operation: 'createSession',
    location: 'SessionMessageRequest.session_id',
    kind: 'session',
    // The visible session may still be working on the previous message.
    isSilent: true,
    request: (session_id) => ({ body: { ...message, session_id } }),
  },
  {
    operation: 'createSession',
    location: 'SessionActionsRequest.session_id',
    kind: 'session',
    // The visible session waits for no decision.
    isSilent: true,
    request: (session_id) => ({ body: { session_id, actions: [{ action_id: 'none', option_id: 'approve' }] } }),
  },
  {
    operation: 'createSession',
    location: 'SessionMessageRequest.agent_id',
    kind: 'agent',
    request: (agent_id) => ({ body: { ...message, agent_id } }),
  },
  {
    operation: 'createSession',
    location: 'SessionAttachmentRequest.file_upload.id',
    kind: 'upload',
    request: (id, { world }) => ({ body: { ...message, agent_id: world.agents.shown, attachments: [{ file_upload: { id } }] } }),
  },
]
