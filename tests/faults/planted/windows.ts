import { faultsIn, faultsInContract, type Fault } from '../fault.ts'

const windows = ['events/windows.test.ts']
const sessions = ['operations/sessions/querySessions.test.ts']
const sessionEvents = ['operations/sessions/querySessionEvents.test.ts']
const agents = [
  'operations/agents/queryAgents.test.ts',
  'operations/agents/queryAgents.page_size.test.ts',
  'operations/agents/listAgents.test.ts',
]

/** Windows of time in which changes are reported together, and pagination of agents, sessions and their events. */
export const listWindows: readonly Fault[] = [
  ...faultsIn('domain/events/coalesce.ts', windows, [
    ['a window waits a moment too long', 'quiet: 5_000', 'quiet: 5_001'],
    ['a window does not wait long enough', 'quiet: 5_000', 'quiet: 4_999'],
    ['a busy window is open a moment too long', 'whole: 30_000', 'whole: 30_001'],
    ['a busy window closes a moment too early', 'whole: 30_000', 'whole: 29_999'],
    ['a change in the moment when a window closes is in it', 'time < open.closes', 'time <= open.closes'],
    [
      'the last change alone says when a window closes',
      'Math.max(open.closes, Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole))',
      'Math.min(open.closes, time + WINDOW.quiet)',
    ],
  ]),
  ...faultsIn(
    'domain/events/coalesce.ts',
    ['events/once/coalesce.test.ts'],
    [
      [
        'what changes twice in a window is named twice',
        'list.set(canonicalJson(value), value)',
        'list.set(String(list.size), value)',
      ],
    ],
  ),
  ...faultsIn('store/outbox.ts', windows, [
    [
      'what changes without a pause is reported only when it stops',
      'having max(time) <= ${now - quiet} or min(time) <= ${now - whole} limit',
      'having max(time) <= ${now - quiet} and min(time) <= ${now} + ${whole} limit',
    ],
    [
      'nobody looks for a busy window when it closes',
      'else first_time + ${whole} end)',
      'else last_time + ${quiet} + 0 * ${whole} end)',
    ],
  ]),
  ...faultsIn('domain/events/form_events.ts', windows, [
    ['with a window goes what came after it', '.filter(({ closes }) => closes <= now)', '.filter(() => true)'],
  ]),
  ...faultsIn('domain/agents/sessions/find_page.ts', sessions, [
    ['a page of sessions never has another after it', 'request.pageSize + 1', 'request.pageSize'],
    ['the last session of a page begins the next one', 'after, sort) > 0)', 'after, sort) >= 0)'],
    [
      'of sessions with the same time, some are left out at the end of a page',
      ' || found.at(-1)?.[column] === end.time)\n',
      ')\n',
    ],
    [
      'a caller who reaches many agents sees the sessions of everybody',
      ": { ...scan, viewer, sources: [{ column: 'workspace_id' }] }",
      ": { ...scan, viewer: undefined, sources: [{ column: 'workspace_id' }] }",
    ],
  ]),
  ...faultsIn('domain/agents/sessions/query_events.ts', sessionEvents, [
    ['a page of events never has another after it', 'request.pageSize + 1', 'request.pageSize'],
    [
      'of events with the same time, some are lost between two pages',
      "? keys : [...keys, { column: 'sequence', isDescending: false }]",
      "|| keys.length > 0 ? keys : [{ column: 'sequence', isDescending: false }]",
    ],
    [
      'the newest events come first',
      "{ column: 'sequence', isDescending: false }]",
      "{ column: 'sequence', isDescending: true }]",
    ],
    ['an event whose number is the bound is not beyond it', 'Math.floor(above) + 1', 'Math.floor(above)'],
  ]),
  ...faultsIn('domain/agents/find_page.ts', agents, [
    ['a page of agents never has another after it', 'request.pageSize + 1', 'request.pageSize'],
    [
      'the personal agent is on every page',
      'after === undefined || comparePositions(found, after, orders) > 0 ? [found] : []',
      'after === undefined || comparePositions(found, after, orders) !== undefined ? [found] : []',
    ],
    [
      'the personal agent follows itself',
      'comparePositions(found, after, orders) > 0',
      'comparePositions(found, after, orders) >= 0',
    ],
  ]),
  ...faultsIn('handlers/paging.ts', agents, [
    [
      'a page holds fewer than the contract says unless a size is asked for',
      'parts.page_size ?? pageSizeDefault',
      'parts.page_size ?? pageSizeDefault - 1',
    ],
  ]),
  ...faultsInContract(
    'shared/schemas/PageSizeRequest.yaml',
    [...sessions, ...sessionEvents, ...agents],
    [
      ['a page of 101 may be asked for', 'maximum: 100', 'maximum: 101'],
      ['a page of 100 is too large', 'maximum: 100', 'maximum: 99'],
      ['a page of nothing may be asked for', 'minimum: 1', 'minimum: 0'],
      ['a page is smaller unless a size is asked for', 'default: 100', 'default: 99'],
    ],
  ),
]
