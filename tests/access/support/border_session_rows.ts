import { beginTalk } from './border_talk.ts'
import type { Asking, BorderRow } from './border_rows.ts'
import type { OperationId } from '../../../server/contract/operation.ts'
import { at, idOf } from '../../harness/json.ts'
import { talk } from '../../harness/sessions.ts'

const begun = async ({ world, who }: Asking): Promise<string> =>
  (await beginTalk(world.own[who].caller, world.agents.shown)).session
const ended = async ({ world, who }: Asking): Promise<string> =>
  idOf(await talk(world.own[who].caller, { agent_id: world.agents.shown, message: 'Which bolts?' }))

/** The action that a session waits for, where the caller sees it; else one of the hidden session. */
async function actionOf(session_id: string, { world, who }: Asking): Promise<string> {
  const { body } = await world.own[who].caller.call('retrieveSession', { path: { session_id } })
  return String(at(body, 'required_actions', 0, 'action_id') ?? world.others.talk.action)
}

const pathRows = (
  [['retrieveSession'], ['querySessionEvents'], ['cancelSession', begun]] as readonly (readonly [
    OperationId,
    BorderRow['fresh']?,
  ])[]
).map(([operation, fresh]): BorderRow => ({
  operation,
  place: 'path.session_id',
  kind: 'session',
  ask: (session_id) => ({ path: { session_id } }),
  ...(fresh ? { fresh } : {}),
}))

export const sessionRows: readonly BorderRow[] = [
  ...pathRows,
  {
    operation: 'cancelSession',
    place: 'CancelSessionRequest.event_id',
    kind: 'session event',
    ask: (event_id, { world, who }) => ({ path: { session_id: world.own[who].secondTalk.session }, body: { event_id } }),
  },
  {
    operation: 'createSession',
    place: 'SessionMessageRequest.agent_id',
    kind: 'agent',
    ask: (agent_id) => ({ body: { agent_id, message: 'Which bolts?' } }),
  },
  {
    operation: 'createSession',
    place: 'SessionMessageRequest.session_id',
    kind: 'session',
    ask: (session_id) => ({ body: { session_id, message: 'Which bolts?' } }),
    fresh: ended,
  },
  {
    operation: 'createSession',
    place: 'SessionAttachmentRequest.file_upload.id',
    kind: 'upload',
    ask: (id, { world }) => ({
      body: { agent_id: world.agents.shown, message: 'What is this?', attachments: [{ file_upload: { id } }] },
    }),
  },
  {
    operation: 'createSession',
    place: 'SessionActionsRequest.session_id',
    kind: 'session',
    ask: async (session_id, asking) => ({
      body: { session_id, actions: [{ action_id: await actionOf(session_id, asking), option_id: 'reject' }] },
    }),
    fresh: begun,
  },
  {
    operation: 'createSession',
    place: 'ActionDecisionRequest.action_id',
    kind: 'session action',
    ask: (action_id, { world, who }) => ({
      body: { session_id: world.own[who].talk.session, actions: [{ action_id, option_id: 'reject' }] },
    }),
  },
  {
    operation: 'createSession',
    place: 'SessionReplayRequest.session_id',
    kind: 'session',
    ask: (session_id) => ({ body: { session_id, continue_from: '0' }, headers: { Accept: 'text/event-stream' } }),
    // A stream is no answer to compare; the tests of the operation read it.
    isSilent: true,
  },
]
