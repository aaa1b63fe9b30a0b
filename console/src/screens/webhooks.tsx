import type { JSX } from 'preact'
import type { Webhook } from '../../../generated/console_types.ts'
import { api, base, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { WebhookDeliveryView } from '../parts/webhook_delivery_view.tsx'
import { WebhookTag } from '../parts/webhook_tag.tsx'
import { WebhookView } from '../parts/webhook_view.tsx'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const PATH = /^\/webhooks\/([\da-f-]{36})(?:\/([\da-f-]{36}))?$/
const load = () => consoleData(api.GET('/webhooks'))

/** The webhook subscriptions, or the subscription or delivery that the path names. */
export function Webhooks({ path }: ScreenProps): JSX.Element {
  const [, id, eventId] = PATH.exec(path) ?? []
  if (id === undefined) return <WebhookList />
  return eventId === undefined ? <WebhookView key={id} id={id} /> : <WebhookDeliveryView key={path} id={id} eventId={eventId} />
}

function WebhookList(): JSX.Element {
  const { data, error, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title="Webhooks" action={<button onClick={reload}>Reload</button>}>
        The addresses to which the connections of your workspaces have events sent, and whether they arrive.
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && (
        <EmptyState title="No webhook subscriptions">
          <p>
            Connections subscribe through the API: see{' '}
            <a href={`${base}/docs/operations/createWebhookSubscription`}>createWebhookSubscription</a>. Owners of a workspace see
            the subscriptions of its connections here.
          </p>
        </EmptyState>
      )}
      <ul class="rows states">
        {data?.results.map((webhook) => (
          <Row key={webhook.id} {...webhook} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Older ones are not listed.</p>}
    </>
  )
}

function Row(webhook: Webhook): JSX.Element {
  const { id, name, url, connection, workspace, event_types, created_time } = webhook
  return (
    <li>
      <WebhookTag {...webhook} />
      <div class="grow">
        <h2>
          <Link to={`/webhooks/${id}`}>{name ?? url}</Link>
        </h2>
        {name !== null && <p class="small">{url}</p>}
        <p class="small soft">
          {connection?.name ?? 'A removed connection'} · {workspace?.name ?? 'A workspace without a name'} ·{' '}
          {event_types.length === 1 ? event_types[0] : `${event_types.length} types of events`} · made{' '}
          <Moment time={created_time} />
        </p>
      </div>
    </li>
  )
}
