import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { RateLimitUse } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../use_loaded.ts'

const RELOAD_MS = 5_000
const load = () => consoleData(api.GET('/rate_limits'))
const number = new Intl.NumberFormat()

/** How much of each rate limit is used at the moment. */
export function RateLimits(): JSX.Element {
  const { data, error, reload } = useLoaded(load)
  useEffect(() => {
    const timer = setTimeout(reload, RELOAD_MS)
    return () => clearTimeout(timer)
  }, [data])
  return (
    <>
      <ScreenHeader title="Rate limits">
        How many requests are used in the current window. A caller at its limit gets the error 429 until the window ends.
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data && !data.is_enforced && (
        <EmptyState title="Requests are not limited">
          <p>The operator of this service has switched the rate limits off (RATE_LIMIT=off).</p>
        </EmptyState>
      )}
      <Group title="Your personal tokens, all together" limits={data?.results.filter(({ kind }) => kind === 'person')} />
      {data?.results
        .filter(({ kind }) => kind === 'workspace')
        .map(({ id, name }) => (
          <Group
            key={id}
            title={name ?? 'A workspace without a name'}
            limits={data.results.filter(({ workspace_id }) => workspace_id === id)}
          />
        ))}
    </>
  )
}

function Group({ title, limits = [] }: { readonly title: string; readonly limits?: readonly RateLimitUse[] | undefined }) {
  if (limits.length === 0) return null
  return (
    <>
      <h2 class="part-title">{title}</h2>
      <ul class="rows">
        {limits.map((limit) => (
          <Bar key={`${limit.kind} ${limit.id}`} {...limit} />
        ))}
      </ul>
    </>
  )
}

function Bar({ kind, name, limit, used, window_seconds, reset_seconds }: RateLimitUse): JSX.Element {
  const shownName = kind === 'workspace' ? 'All callers together' : (name ?? 'A connection without a name')
  return (
    <li>
      <div class="grow">
        <h3>
          {shownName} {used >= limit && <span class="tag bad">At the limit</span>}
        </h3>
        <progress max={limit} value={used} aria-label={`Requests of ${shownName}`} />
        <p class="small soft">
          {number.format(used)} of {number.format(limit)} requests in {number.format(window_seconds)} seconds
          {used > 0 && ` · resets in ${number.format(reset_seconds)} s`}
        </p>
      </div>
    </li>
  )
}
