import type { JSX } from 'preact'
import type { RefusedRequest, RefusedRequestDetails } from '../../../generated/console_types.ts'
import { api, base, consoleData } from '../api.ts'
import { markedLines } from '../marked_lines.ts'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { CopyButton } from './copy_button.tsx'
import { Fact } from './fact.tsx'
import { Moment } from './moment.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { StatusTag } from './status_tag.tsx'
import { Trouble } from './trouble.tsx'

/** One refused request: who sent it, which check refused it, and where. */
export function RefusedRequestView({ id }: { readonly id: string }): JSX.Element {
  const load = () => consoleData(api.GET('/refused_requests/{request_id}', { params: { path: { request_id: id } } }))
  const { data, error, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title="Refused request">
        <Link to="/requests">All refused requests</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data && <Details {...data} />}
    </>
  )
}

function Details(details: RefusedRequestDetails): JSX.Element {
  const { refused_request: request, command } = details
  return (
    <>
      <section class="reason">
        <p>
          <StatusTag status={request.status} /> <code>{request.code}</code>
        </p>
        <p class="said">{request.message ?? 'Only the person who sent this request sees its message.'}</p>
        <Locations locations={request.locations} />
      </section>
      <Facts {...request} />
      <h2 class="part-title">Body</h2>
      <Body {...details} />
      {request.method !== '' && (
        <>
          <h2 class="part-title">As curl</h2>
          <p class="small soft beside">Queries, headers and tokens are not stored: add the query, and set TOKEN.</p>
          <div class="secret">
            <pre tabIndex={0} role="region" aria-label="Command">
              {command}
            </pre>
            <CopyButton text={command} label="Copy command" />
          </div>
        </>
      )}
    </>
  )
}

function Locations({ locations }: Pick<RefusedRequest, 'locations'>): JSX.Element | null {
  if (locations.length === 0) return null
  return (
    <ul class="locations">
      {locations.map((location) => (
        <li key={location}>
          at <code>{location}</code>
        </li>
      ))}
    </ul>
  )
}

function Facts({ request_id, time, method, path, operation, reference, ...caller }: RefusedRequest): JSX.Element {
  const { workspace, connection, member } = caller
  return (
    <dl class="facts">
      <Fact name="Request">
        <code>
          {method} {path}
        </code>
      </Fact>
      <Fact name="Operation">
        {reference === null ? operation : <a href={`${base}${reference}`}>{operation} in the reference</a>}
      </Fact>
      {connection && <Fact name="Connection">{connection.name ?? connection.id}</Fact>}
      {member && <Fact name="Person">{member.name ?? member.id}</Fact>}
      {workspace && <Fact name="Workspace">{workspace.name ?? workspace.id}</Fact>}
      <Fact name="Time">
        <Moment time={time} />
      </Fact>
      <Fact name="Request id">
        <code>{request_id}</code>
      </Fact>
    </dl>
  )
}

const ABSENT: Readonly<Record<Exclude<RefusedRequestDetails['body_state'], 'shown'>, string>> = {
  not_stored:
    'No body is stored. The request had none, it was too long to keep, or the operator of the service does not store bodies (REFUSED_BODIES=true stores them, without secrets).',
  of_another_person: 'Only the person who sent this request sees its body.',
}

/** The body, with the invalid parts marked. */
function Body({ body, body_state, refused_request }: RefusedRequestDetails): JSX.Element {
  if (body_state !== 'shown') return <p class="soft">{ABSENT[body_state]}</p>
  return (
    <pre class="sent" tabIndex={0} role="region" aria-label="Body">
      {markedLines(body, refused_request.locations).map(({ text, isMarked }, index) =>
        isMarked ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
    </pre>
  )
}
