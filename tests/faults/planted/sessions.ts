import { faultsIn, type Fault } from '../fault.ts'

const streamAccess = ['operations/sessions/createSession.stream_access.test.ts']
const turns = ['operations/agents/updateAgentStatus.turns.test.ts']

/** Sessions with agents: surviving a restart, and ending with a right. */
export const sessions: readonly Fault[] = [
  ...faultsIn(
    'domain/agents/sessions/turn_run.ts',
    ['process/session_restart.test.ts', 'process/kill_sessions.test.ts'],
    [
      [
        'a turn that another process takes over is paid for twice',
        '    this.#state.committed.shift()\n    this.#steps.repeat()\n',
        '    this.#state.committed.shift()\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/agents/sessions/turn_run.ts',
    ['operations/sessions/createSession.turns.test.ts', 'process/kill_sessions.test.ts'],
    [
      [
        'the process that takes over the turn executes an approved change again',
        'if (call.decision === null || call.result !== null) continue',
        'if (call.decision === null) continue',
      ],
    ],
  ),
  ...faultsIn(
    'domain/agents/sessions/turn_job.ts',
    ['operations/sessions/cancelSession.test.ts'],
    [['what a cancelled turn has used is not paid for', '    await steps.recordRest()\n', '']],
  ),
  ...faultsIn('http/event_stream.ts', streamAccess, [
    ['an open stream outlives the token that it was opened with', '    void checkRights()\n', ''],
  ]),
  ...faultsIn('http/steps/prepare_stream.ts', streamAccess, [
    ['an open stream outlives the capability that it needs', '      requireCapability(current, operation)\n', ''],
  ]),
  ...faultsIn('domain/agents/sessions/open_stream.ts', streamAccess, [
    [
      'an open stream outlives the access to its agent',
      '    await database.read((db) => requireSession({ db, actor }, sessionId))\n',
      '    void [database, actor, sessionId]\n',
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/lost_transcript.ts',
    ['events/pages.test.ts'],
    [['a transcript that was deleted before is reported again', 'trashed.has(id) || !transcripts', '!transcripts']],
  ),
  ...faultsIn(
    'domain/content/blocks/erase_page.ts',
    ['events/pages.test.ts'],
    [['transcripts are erased untold', '  await recordTranscriptsErased(scope, pageId)\n', '']],
  ),
  ...faultsIn(
    'store/jobs.ts',
    ['cli/jobs.test.ts'],
    [['jobs of the service itself are not found', 'db.wanted([NO_WORKSPACE, ...workspaceIds])', 'db.wanted(workspaceIds)']],
  ),
  ...faultsIn('domain/agents/administration/agents.ts', turns, [
    ['a turn and an administrator wait for each other', '  await lockWorkspace(db, workspaceId)\n', ''],
  ]).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
]
