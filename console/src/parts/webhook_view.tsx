import type { JSX } from 'preact'
import type { Webhook, WebhookDelivery, WebhookDetails } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { Link } from '../route.tsx'
import { useAct } from '../use_act.ts'
import { useLoaded } from '../use_loaded.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { DeliveryTag } from './delivery_tag.tsx'
import { EmptyState } from './empty_state.tsx'
import { Fact } from './fact.tsx'
import { Moment } from './moment.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { Trouble } from './trouble.tsx'
import { WebhookTag } from './webhook_tag.tsx'

/** One subscription: its receiver, and its latest deliveries. */
export function WebhookView({ id }: { readonly id: string }): JSX.Element {
  const load = () => consoleData(api.GET('/webhooks/{subscription_id}', { params: { path: { subscription_id: id } } }))
  const { data, error, set, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title={data?.webhook.name ?? 'Webhook subscription'} action={<button onClick={reload}>Reload</button>}>
        <Link to="/webhooks">All webhooks</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data && (
        <>
          <Facts {...data} />
          <StatusActions details={data} show={set} />
          <h2 class="part-title">Deliveries</h2>
          <Deliveries {...data} />
        </>
      )}
    </>
  )
}

function Facts({ webhook, waiting_count }: WebhookDetails): JSX.Element {
  const { url, connection, workspace, event_types, api_version, created_time, failing_since } = webhook
  return (
    <dl class="facts">
      <Fact name="Status">
        <WebhookTag {...webhook} /> {explanationOf(webhook)}
      </Fact>
      <Fact name="Receiver">
        <code>{url}</code>
      </Fact>
      {connection && <Fact name="Connection">{connection.name ?? connection.id}</Fact>}
      {workspace && <Fact name="Workspace">{workspace.name ?? workspace.id}</Fact>}
      <Fact name="Events">
        <ul class="shared">
          {event_types.map((type) => (
            <li key={type}>
              <code>{type}</code>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="API version">{api_version}</Fact>
      <Fact name="Made">
        <Moment time={created_time} />
      </Fact>
      {failing_since !== null && (
        <Fact name="Failing since">
          <Moment time={failing_since} />
        </Fact>
      )}
      <Fact name="Waiting">{waiting_count === 1 ? '1 delivery' : `${waiting_count.toLocaleString()} deliveries`}</Fact>
    </dl>
  )
}

function explanationOf({ status, pause_reason, last_verification }: Webhook): string {
  if (status === 'active') return ''
  if (status === 'paused')
    return pause_reason === 'delivery_failures'
      ? 'The service paused it because deliveries failed for a week. Fix the receiver, then resume it.'
      : 'The connection or an owner paused it.'
  if (last_verification === null) return 'The verification token is being sent to the receiver.'
  return last_verification.error ?? 'The receiver got the verification token. The connection has to send it back through the API.'
}

interface StatusActionsProps {
  readonly details: WebhookDetails
  readonly show: (details: WebhookDetails) => void
}

function StatusActions({ details, show }: StatusActionsProps): JSX.Element | null {
  const { id, url, status } = details.webhook
  const change = async (next: 'active' | 'paused'): Promise<void> => {
    const call = api.PATCH('/webhooks/{subscription_id}', { params: { path: { subscription_id: id } }, body: { status: next } })
    show(await consoleData(call))
  }
  const resuming = useAct(() => change('active'))
  if (status === 'pending_verification') return null
  return (
    <>
      {resuming.error !== undefined && <Trouble message={resuming.error} />}
      <div class="actions start">
        {status === 'paused' ? (
          <button disabled={resuming.isBusy} onClick={() => void resuming.run()}>
            Resume
          </button>
        ) : (
          <ConfirmButton label="Pause" subject={url} title="Pause this subscription?" act={() => change('paused')}>
            <p>{dropped(details.waiting_count)}</p>
            <p>While it is paused, its events are lost. It receives only those that happen after you resume it.</p>
          </ConfirmButton>
        )}
      </div>
    </>
  )
}

function dropped(count: number): string {
  if (count === 0) return 'No deliveries wait now. Those that wait when you pause it are dropped, and cannot be sent later.'
  const subject = count === 1 ? 'The delivery that waits is' : `The ${count.toLocaleString()} deliveries that wait are`
  return `${subject} dropped, and cannot be sent later.`
}

function Deliveries({ webhook, deliveries, has_more }: WebhookDetails): JSX.Element {
  if (deliveries.length === 0)
    return (
      <EmptyState title="No deliveries">
        <p>Events appear here when they happen, and are stored for seven days after their delivery.</p>
      </EmptyState>
    )
  return (
    <>
      <ul class="rows states">
        {deliveries.map((delivery) => (
          <Row key={delivery.event_id} webhookId={webhook.id} delivery={delivery} />
        ))}
      </ul>
      {has_more && <p class="small soft more">Others are not listed.</p>}
    </>
  )
}

function Row({ webhookId, delivery }: { readonly webhookId: string; readonly delivery: WebhookDelivery }): JSX.Element {
  const { event_id, event_type, entity, attempts, status, error, created_time, due_time } = delivery
  return (
    <li>
      <DeliveryTag {...delivery} />
      <div class="grow">
        <h3>
          <Link to={`/webhooks/${webhookId}/${event_id}`}>{event_type}</Link>
        </h3>
        {attempts > 0 && <p class="small">{error ?? `The receiver responded with status ${status}.`}</p>}
        <p class="small soft">
          {entity && `${entity.type} ${entity.id} · `}
          <Moment time={created_time} /> · {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {due_time !== null && (
            <>
              {' '}
              · next <Moment time={due_time} />
            </>
          )}
        </p>
      </div>
    </li>
  )
}
