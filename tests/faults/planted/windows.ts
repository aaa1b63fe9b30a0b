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
    ['a change at the end of a window belongs to it', 'time < open.closes', 'time <= open.closes'],
    [
      'only the last change decides when a window closes',
      'Math.max(open.closes, Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole))',
      'Math.min(open.closes, time + WINDOW.quiet)',
    ],
  ]),
  ...faultsIn(
    'domain/events/coalesce.ts',
    ['events/once/coalesce.test.ts'],
    [
      [
        'a property that changes twice in a window is named twice',
        'list.set(canonicalJson(value), value)',
        'list.set(String(list.size), value)',
      ],
    ],
  ),
  ...faultsIn('store/outbox.ts', windows, [
    [
      'continuous changes are reported only when they stop',
      'having max(time) <= ${now - quiet} or min(time) <= ${now - whole} limit',
      'having max(time) <= ${now - quiet} and min(time) <= ${now} + ${whole} limit',
    ],
    [
      'no job is scheduled for the end of a long window',
      'else first_time + ${whole} end)',
      'else last_time + ${quiet} + 0 * ${whole} end)',
    ],
  ]),
  ...faultsIn('domain/events/form_events.ts', windows, [
    ['closing a window deletes later changes', '.filter(({ closes }) => closes <= now)', '.filter(() => true)'],
  ]),
  ...faultsIn('domain/agents/sessions/find_page.ts', sessions, [
    ['a list of sessions has one page only', 'request.pageSize + 1', 'request.pageSize'],
    ['the next page repeats the last session', 'after, sort) > 0)', 'after, sort) >= 0)'],
    ['sessions of equal time are lost between two pages', ' || found.at(-1)?.[column] === end.time)\n', ')\n'],
    [
      'a caller with many agents sees all sessions',
      ": { ...scan, viewer, sources: [{ column: 'workspace_id' }] }",
      ": { ...scan, viewer: undefined, sources: [{ column: 'workspace_id' }] }",
    ],
  ]),
  ...faultsIn('domain/agents/sessions/query_events.ts', sessionEvents, [
    ['a list of events has one page only', 'request.pageSize + 1', 'request.pageSize'],
    [
      'events of equal time are lost between two pages',
      "? keys : [...keys, { column: 'sequence', isDescending: false }]",
      "|| keys.length > 0 ? keys : [{ column: 'sequence', isDescending: false }]",
    ],
    [
      'the newest events come first',
      "{ column: 'sequence', isDescending: false }]",
      "{ column: 'sequence', isDescending: true }]",
    ],
    ['an event at the bound is omitted', 'Math.floor(above) + 1', 'Math.floor(above)'],
  ]),
  ...faultsIn('domain/agents/find_page.ts', agents, [
    ['a list of agents has one page only', 'request.pageSize + 1', 'request.pageSize'],
    [
      'the personal agent is on every page of the list',
      'after === undefined || comparePositions(found, after, orders) > 0 ? [found] : []',
      'after === undefined || comparePositions(found, after, orders) !== undefined ? [found] : []',
    ],
    [
      'the cursor of the personal agent returns it again',
      'comparePositions(found, after, orders) > 0',
      'comparePositions(found, after, orders) >= 0',
    ],
  ]),
  ...faultsIn('handlers/paging.ts', agents, [
    ['the default page size is too small', 'parts.page_size ?? pageSizeDefault', 'parts.page_size ?? pageSizeDefault - 1'],
  ]),
  ...faultsInContract(
    'shared/schemas/PageSizeRequest.yaml',
    [...sessions, ...sessionEvents, ...agents],
    [
      ['page_size 101 is accepted', 'maximum: 100', 'maximum: 101'],
      ['page_size 100 is refused', 'maximum: 100', 'maximum: 99'],
      ['page_size 0 is accepted', 'minimum: 1', 'minimum: 0'],
      ['a page is smaller than the default without page_size', 'default: 100', 'default: 99'],
    ],
  ),
]
