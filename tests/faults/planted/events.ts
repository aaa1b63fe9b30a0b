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
      'what was made and deleted in one window is reported as made',
      "if (began === 'nowhere') return isGone || !first ? [] : [coalesceGroup([first], changes)]",
      "if (began === 'nowhere') return !first ? [] : [coalesceGroup([first], changes)]",
    ],
    [
      'what comes back from the trash and goes there again is reported as deleted',
      "if (began === 'in the trash' && isGone) return []",
      "if (began === 'nowhere' && isGone) return []",
    ],
    ['a creation forgets who changed what was made', '[coalesceGroup([first], changes)]', '[coalesceGroup([first])]'],
    [
      'a move there and back is reported',
      'return canonicalJson(from) === canonicalJson(to) ? undefined : { from, to }',
      'return { from, to }',
    ],
    [
      'a property that came and went is reported as deleted',
      "return next.action === 'deleted' ? undefined : { ...next, action: 'created' }",
      "return next.action === 'deleted' ? next : { ...next, action: 'created' }",
    ],
    ['a busy entity is never told of', 'Math.min(time + WINDOW.quiet, open.opened + WINDOW.whole)', 'time + WINDOW.quiet'],
  ]),
  ...faultsIn('domain/events/form_events.ts', audience.concat(windows), [
    ['what a connection has lost is still reported', 'if (!context.isSeen(connection.id, one)) return undefined', ''],
    [
      'a subscription hears what happened before it was active again',
      'time >= activeSince && Object.hasOwn(listeners, id)',
      'Object.hasOwn(listeners, id)',
    ],
    [
      'capabilities are no matter to events',
      "typeof apiVersion === 'string' && mayReceive(subscription.connection, change.type)",
      "typeof apiVersion === 'string'",
    ],
    ['what has been told stays in the outbox', 'groups.flatMap(({ entries }) => entries.map(({ number }) => number)),', '[],'],
  ]),
  ...faultsIn('domain/events/record_event.ts', audience.concat(databases), [
    [
      'a subscription hears of types that it has not asked for',
      '[listener, eventTypes.includes(routedType) ? apiVersion : null]',
      '[listener, apiVersion]',
    ],
  ]),
  ...faultsIn('domain/events/payload.ts', databases.concat(audience), [
    [
      'data sources are named to subscriptions that know none',
      'const isOld = recipient.apiVersion === OLD_API_VERSION',
      'const isOld = false',
    ],
    [
      'a database with several data sources says what happens to the first',
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
      'a view whose configuration changes is silent',
      'configuration: differs(old.configuration, next.configuration)',
      'configuration: old === next && differs(old.configuration, next.configuration)',
    ],
    [
      'whatever changes in a view is its configuration',
      'configuration: differs(old.configuration, next.configuration)',
      'configuration: differs(old, next)',
    ],
    [
      'a view reports sent instead of changed members',
      'sorts: differs(old.sorts, next.sorts)',
      'sorts: next.sorts !== null && next.sorts !== undefined',
    ],
    [
      'quick filters change in silence',
      'differs([old.filter, old.quickFilters], [next.filter, next.quickFilters])',
      'differs(old.filter, next.filter)',
    ],
  ]),
  ...faultsIn('domain/data/views/dashboards.ts', databases, [
    ['a dashboard that gets a widget is renamed', "fields: ['configuration']", "fields: ['name']"],
  ]),
  ...faultsIn('domain/events/tree_changes.ts', pages.concat(databases), [
    [
      'rows that come and go are no change of their data source',
      "if (location.parentType === 'data_source_id')",
      "if (location.parentType === 'database_id')",
    ],
  ]),
]
