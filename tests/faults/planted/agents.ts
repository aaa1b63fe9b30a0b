import { faultsIn, type Fault } from '../fault.ts'

const agent = (name: string): string[] => [`operations/agents/${name}.test.ts`]
const session = (name: string): string[] => [`operations/sessions/${name}.test.ts`]
const notes = (name: string): string[] => [`operations/meeting_notes/${name}.test.ts`]
const pauses = ['agents/pauses.test.ts']

/** Guarantees about agents, their sessions, tasks and meeting notes. */
export const agents: readonly Fault[] = [
  ...faultsIn(
    'store/agent_access.ts',
    ['operations/agents/queryAgents.runs.test.ts'],
    [
      [
        'a list by last run omits agents whose sharer has lost a right',
        '  await setRunTimes(db, workspaceId, agentId)\n  return changed > 0',
        '  return changed > 0',
      ],
    ],
  ),
  ...faultsIn('domain/agents/present.ts', agent('retrieveAgent.forms'), [
    [
      'callers with view access see the account of a tool server',
      'return { ...connection, account: HIDDEN, enabled_tools: HIDDEN }',
      'return { ...connection, enabled_tools: HIDDEN }',
    ],
    [
      'the older list shows permissions in the workspace',
      "base.connections.filter(({ type }) => type !== 'workspace')",
      'base.connections',
    ],
  ]),
  ...faultsIn('domain/agents/pauses.ts', agent('retrieveAgent'), [
    ['the larger limit is reported', 'return Math.min(own, defaultAgentLimit)', 'return Math.max(own, defaultAgentLimit)'],
  ]),
  ...faultsIn('domain/agents/list.ts', agent('queryAgents'), [
    [
      'a filter for deleted agents finds none',
      'if (withDeleted !== true && !(test && namesDeleted(test)))',
      'if (withDeleted !== true)',
    ],
    [
      'one property may be sorted by twice',
      "if (seen.has(property)) throw invalid(`body.sorts[${index}].property`, 'should not repeat the property of an earlier sort')",
      "if (seen.size > 2) throw invalid(`body.sorts[${index}].property`, 'should not repeat the property of an earlier sort')",
    ],
  ]),
  ...faultsIn('domain/agents/write.ts', agent('updateAgentStatus'), [
    [
      'a change to the same value counts as a change',
      "if (wasDisabled === (status === 'disabled')) return statusResult(agent)",
      "if (wasDisabled && status === 'disabled') return statusResult(agent)",
    ],
  ]),
  ...faultsIn('domain/agents/write.ts', agent('updateAgentCreditLimit'), [
    [
      'a limit above that of the workspace is accepted',
      'if (defaultAgentLimit !== null && limit > defaultAgentLimit)',
      'if (defaultAgentLimit !== null && limit > LIMIT_MAX)',
    ],
  ]),
  ...faultsIn('domain/agents/write.ts', pauses, [
    [
      'lowering the limit of an agent does not end its waiting run',
      'if (before === null && state.pauseReason !== null)\n    await endTurnsOfDisabled(',
      'if (before !== null && state.pauseReason !== null)\n    await endTurnsOfDisabled(',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/terminate.ts', pauses, [
    [
      'runs that wait do not end when credits are used up',
      "if (!writer || (waiting && writer.session.status !== 'requires_action'))",
      'if (!writer || waiting)',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/turn_step.ts', pauses, [
    [
      'an agent that finds the workspace without credits stays active',
      '      await pauseByTurn(db, { workspaceId, agentId, reason, now: writer.now })\n',
      '      void [pauseByTurn, db, workspaceId, agentId, reason]\n',
    ],
  ]),
  ...faultsIn('domain/agents/end_turns_kind.ts', pauses, [
    ['streams do not report that a pause ended a run', 'for (const id of ended) onCommit(id)', 'void [ended, onCommit]'],
  ]),
  ...faultsIn('domain/agents/batch.ts', agent('createAgentBatch'), [
    [
      'an error in a batch does not name the entry',
      'const place = `body.operations[${index}]`',
      'const place = `body.operations[${index - index}]`',
    ],
  ]),
  ...faultsIn('domain/agents/credits.ts', agent('retrieveAgentInsights'), [
    [
      'a run of few tokens is free',
      'Math.max(1, Math.ceil(tokens / TOKENS_PER_HUNDREDTH))',
      'Math.ceil(tokens / TOKENS_PER_HUNDREDTH)',
    ],
  ]),
  ...faultsIn('domain/agents/credit_errors.ts', session('createSession.credits'), [
    [
      'a member with an open request for more credits is asked to repeat it',
      "isPending ? 'request_pending' : 'request_agent_limit_increase'",
      "isPending && personId === '' ? 'request_pending' : 'request_agent_limit_increase'",
    ],
  ]),
  ...faultsIn('domain/agents/sessions/queue_turn.ts', session('createSession'), [
    [
      'titles are cut inside a surrogate pair',
      "Array.from(line.trim()).slice(0, TITLE_LENGTH_MAX).join('')",
      'line.trim().slice(0, TITLE_LENGTH_MAX)',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/writer.ts', session('createSession.decisions'), [
    [
      'a tool that is used twice is named twice',
      'return entries.includes(entry) ? list :',
      'return entries.includes(`${entry}.`) ? list :',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/decide_actions.ts', session('createSession.decisions'), [
    [
      'the message of a decision is lost',
      'const metadata = request.metadata === undefined ? null : JSON.stringify(request.metadata)',
      'const metadata = request.metadata === undefined || decided.length > 0 ? null : JSON.stringify(request.metadata)',
    ],
    [
      'an action that is decided the same way again is a conflict',
      'const changed = chosen.filter(({ call, decision }) => call.decision !== decision)',
      'const changed = chosen',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/present.ts', session('retrieveSession'), [
    [
      'callers with view access see the usage of an agent',
      '...(mayEdit(row) ? sums(row, mayReadEmails ? emails : undefined) : HIDDEN)',
      '...(mayEdit(row) || row.turn > 0 ? sums(row, mayReadEmails ? emails : undefined) : HIDDEN)',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/present.ts', session('createSession.stream'), [
    [
      'reasoning of the model is streamed',
      "    case 'agent.thinking':\n      return undefined\n",
      "    case 'agent.thinking':\n      return { ...base, type: 'agent.message', content: [{ type: 'text', text: content.text }] }\n",
    ],
  ]),
  ...faultsIn('domain/agents/sessions/replay.ts', session('createSession.stream'), [
    [
      'a sequence number beyond the last event is accepted',
      'if (SEQUENCE.test(named) && Number(named) <= session.last_sequence) return',
      'if (SEQUENCE.test(named)) return',
    ],
  ]),
  ...faultsIn('domain/agents/sessions/cancel.ts', session('cancelSession'), [
    ['an event of an earlier run cancels the current one', 'if (event.turn !== session.turn)', 'if (event.turn > session.turn)'],
  ]),
  ...faultsIn('domain/agents/sessions/throttle.ts', session('createSession.course'), [
    ['each fragment of text is sent at once', 'if (!this.#isOpen) {', "if (!this.#isOpen && event.id === '') {"],
  ]),
  ...faultsIn('domain/agents/sessions/query.ts', session('querySessions'), [
    [
      'a filter by `personal_agent` finds no sessions',
      'value: agentIdOf(filter.string.equals)',
      "value: filter.string.equals === 'service_ai' ? '' : agentIdOf(filter.string.equals)",
    ],
  ]),
  ...faultsIn(
    'domain/data/async_tasks/tasks.ts',
    ['operations/async_tasks/retrieveAsyncTask.test.ts'],
    [['finished tasks are deleted after six days', 'const KEPT_MS = 7 * DAY_MS', 'const KEPT_MS = 6 * DAY_MS']],
  ),
  ...faultsIn('domain/agents/meeting_notes/create_meeting_notes.ts', notes('createMeetingNotes'), [
    [
      'a note is appended to the end of the page instead of after its block',
      "{ type: 'after_block', after_block: { id: block.id } }",
      'undefined',
    ],
    [
      'the title of a note contains the file extension',
      "return filename.replace(/(?<=.)\\.[A-Za-z0-9]{1,10}$/, '')",
      'return filename',
    ],
  ]),
  ...faultsIn('runtimes/meeting_notes/embedded_summarizer.ts', notes('createMeetingNotes.summary'), [
    ['long sentences become key points because of their length', 'return sum / Math.sqrt(words.length)', 'return sum'],
    [
      'the number of action items is not limited',
      'ACTION_ITEMS_MAX - actionItems.length',
      'ACTION_ITEMS_MAX * 2 - actionItems.length',
    ],
  ]),
  ...faultsIn(
    'domain/agents/tools/passages.ts',
    ['agents/embedded.test.ts'],
    [['pages of equal relevance have no fixed order', 'compare(a.id, b.id)', 'compare(b.id, a.id)']],
  ),
]
