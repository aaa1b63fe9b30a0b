import { randomUUID } from 'node:crypto'
import { newestRelease } from '../../generated/operations.ts'
import { exampleWorkspace } from '../../server/bootstrap/example_workspace.ts'
import { insertDelivery } from '../../server/domain/events/webhooks/insert_delivery.ts'
import type { FormedEvent } from '../../server/domain/events/webhooks/payload.ts'
import { until } from './process.ts'
import type { TestServer } from './server.ts'

/** An event of a page in its delivered form. */
export function formedEvent(subscriptionId: string, id: string = randomUUID()): FormedEvent {
  return {
    id,
    timestamp: '2026-05-16T04:30:00.000Z',
    workspace_id: exampleWorkspace.workspace.id,
    workspace_name: exampleWorkspace.workspace.name,
    subscription_id: subscriptionId,
    integration_id: exampleWorkspace.connection.id,
    authors: [{ id: exampleWorkspace.people[0].id, type: 'person' }],
    api_version: newestRelease,
    type: 'page.created',
    entity: { id: exampleWorkspace.pages.handbook, type: 'page' },
    data: { parent: { id: exampleWorkspace.workspace.id, type: 'space' } },
  }
}

/** Adds deliveries of new events. @returns the ids of the events */
export async function insertDeliveries(server: TestServer, subscriptionId: string, count = 1): Promise<string[]> {
  const events = Array.from({ length: count }, () => formedEvent(subscriptionId))
  await server.service.database.write((db) =>
    insertDelivery(db, [{ homeId: exampleWorkspace.workspace.id, subscriptionId, events }], server.clock.now()),
  )
  return events.map(({ id }) => id)
}

export interface DeliveryRow {
  readonly event_id: string
  readonly due_time: number | null
  readonly ended_time: number | null
  readonly attempts: number
  readonly status_code: number | null
  readonly error: string | null
  readonly is_delivered: number | null
}

export async function deliveriesOf(server: TestServer, subscriptionId: string): Promise<readonly DeliveryRow[]> {
  return server.service.database.read((db) =>
    db.all(
      {
        event_id: 'text',
        due_time: 'integer?',
        ended_time: 'integer?',
        attempts: 'integer',
        status_code: 'integer?',
        error: 'text?',
        is_delivered: 'integer?',
      },
      `select event_id, due_time, ended_time, attempts, status_code, error, is_delivered from webhook_deliveries
       where subscription_id = ?`,
      subscriptionId,
    ),
  )
}

/** Waits until every attempt that is due has ended. */
export async function untilIdle(server: TestServer): Promise<void> {
  await until(async () => {
    const jobs = await server.service.database.read((db) =>
      db.all(
        {},
        `select kind from jobs where kind like 'webhook%' and (state in ('ready', 'running') or (state = 'waiting' and due_time <= ?))`,
        server.clock.now(),
      ),
    )
    return jobs.length === 0 || undefined
  })
}
