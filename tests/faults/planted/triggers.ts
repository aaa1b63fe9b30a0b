import { faultsIn, type Fault } from '../fault.ts'

const triggers = ['agents/triggers.test.ts']
const schedules = ['agents/schedules.test.ts']
const pauses = ['agents/pauses.test.ts']
const times = ['domain/next_time.test.ts']

/** Triggers that start agents, and limits that stop them. */
export const agentTriggers: readonly Fault[] = [
  ...faultsIn('domain/agents/triggers/next_time.ts', times, [
    ['a schedule runs twice on the day when clocks are set back', 'if (due > after) return due', 'if (due >= after) return due'],
    [
      'periods of a schedule are not counted from its start',
      'Math.floor(passed / schedule.interval)',
      'passed / schedule.interval',
    ],
  ]),
  ...faultsIn('domain/agents/triggers/schedule_kind.ts', schedules, [
    ['each missed run of a schedule is started later', 'Math.max(time, deps.now())', 'time'],
    ['an outdated job starts the agent', 'if (row?.next_time !== time) return', 'if (!row) return'],
    ['runs are not counted', 'row.runs + (startable ? 1 : 0)', 'row.runs'],
  ]),
  ...faultsIn('domain/agents/triggers/change_kind.ts', triggers, [
    ['agents can start each other without end', 'agentId !== authorId && !causedBy.includes(agentId)', 'agentId !== authorId'],
    [
      'pages hidden from an agent start it',
      "if ('refusal' in found) return []",
      "if ('refusal' in found && !found.refusal) return []",
    ],
    [
      'a response discloses the title of a page that only some members see',
      'if (occasions.length === 0 || !(await isOpenToMembers(startable, change.pageId))) return occasions',
      'if (occasions.length === 0 && !(await isOpenToMembers(startable, change.pageId))) return occasions',
    ],
    ['one request can start an agent any number of times', 'if (started >= SESSIONS_MAX) return', 'if (started < 0) return'],
    [
      'each edit of a text with a mention starts the agent',
      'const added = [...now.difference(before)]',
      'const added = [...now]',
    ],
  ]),
  ...faultsIn('domain/events/fire_triggers.ts', triggers, [
    ['chains of agents have no end', 'causedBy.length >= CHAIN_MAX', 'causedBy.length < 0'],
  ]),
  ...faultsIn(
    'store/awaited_changes.ts',
    ['store/costs.test.ts'],
    [
      [
        'each change reads all agents with triggers',
        'where exists (select 1 from agent_triggers where workspace_id = ${workspaceId} and type = ${type})',
        'where (select count(*) from agent_triggers where workspace_id = ${workspaceId} and type = ${type}) > 0',
      ],
    ],
  ).map((fault): Fault => ({ ...fault, engine: 'postgresql' })),
  ...faultsIn('domain/agents/triggers/start_agent.ts', triggers, [
    [
      'a session shows the title of the page that began it',
      'const text = wordsOf(trigger) ?? words',
      'const text = `${wordsOf(trigger) ?? words} ${context}`',
    ],
    ['disabled agents are started', '    await requireRunnable(scope, agent)\n', ''],
  ]),
  ...faultsIn('domain/agents/watch.ts', pauses, [
    ['failures count although a success came between', 'return clearFailures(db, workspaceId, agentId)', 'return'],
    ['a run above the limit is executed', 'if (runs > RUNS_MAX)', 'if (runs > RUNS_MAX + 1)'],
    ['an average of usage is not queried', 'spent * usual.hours <= FAR_ABOVE * usual.hundredths', 'spent <= 0'],
  ]),
  ...faultsIn('domain/agents/pauses.ts', pauses, [
    [
      'pausing an agent does not end its waiting runs',
      'if (await disable(db, pause)) await enqueueEndTurns(',
      'if (!(await disable(db, pause))) await enqueueEndTurns(',
    ],
  ]),
]
