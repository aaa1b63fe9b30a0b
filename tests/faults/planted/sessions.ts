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
        'a run that another process takes over is charged twice',
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
        'the process that takes over a run repeats an approved change',
        'if (call.decision === null || call.result !== null) continue',
        'if (call.decision === null) continue',
      ],
    ],
  ),
  ...faultsIn(
    'domain/agents/sessions/turn_job.ts',
    ['operations/sessions/cancelSession.test.ts'],
    [['the usage of a canceled run is not charged', '    await steps.recordRest()\n', '']],
  ),
  ...faultsIn('http/event_stream.ts', streamAccess, [
    ['a stream continues after its token is revoked', '    void checkRights()\n', ''],
  ]),
  ...faultsIn('http/steps/prepare_stream.ts', streamAccess, [
    ['a stream continues after its capability is removed', '      requireCapability(current, operation)\n', ''],
  ]),
  ...faultsIn('domain/agents/sessions/open_stream.ts', streamAccess, [
    [
      'a stream continues after access to the agent is lost',
      '    await database.read((db) => requireSession({ db, actor }, sessionId))\n',
      '    void [database, actor, sessionId]\n',
    ],
  ]),
  ...faultsIn(
    'domain/content/blocks/lost_transcript.ts',
    ['events/pages.test.ts'],
    [['a deleted transcript is reported twice', 'trashed.has(id) || !transcripts', '!transcripts']],
  ),
  ...faultsIn(
    'domain/content/blocks/erase_page.ts',
    ['events/pages.test.ts'],
    [['erased transcripts are not reported', '  await recordTranscriptsErased(scope, pageId)\n', '']],
  ),
  ...faultsIn(
    'store/jobs.ts',
    ['cli/jobs.test.ts'],
    [['jobs of the service itself are not found', 'db.wanted([NO_WORKSPACE, ...workspaceIds])', 'db.wanted(workspaceIds)']],
  ),
  ...faultsIn('domain/agents/administration/agents.ts', turns, [
    ['a run and an administrator deadlock', '  await lockWorkspace(db, workspaceId)\n', ''],
  ]).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
]
