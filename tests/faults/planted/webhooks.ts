import { faultsIn, type Fault } from '../fault.ts'

/** Webhooks: subscriptions, verification of endpoints, and delivery. */
export const webhooks: readonly Fault[] = [
  ...faultsIn(
    'domain/events/webhooks/verification.ts',
    ['operations/webhook_subscriptions/verifyWebhookSubscription.test.ts'],
    [
      ['wrong tokens are not counted', 'wrong_tries: tries, ...(isVoid', 'wrong_tries: 0, ...(isVoid'],
      [
        'a token becomes invalid one attempt too early',
        'const isVoid = tries === WRONG_TRIES_MAX',
        'const isVoid = tries >= WRONG_TRIES_MAX - 1',
      ],
      [
        'a verified subscription accepts wrong tokens',
        "  if (!isPending) return wrongToken('should be the token that was sent to the address')\n",
        '  if (!isPending) return presentSubscription(row)\n',
      ],
    ],
  ),
  ...faultsIn(
    'domain/events/webhooks/subscriptions.ts',
    ['operations/webhook_subscriptions', 'events/waiting_deliveries.test.ts'],
    [
      ['a connection sees subscriptions of others', 'if (row?.connection_id !== connectionId)', 'if (!row)'],
      ['an eleventh subscription is created', ') >= SUBSCRIPTIONS_MAX)', ') > SUBSCRIPTIONS_MAX)'],
      [
        'a new address gets the token of the old one',
        ', sealed_token: await sealToken(db, row.id, newVerificationToken()), wrong_tries: 0 }',
        ', wrong_tries: 0 }',
      ],
      [
        'a short pause does not drop waiting events',
        ", pause_reason: 'requested', activation: row.activation + 1 }",
        ", pause_reason: 'requested' }",
      ],
    ],
  ),
  ...faultsIn(
    'domain/events/webhooks/delivery_run.ts',
    ['events/delivery.test.ts', 'events/waiting_deliveries.test.ts'],
    [
      ['deliveries to a slow receiver are claimed in advance', '(isQuick ? BEGUN_MAX : OPEN_MAX)', 'BEGUN_MAX'],
      [
        'deliveries are sent after the connection has lost access',
        'visibility.mayBeSent ? await',
        'visibility.mayBeSent !== undefined ? await',
      ],
      ['started deliveries are started again', '.filter(({ event_id: id }) => !begun.has(id))', ''],
      ['attempts are counted from 0', 'attempt: attempts + 1,', 'attempt: attempts,'],
    ],
  ),
  ...faultsIn(
    'domain/events/webhooks/delivery_outcomes.ts',
    ['events/delivery.test.ts', 'events/failing_deliveries.test.ts'],
    [
      ['failed deliveries are not retried', 'if (mark.dueTime !== null) {\n', 'if (mark.dueTime === 0) {\n'],
      ['a success does not end a period of failures', 'if (mark.wasFailing || known) await', 'if (known) await'],
      ['a subscription is paused an event too early', 'const LOST_EVENTS_MAX = 100', 'const LOST_EVENTS_MAX = 99'],
      ['a subscription is paused a moment too early', 'since: now - FAILING_MS_MAX', 'since: now - FAILING_MS_MAX + 1'],
    ],
  ),
  ...faultsIn(
    'domain/events/webhooks/sweep_deliveries.ts',
    ['events/waiting_deliveries.test.ts'],
    [
      [
        'dropped events are not counted as lost',
        'if (failingSince !== null) await noteFailures',
        'if (failingSince === 0) await noteFailures',
      ],
      ['waiting deliveries are never dropped', '  await giveUpDeliveries(db, ref, ids, { error: TOO_MANY, now })\n', ''],
    ],
  ),
  ...faultsIn(
    'domain/events/webhooks/retry_delay.ts',
    ['events/delivery.test.ts'],
    [['the fourth attempt comes late', '  15 * MINUTE_MS,\n', '  20 * MINUTE_MS,\n']],
  ),
  ...faultsIn(
    'jobs/queued_receivers.ts',
    ['events/waiting_deliveries.test.ts'],
    [
      ['a sixth delivery is sent at the same time', 'queue.openCount < OPEN_MAX', 'queue.openCount <= OPEN_MAX'],
      ['canceled deliveries are sent', 'begin(false)', 'begin(true)'],
    ],
  ),
  ...faultsIn(
    'outbound/webhook_receivers.ts',
    ['outbound/webhook_receivers.test.ts', 'operations/webhook_subscriptions'],
    [
      ['host names may resolve to private addresses', 'addresses.filter(isPublicAddress)', 'addresses'],
      [
        'a private address beside a public one is accepted',
        'addresses.every(isPublicAddress)',
        'addresses.some(isPublicAddress)',
      ],
      ['a redirect counts as an acknowledgement', 'statusCode < 300', 'statusCode < 400'],
    ],
  ),
  ...faultsIn(
    'outbound/webhook_receivers.ts',
    ['outbound/webhook_receivers.test.ts', 'outbound/keep_alive_connections.test.ts'],
    [
      ['a closed keep-alive connection counts as a failure', ' && wasUsedBefore(error)', ' && !wasUsedBefore(error)'],
      ['the end of a slow response body is awaited', ', signal: AbortSignal.timeout(BODY.milliseconds)', ''],
      ['an endless response body is read', 'limit: BODY.limit', 'limit: Infinity'],
    ],
  ),
  ...faultsIn(
    'domain/people/authenticate.ts',
    ['operations/webhook_subscriptions/createWebhookSubscription.test.ts'],
    [
      ['a disabled connection manages its subscriptions', ' || client.disabledTime !== null) throw', ') throw'],
      [
        'a connection of a suspended workspace manages its subscriptions',
        'proven && !(await isSuspended(db, proven.workspaceId)) ? proven : undefined',
        'proven',
      ],
    ],
  ),
]
