import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { WebhookDeliveryDetails, WebhookEntity } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { Link } from '../route.tsx'
import { useAct } from '../use_act.ts'
import { useLoaded } from '../use_loaded.ts'
import { CopyButton } from './copy_button.tsx'
import { DeliveryTag } from './delivery_tag.tsx'
import { Fact } from './fact.tsx'
import { Moment } from './moment.tsx'
import { PageLink } from './page_link.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { Trouble } from './trouble.tsx'

interface WebhookDeliveryViewProps {
  readonly id: string
  readonly eventId: string
}

/** One delivery: its last attempt, its event, and sending it now. */
export function WebhookDeliveryView({ id, eventId }: WebhookDeliveryViewProps): JSX.Element {
  const params = { params: { path: { subscription_id: id, event_id: eventId } } }
  const loaded = useLoaded(() => consoleData(api.GET('/webhooks/{subscription_id}/deliveries/{event_id}', params)))
  const { data, error, set, reload } = loaded
  const { watch, isWatching } = useOutcome(data, reload)
  const sending = useAct(async () => {
    const sent = await consoleData(api.POST('/webhooks/{subscription_id}/deliveries/{event_id}', params))
    set(sent)
    watch(sent)
  })
  const isActive = data?.webhook.status === 'active'
  const button = (
    <button class="main" disabled={sending.isBusy || isWatching} onClick={() => void sending.run()}>
      {data?.delivery.state === 'waiting' ? 'Send now' : 'Send again'}
    </button>
  )
  return (
    <>
      <ScreenHeader title={data?.delivery.event_type ?? 'Delivery'} action={isActive && button}>
        <Link to={`/webhooks/${id}`}>All deliveries to this receiver</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {sending.error !== undefined && <Trouble message={sending.error} />}
      {data && <Details {...data} isSending={isWatching} />}
    </>
  )
}

const LOOK_MS = 1_000
const LOOKS_MAX = 15

/** Loads a delivery that was sent until its next attempt has ended, for some seconds. */
function useOutcome(
  data: WebhookDeliveryDetails | undefined,
  reload: () => void,
): { readonly watch: (sent: WebhookDeliveryDetails) => void; readonly isWatching: boolean } {
  const [looks, setLooks] = useState({ left: 0, attempts: 0 })
  const isWaiting = data?.delivery.state === 'waiting' && data.delivery.attempts <= looks.attempts
  const isWatching = looks.left > 0 && isWaiting
  useEffect(() => {
    if (!isWatching) return
    const timer = setTimeout(() => {
      setLooks({ ...looks, left: looks.left - 1 })
      reload()
    }, LOOK_MS)
    return () => clearTimeout(timer)
  }, [looks, isWatching])
  return { isWatching, watch: ({ delivery }) => setLooks({ left: LOOKS_MAX, attempts: delivery.attempts }) }
}

/** The types of records whose addresses open a page. */
const HAVE_PAGES: ReadonlySet<string> = new Set(['page', 'database', 'data_source'])

function nameOf({ id, type }: NonNullable<WebhookEntity>): string {
  return `${type} ${id}`
}

function Details({ webhook, delivery, event, isSending }: WebhookDeliveryDetails & { readonly isSending: boolean }): JSX.Element {
  const { error, entity } = delivery
  const text = JSON.stringify(event, undefined, 2)
  return (
    <>
      <section class={error === null ? undefined : 'reason'}>
        <p role="status">{isSending ? 'Sending…' : <DeliveryTag {...delivery} />}</p>
        {error !== null && <p class="said">{error}</p>}
      </section>
      <dl class="facts">
        <Fact name="Receiver">
          <code>{webhook.url}</code>
        </Fact>
        {webhook.status !== 'active' && <Fact name="Subscription">It is not active, so that nothing can be sent.</Fact>}
        {entity && (
          <Fact name="About">
            {HAVE_PAGES.has(entity.type) ? <PageLink id={entity.id} title={nameOf(entity)} icon={null} /> : nameOf(entity)}
          </Fact>
        )}
        <Attempts {...delivery} />
        <Fact name="Event id">
          <code>{delivery.event_id}</code>
        </Fact>
      </dl>
      <h2 class="part-title">Event</h2>
      <p class="small soft beside">Each attempt adds its number, and for public connections who can see the record.</p>
      <div class="secret">
        <pre tabIndex={0} role="region" aria-label="Event">
          {text}
        </pre>
        <CopyButton text={text} label="Copy event" />
      </div>
    </>
  )
}

function Attempts(delivery: WebhookDeliveryDetails['delivery']): JSX.Element {
  const { created_time, attempts, attempt_time, status, due_time } = delivery
  return (
    <>
      <Fact name="Happened">
        <Moment time={created_time} />
      </Fact>
      <Fact name="Attempts">{attempts}</Fact>
      {attempt_time !== null && (
        <Fact name="Last attempt">
          <Moment time={attempt_time} /> · {status === null ? 'no response' : `status ${status}`}
        </Fact>
      )}
      {due_time !== null && (
        <Fact name="Next attempt">
          <Moment time={due_time} />
        </Fact>
      )}
    </>
  )
}
