import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { newestRelease } from '../../generated/operations.ts'
import type { components } from '../../generated/types.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { WINDOW } from '../../server/domain/events/coalesce.ts'
import { FORM_EVENTS } from '../../server/domain/events/start_forming.ts'
import { enqueue } from '../../server/domain/shared/jobs/queue.ts'
import { renderWebhook } from '../../server/domain/events/webhooks/payload.ts'
import { insertSubscription, updateSubscription } from '../../server/store/webhook_subscriptions.ts'
import type { Json } from './json.ts'
import { publicContract, validatorOf } from './contract.ts'
import { until } from './process.ts'
import type { TestServer } from './server.ts'
import { markValuesOfEvent } from './seen_values.ts'

export type EventType = components['schemas']['WebhookEventType']
export type WebhookEvent = components['schemas']['WebhookEvent']
type ApiVersion = components['schemas']['WebhookApiVersion']

interface SubscriptionOptions {
  readonly connectionId: string
  /** The home workspace of the connection. */
  readonly workspaceId?: string
  readonly types: readonly EventType[]
  readonly version?: ApiVersion
}

const isEvent = validatorOf({ $ref: '#/components/schemas/WebhookEvent' })

/** An active webhook subscription, and the events created for it. */
export class Listening {
  readonly id = randomUUID()
  readonly #server: TestServer
  readonly #workspaceId: string

  private constructor(server: TestServer, workspaceId: string) {
    this.#server = server
    this.#workspaceId = workspaceId
  }

  static async start(server: TestServer, options: SubscriptionOptions): Promise<Listening> {
    const { connectionId, workspaceId = exampleWorkspace.workspace.id, types, version = newestRelease } = options
    const listening = new Listening(server, workspaceId)
    const now = server.clock.now()
    const key = { workspace_id: workspaceId, id: listening.id }
    await server.service.database.write(async (db) => {
      await insertSubscription(db, {
        ...key,
        connection_id: connectionId,
        name: null,
        url: 'https://hooks.northshore.invalid/in',
        event_types: JSON.stringify(types.toSorted()),
        api_version: version,
        sealed_token: null,
        created_time: now,
      })
      await updateSubscription(db, key, { status: 'active', verified_time: now, active_since: now, activation: 1 })
    })
    return listening
  }

  async change(changes: Parameters<typeof updateSubscription>[2]): Promise<void> {
    const key = { workspace_id: this.#workspaceId, id: this.id }
    await this.#server.service.database.write((db) => updateSubscription(db, key, changes))
  }

  /**
   * The events created so far, as in their first delivery attempt, by time and type. Each is checked against the contract.
   * @param server another server on the same database
   */
  async events(server = this.#server): Promise<WebhookEvent[]> {
    const rows = await server.service.database.read((db) =>
      db.all({ event: 'text' }, 'select event from webhook_deliveries where subscription_id = ?', this.id),
    )
    const events = rows.map(
      ({ event }) =>
        JSON.parse(renderWebhook({ token: '', content: { event, attempt: 1, accessibleBy: undefined } }).body) as WebhookEvent,
    )
    for (const event of events) expect([event, isEvent(event), isEvent.errors]).toEqual([event, true, null])
    markValuesOfEvent(events)
    const order = ({ timestamp, type, entity }: WebhookEvent): string => `${timestamp} ${type} ${entity.id}`
    return events.toSorted((one, other) => (order(one) < order(other) ? -1 : 1))
  }

  /** The events that `act` causes, after all windows have closed: type, entity id and data of each, sorted by type. */
  async eventsBy(act: () => Promise<unknown>): Promise<[string, string, Json][]> {
    await settle(this.#server)
    const before = new Set((await this.events()).map(({ id }) => id))
    await act()
    await settle(this.#server)
    const events = (await this.events()).filter(({ id }) => !before.has(id))
    return events
      .map((event): [string, string, Json] => [event.type, event.entity.id, 'data' in event ? (event.data as Json) : null])
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
  }
}

/** The entries of the outbox, in order. */
export async function waiting(server: TestServer): Promise<{ type: string; entityId: string }[]> {
  const rows = await server.service.database.read((db) =>
    db.all({ type: 'text', entity_id: 'text' }, 'select type, entity_id from outbox order by number'),
  )
  return rows.map(({ type, entity_id: entityId }) => ({ type, entityId }))
}

/** Lets all windows close, and waits until every entry of the outbox has become events. */
export async function settle(server: TestServer): Promise<void> {
  if ((await waiting(server)).length === 0) return
  server.clock.advance(WINDOW.quiet)
  await until(async () => {
    if ((await waiting(server)).length === 0) return true
    // Otherwise the runner would find a job only at its next poll, for which the clock would have to advance.
    await wakeRunner(server)
    return undefined
  })
}

/** Makes the runner of a server look for jobs at once. */
export async function wakeRunner(server: TestServer): Promise<void> {
  const job = { kind: FORM_EVENTS, workspaceId: exampleWorkspace.workspace.id, key: 'at_once', payload: { stream: 'at_once' } }
  await server.service.database.write((db) => enqueue(db, { ...job, dueTime: server.clock.now() }))
}

/** Every type of event in the contract. */
export function everyType(): readonly EventType[] {
  const { enum: types } = publicContract().components.schemas['WebhookEventType'] as { readonly enum: readonly EventType[] }
  return types
}

/** The types of all changes recorded for a subscription to every type, whether or not they are events yet. */
export async function noted(server: TestServer, listening: Listening): Promise<string[]> {
  // One statement, because entries move from one table to the other.
  const rows = await server.service.database.read((db) =>
    db.all(
      { type: 'text' },
      `select type from outbox where details not like '%"sent":true%'
       union all select event_type as type from webhook_deliveries where subscription_id = ?`,
      listening.id,
    ),
  )
  return rows.map(({ type }) => type).toSorted()
}
