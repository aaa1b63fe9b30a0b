import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { RefusedRequest } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { RefusedRequestView } from '../parts/refused_request_view.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { StatusTag } from '../parts/status_tag.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, navigate } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const ROOT = '/requests'
const ID = /^[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}$/i

/** The requests that the service refused, or the one that the path names. */
export function Requests({ path, query }: ScreenProps): JSX.Element {
  const id = path.slice(ROOT.length + 1)
  return ID.test(id) ? <RefusedRequestView key={id} id={id} /> : <RequestList query={query} />
}

function RequestList({ query }: Pick<ScreenProps, 'query'>): JSX.Element {
  const [status, operation] = [query.get('status') ?? '', query.get('operation') ?? '']
  const filter = { ...(status !== '' && { status: Number(status) }), ...(operation !== '' && { operation }) }
  const load = () => consoleData(api.GET('/refused_requests', { params: { query: filter } }))
  const { data, error, reload } = useLoaded(load, `${status} ${operation}`)
  const isFiltered = status !== '' || operation !== ''
  return (
    <>
      <ScreenHeader title="Refused requests" action={<button onClick={reload}>Reload</button>}>
        Requests to the API that failed: which check refused each, and where. They appear within two seconds.
      </ScreenHeader>
      <FindById />
      <Filters status={status} operation={operation} />
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && (
        <EmptyState title={isFiltered ? 'No refused request matches' : 'No request was refused'}>
          <p>
            {isFiltered
              ? 'Choose another status or operation.'
              : 'When a program of yours gets an error, it appears here. Owners also see the requests of all connections of their workspace.'}
          </p>
        </EmptyState>
      )}
      <ul class="rows">
        {data?.results.map((request) => (
          <Row key={request.request_id} request={request} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Older ones are not listed. Filter the list, or open one by its id.</p>}
    </>
  )
}

function FindById(): JSX.Element {
  const [text, setText] = useState('')
  const [isWrong, setWrong] = useState(false)
  const open = (event: Event): void => {
    event.preventDefault()
    const id = text.trim()
    setWrong(!ID.test(id))
    if (ID.test(id)) navigate(`${ROOT}/${id}`)
  }
  return (
    <form onSubmit={open}>
      <div class="find">
        <label class="field grow">
          Request id
          <input
            value={text}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
            placeholder="request_id of the error"
            autocomplete="off"
            spellcheck={false}
            aria-invalid={isWrong}
            aria-describedby={isWrong ? 'wrong-id' : undefined}
          />
        </label>
        <button class="main">Open</button>
      </div>
      {isWrong && (
        <p id="wrong-id" class="small wrong" role="alert">
          This is not a request id. Copy the value of “request_id” from the error.
        </p>
      )}
    </form>
  )
}

const STATUSES: readonly number[] = [400, 401, 403, 404, 406, 409, 413, 429, 500, 503, 504, 529]

interface FiltersProps {
  readonly status: string
  readonly operation: string
}

/** The filters are in the address, so that a list can be bookmarked. */
function Filters({ status, operation }: FiltersProps): JSX.Element {
  const show = (changed: Partial<FiltersProps>): void => {
    const given = Object.entries({ status, operation, ...changed }).filter(([, value]) => value !== '')
    navigate(given.length === 0 ? ROOT : `${ROOT}?${new URLSearchParams(given)}`, true)
  }
  return (
    <div class="filters">
      <label class="field">
        Status
        <select value={status} onChange={({ currentTarget }) => show({ status: currentTarget.value })}>
          <option value="">All</option>
          {STATUSES.map((one) => (
            <option key={one} value={String(one)}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        Operation
        <input
          value={operation}
          onChange={({ currentTarget }) => show({ operation: currentTarget.value.trim() })}
          placeholder="createPage"
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
    </div>
  )
}

function Row({ request }: { readonly request: RefusedRequest }): JSX.Element {
  const { request_id, time, status, code, method, path, connection, member, message, locations } = request
  return (
    <li>
      <StatusTag status={status} />
      <div class="grow">
        <h2>
          <Link to={`${ROOT}/${request_id}`}>
            {method} {path}
          </Link>
        </h2>
        <p class="small">
          <code>{code}</code> {message ?? locations.map((location) => `at ${location}`).join(', ')}
        </p>
        <p class="small soft">
          {(connection ?? member)?.name ?? 'Unknown caller'} · <Moment time={time} />
        </p>
      </div>
    </li>
  )
}
