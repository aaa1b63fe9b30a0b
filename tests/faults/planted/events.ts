import { faultsIn, type Fault } from '../fault.ts'

const coalescing = ['events/once/coalesce.test.ts']
const pages = ['events/pages.test.ts']
const databases = ['events/databases.test.ts']
const audience = ['events/audience.test.ts']
const windows = ['events/windows.test.ts']
const files = ['events/comments_and_files.test.ts']
const agentAuthors = ['events/agents_as_authors.test.ts']

/** Events: content, audience and timing. */
export const events: readonly Fault[] = [
  ...faultsIn('domain/events/coalesce.ts', coalescing, [
    [
      'a record that was created and deleted in one window is reported as created',
      "if (began === 'nowhere') return isGone || !first ? [] : [coalesceGroup([first], changes)]",
      "if (began === 'nowhere') return !first ? [] : [coalesceGroup([first], changes)]",
    ],
    [
      'a record that was restored and deleted in one window is reported as deleted',
      "if (began === 'in the trash' && isGone) return []",
      "if (began === 'nowhere' && isGone) return []",
    ],
    ['a creation omits the authors of later changes', '[coalesceGroup([first], changes)]', '[coalesceGroup([first])]'],
    [
      'a move there and back is reported',
      'return canonicalJson(from) === canonicalJson(to) ? undefined : { from, to }',
      'return { from, to }',
    ],
    [
      'a property that was created and deleted is reported as deleted',
      "return next.action === 'deleted' ? undefined : { ...next, action: 'created' }",
      "return next.action === 'deleted' ? next : { ...next, action: 'created' }",
    ],
    [
      'an entity that changes without a pause is never reported',
      'Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole)',
      'time + WINDOW.quiet',
    ],
  ]),
  ...faultsIn('domain/events/form_events.ts', audience.concat(windows), [
    [
      'changes are reported to connections that have lost access',
      'if (!context.isSeen(connection.id, one)) return undefined',
      '',
    ],
    [
      'a subscription receives events from the time when it was paused',
      'time >= activeSince && Object.hasOwn(listeners, id)',
      'Object.hasOwn(listeners, id)',
    ],
    [
      'events ignore capabilities',
      "typeof apiVersion === 'string' && mayReceive(subscription.connection, change.type)",
      "typeof apiVersion === 'string'",
    ],
    ['reported changes stay in the outbox', 'groups.flatMap(({ entries }) => entries.map(({ number }) => number)),', '[],'],
  ]),
  ...faultsIn('domain/events/record_event.ts', audience.concat(databases), [
    [
      'a subscription receives event types that it did not select',
      '[listener, eventTypes.includes(routedType) ? apiVersion : null]',
      '[listener, apiVersion]',
    ],
  ]),
  ...faultsIn('domain/events/payload.ts', databases.concat(audience), [
    ['events at old versions name data sources', 'const isOld = recipient.apiVersion === OLD_API_VERSION', 'const isOld = false'],
    [
      'events of a database with several data sources name the first',
      'return another === undefined ? only?.id : undefined',
      'return only?.id',
    ],
    [
      'relations with a hidden target are reported',
      'const changes = changesIn(change).filter(({ targetId }) => context.seesTarget(connectionId, targetId))',
      'const changes = changesIn(change)',
    ],
  ]),
  ...faultsIn('domain/events/event_context.ts', files.concat(audience), [
    ['uploads of others are reported', 'return maker?.connectionId === connectionId', 'return maker !== undefined'],
  ]),
  ...faultsIn('domain/events/event_context.ts', agentAuthors, [
    ['agents are reported as bots', "kind === 'bot' && connectionId === null", "kind === 'person' && connectionId === ''"],
    ['bots are reported as agents', "kind === 'bot' && connectionId === null", "kind === 'bot'"],
  ]),
  ...faultsIn('domain/events/record_event.ts', agentAuthors, [
    [
      'the person who approves is reported as the author',
      'return causedBy.at(-1) ?? actor.userId',
      'return causedBy.at(9) ?? actor.userId',
    ],
  ]),
  ...faultsIn('domain/data/views/update.ts', databases, [
    [
      "a change of a view's configuration sends no event",
      'configuration: differs(old.configuration, next.configuration)',
      'configuration: old === next && differs(old.configuration, next.configuration)',
    ],
    [
      'every change of a view is reported as a change of its configuration',
      'configuration: differs(old.configuration, next.configuration)',
      'configuration: differs(old, next)',
    ],
    [
      'events of a view list sent members instead of changed ones',
      'sorts: differs(old.sorts, next.sorts)',
      'sorts: next.sorts !== null && next.sorts !== undefined',
    ],
    [
      'a change of quick filters sends no event',
      'differs([old.filter, old.quickFilters], [next.filter, next.quickFilters])',
      'differs(old.filter, next.filter)',
    ],
  ]),
  ...faultsIn('domain/data/views/dashboards.ts', databases, [
    ['a new widget is reported as a new name of the dashboard', "fields: ['configuration']", "fields: ['name']"],
  ]),
  ...faultsIn('domain/events/tree_changes.ts', pages.concat(databases), [
    [
      'new and deleted rows send no event of the data source',
      "if (location.parentType === 'data_source_id')",
      "if (location.parentType === 'database_id')",
    ],
  ]),
]
