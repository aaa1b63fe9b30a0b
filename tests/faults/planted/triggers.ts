import { faultsIn, type Fault } from '../fault.ts'

const triggers = ['agents/triggers.test.ts']
const schedules = ['agents/schedules.test.ts']
const pauses = ['agents/pauses.test.ts']
const times = ['domain/next_time.test.ts']

/** Triggers that start agents, and limits that stop them. */
export const agentTriggers: readonly Fault[] = [
  ...faultsIn('domain/agents/triggers/next_time.ts', times, [
    ['clocks that are set back make a day come twice', 'if (due > after) return due', 'if (due >= after) return due'],
    ['periods are not counted from the first one', 'Math.floor(passed / schedule.interval)', 'passed / schedule.interval'],
  ]),
  ...faultsIn('domain/agents/triggers/schedule_kind.ts', schedules, [
    ['each time that was missed is made up for', 'Math.max(time, deps.now())', 'time'],
    ['a job that is no longer meant starts the agent', 'if (row?.next_time !== time) return', 'if (!row) return'],
    ['runs are not counted', 'row.runs + (startable ? 1 : 0)', 'row.runs'],
  ]),
  ...faultsIn('domain/agents/triggers/change_kind.ts', triggers, [
    ['agents start one another without end', 'agentId !== authorId && !causedBy.includes(agentId)', 'agentId !== authorId'],
    [
      "pages out of an agent's reach start it",
      "if ('refusal' in found) return []",
      "if ('refusal' in found && !found.refusal) return []",
    ],
    [
      'a response discloses the title of a page that only some members see',
      'if (occasions.length === 0 || !(await isOpenToMembers(startable, change.pageId))) return occasions',
      'if (occasions.length === 0 && !(await isOpenToMembers(startable, change.pageId))) return occasions',
    ],
    ['one request starts an agent as often as it likes', 'if (started >= SESSIONS_MAX) return', 'if (started < 0) return'],
    ['each edit beside a mention starts the agent', 'const added = [...now.difference(before)]', 'const added = [...now]'],
  ]),
  ...faultsIn('domain/events/fire_triggers.ts', triggers, [
    ['chains of agents have no end', 'causedBy.length >= CHAIN_MAX', 'causedBy.length < 0'],
  ]),
  ...faultsIn(
    'store/awaited_changes.ts',
    ['store/costs.test.ts'],
    [
      [
        'each change reads all agents that wait',
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
    ['failures count that were not in a row', 'return clearFailures(db, workspaceId, agentId)', 'return'],
    ['a run above the limit is carried out', 'if (runs > RUNS_MAX)', 'if (runs > RUNS_MAX + 1)'],
    ['usual spending is not asked for', 'spent * usual.hours <= FAR_ABOVE * usual.hundredths', 'spent <= 0'],
  ]),
  ...faultsIn('domain/agents/pauses.ts', pauses, [
    [
      'turns of an agent that the service pauses wait on for an approval',
      'if (await disable(db, pause)) await enqueueEndTurns(',
      'if (!(await disable(db, pause))) await enqueueEndTurns(',
    ],
  ]),
]
