import {
  changeOwnedStatus,
  findOwnedDelivery,
  findOwnedWebhook,
  listOwnedWebhooks,
  logOfOwned,
  sendOwnedDelivery,
  type OwnedDelivery,
  type OwnedWebhook,
} from '../../domain/administration/index.ts'
import type { Transaction } from '../../domain/shared/index.ts'
import { ServiceError, stateError } from '../../kernel/errors.ts'
import { canonicalId } from '../../kernel/ids.ts'
import type { ConsoleCall, ConsoleHandlers, ConsoleResponse } from './console_calls.ts'
import { timeText } from './time_text.ts'

const LISTED_MAX = 100
/** The maximum number of listed deliveries that have not ended, so that a backlog does not hide those that have. */
const WAITING_LISTED_MAX = 50

type WebhookId = 'listWebhooks' | 'retrieveWebhook' | 'updateWebhook' | 'retrieveWebhookDelivery' | 'sendWebhookDelivery'
type WebhookCall = Pick<ConsoleCall<'retrieveWebhook'>, 'deps' | 'session' | 'path' | 'now'>
type DeliveryCall = Pick<ConsoleCall<'retrieveWebhookDelivery'>, 'deps' | 'session' | 'path' | 'now'>

/** The operations about webhook subscriptions, for the owners of the workspaces of their connections. */
export const webhookHandlers: ConsoleHandlers<WebhookId> = {
  async listWebhooks({ deps, session }) {
    const found = await deps.database.read((db) => listOwnedWebhooks(db, session.personId, LISTED_MAX + 1))
    const results = found.slice(0, LISTED_MAX).map(present)
    return { object: 'list', type: 'webhook', results, has_more: found.length > LISTED_MAX }
  },
  retrieveWebhook,
  async updateWebhook(call) {
    await change(call, (db, webhook) => changeOwnedStatus(db, call.session.personId, webhook, call.body.status, call.now))
    return retrieveWebhook(call)
  },
  retrieveWebhookDelivery,
  async sendWebhookDelivery(call) {
    const { session, path, now } = call
    await change(call, async (db, webhook) => {
      const { status } = webhook.row
      if (status !== 'active') throw stateError(`The subscription is ${STATUSES[status]}; only active ones receive events.`)
      if (!(await sendOwnedDelivery(db, session.personId, webhook, canonicalId(path.event_id), now))) throw missing('delivery')
    })
    return retrieveWebhookDelivery(call)
  },
}

const STATUSES = { pending_verification: 'not verified yet', paused: 'paused' } as const

async function retrieveWebhook({ deps, session, path }: WebhookCall): Promise<ConsoleResponse<'retrieveWebhook'>> {
  const { webhook, waitingCount, deliveries } = await deps.database.read(async (db) => {
    const found = await findOwnedWebhook(db, session.personId, canonicalId(path.subscription_id))
    if (!found) throw missing('webhook subscription')
    return logOfOwned(db, found, LISTED_MAX + 1, WAITING_LISTED_MAX)
  })
  const waitingListed = deliveries.filter(({ row }) => row.due_time !== null).length
  return {
    object: 'webhook_details',
    webhook: present(webhook),
    waiting_count: waitingCount,
    deliveries: deliveries.slice(0, LISTED_MAX).map(presentDelivery),
    has_more: deliveries.length > LISTED_MAX || waitingCount > waitingListed,
  }
}

async function retrieveWebhookDelivery(call: DeliveryCall): Promise<ConsoleResponse<'retrieveWebhookDelivery'>> {
  const { deps, session, path } = call
  return deps.database.read(async (db) => {
    const webhook = await findOwnedWebhook(db, session.personId, canonicalId(path.subscription_id))
    const delivery = webhook && (await findOwnedDelivery(db, webhook, canonicalId(path.event_id)))
    if (!delivery) throw missing('delivery')
    return {
      object: 'webhook_delivery_details',
      webhook: present(webhook),
      delivery: presentDelivery(delivery),
      event: delivery.event,
    }
  })
}

/** Changes a subscription while no other writer changes its workspace, if the person owns that. */
async function change(
  { deps, session, path }: WebhookCall,
  work: (db: Transaction, webhook: OwnedWebhook) => Promise<void>,
): Promise<void> {
  const id = canonicalId(path.subscription_id)
  const before = await deps.database.read((db) => findOwnedWebhook(db, session.personId, id))
  if (!before) throw missing('webhook subscription')
  await deps.database.write(async (db) => {
    const webhook = await findOwnedWebhook(db, session.personId, id)
    if (!webhook) throw missing('webhook subscription')
    await work(db, webhook)
  }, before.row.workspace_id)
}

function missing(kind: 'webhook subscription' | 'delivery'): ServiceError {
  const rest = kind === 'delivery' ? ' Ended deliveries are stored for seven days.' : ''
  return new ServiceError('object_not_found', { message: `There is no ${kind} with this id that you may see.${rest}` })
}

function present({ row, ...one }: OwnedWebhook): ConsoleResponse<'listWebhooks'>['results'][number] {
  const { id, name, url, status, pause_reason, api_version, verification_time: verifiedTime } = row
  return {
    object: 'webhook',
    ...{ id, name, url, status, pause_reason, api_version },
    connection: { id: row.connection_id, name: one.connectionName },
    workspace: { id: row.workspace_id, name: one.workspaceName },
    event_types: [...one.eventTypes],
    created_time: timeText(row.created_time),
    failing_since: nullableTime(row.failing_since),
    last_verification:
      verifiedTime === null
        ? null
        : { time: timeText(verifiedTime), status: row.verification_status, error: row.verification_error },
  }
}

function presentDelivery({ row, event }: OwnedDelivery): ConsoleResponse<'retrieveWebhook'>['deliveries'][number] {
  const { event_id, event_type, attempts, status_code: status, error } = row
  return {
    object: 'webhook_delivery',
    ...{ event_id, event_type, attempts, status, error },
    entity: event && { id: event.entity.id, type: event.entity.type },
    state: row.ended_time === null ? 'waiting' : row.is_delivered === 1 ? 'delivered' : 'given_up',
    created_time: timeText(row.created_time),
    attempt_time: nullableTime(row.attempt_time),
    due_time: nullableTime(row.due_time),
    ended_time: nullableTime(row.ended_time),
  }
}

function nullableTime(time: number | null): string | null {
  return time === null ? null : timeText(time)
}
