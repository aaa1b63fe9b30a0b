import type { JSX } from 'preact'
import type { AuditEntry, AuditEntryList } from '../../../generated/console_types.ts'
import { api, base, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link, navigate } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const ROOT = '/audit'
const COMMAND_LINE = 'command_line'
const FILTERS = ['workspace', 'since', 'actor', 'action', 'object', 'cursor'] as const
type View = Readonly<Record<(typeof FILTERS)[number], string>>

/** Who has changed what in a workspace that the person owns. */
export function AuditLog({ session, query }: ScreenProps): JSX.Element {
  const owned = session.workspaces.filter(({ role }) => role === 'owner')
  const given = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ''])) as View
  const view = { ...given, workspace: given.workspace || (owned[0]?.id ?? '') }
  return (
    <>
      <ScreenHeader title="Audit log">
        What people, connections and the operator have changed in your workspace, newest first.
      </ScreenHeader>
      {view.workspace === '' ? (
        <EmptyState title="You own no workspace">
          <p>Only owners see what others have changed.</p>
        </EmptyState>
      ) : (
        <>
          {owned.length > 1 && (
            <label class="field alone">
              Workspace
              <select
                value={view.workspace}
                onChange={({ currentTarget }) => show({ ...NO_FILTER, workspace: currentTarget.value })}
              >
                {owned.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name ?? 'A workspace without a name'}
                  </option>
                ))}
              </select>
            </label>
          )}
          <Filters {...view} />
          <Entries {...view} />
        </>
      )}
    </>
  )
}

const NO_FILTER: View = { workspace: '', since: '', actor: '', action: '', object: '', cursor: '' }

/** The filters are in the address, so that a list can be bookmarked. */
function pathOf(view: View): string {
  const given = Object.entries(view).filter(([, value]) => value !== '')
  return given.length === 0 ? ROOT : `${ROOT}?${new URLSearchParams(given)}`
}

function show(view: View): void {
  navigate(pathOf(view))
}

function Filters(view: View): JSX.Element {
  const set = (changed: Partial<View>): void => show({ ...view, cursor: '', ...changed })
  const isChosen = view.actor !== '' && view.actor !== COMMAND_LINE
  return (
    <div class="filters">
      <label class="field">
        Since
        <input type="date" value={view.since} onChange={({ currentTarget }) => set({ since: currentTarget.value })} />
      </label>
      <label class="field">
        By
        <select value={view.actor} onChange={({ currentTarget }) => set({ actor: currentTarget.value })}>
          <option value="">Everybody</option>
          <option value={COMMAND_LINE}>Command line</option>
          {isChosen && <option value={view.actor}>Chosen in the list</option>}
        </select>
      </label>
      <label class="field">
        Action
        <input
          value={view.action}
          onChange={({ currentTarget }) => set({ action: currentTarget.value.trim() })}
          placeholder="createPage"
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      <label class="field">
        Object id
        <input
          value={view.object}
          onChange={({ currentTarget }) => set({ object: currentTarget.value.trim() })}
          maxLength={36}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
    </div>
  )
}

async function load({ workspace, since, actor, action, object, cursor }: View): Promise<AuditEntryList> {
  const query = {
    // Dates are those of the browser's time zone.
    ...(since !== '' && { since: new Date(`${since}T00:00`).toISOString() }),
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(object !== '' && { object_id: object }),
    ...(cursor !== '' && { cursor }),
  }
  const params = { path: { workspace_id: workspace }, query }
  return consoleData(api.GET('/workspaces/{workspace_id}/audit_log', { params }))
}

function Entries(view: View): JSX.Element {
  const { cursor } = view
  const { data, error, reload } = useLoaded(() => load(view), pathOf(view))
  return (
    <>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && (
        <EmptyState title="No entry matches">
          <p>{typeof data.next_cursor === 'string' ? 'Older entries have not been searched yet.' : 'Choose other filters.'}</p>
        </EmptyState>
      )}
      <ul class="rows">
        {data?.results.map((entry, index) => (
          <Row key={index} entry={entry} view={view} />
        ))}
      </ul>
      {(cursor !== '' || typeof data?.next_cursor === 'string') && (
        <p class="pager">
          {cursor !== '' && <Link to={pathOf({ ...view, cursor: '' })}>Newest entries</Link>}
          {typeof data?.next_cursor === 'string' && <Link to={pathOf({ ...view, cursor: data.next_cursor })}>Older entries</Link>}
        </p>
      )}
    </>
  )
}

function Row({ entry, view }: { readonly entry: AuditEntry; readonly view: View }): JSX.Element {
  const { time, actor, action, target, request_id, address } = entry
  const name = actor.type === COMMAND_LINE ? 'Command line' : (actor.name ?? 'Somebody without a name')
  return (
    <li>
      <div class="grow">
        <h2>
          <code>{action}</code>
        </h2>
        {target && <Target {...target} />}
        <p class="small soft">
          <Link to={pathOf({ ...view, cursor: '', actor: actor.id ?? COMMAND_LINE })}>{name}</Link> · <Moment time={time} />
          {address !== null && ` · ${address}`}
          {request_id !== null && ` · request ${request_id}`}
        </p>
      </div>
    </li>
  )
}

const PAGES: readonly string[] = ['page', 'database', 'data_source', 'block']

/** What was changed, with a link to it if there is one. */
function Target({ type, id, name }: NonNullable<AuditEntry['target']>): JSX.Element {
  const text = [type.replaceAll('_', ' '), name ?? id].filter((part) => part !== null).join(' ')
  return (
    <p class="small">
      {id !== null && PAGES.includes(type) && <a href={`${base}/${id.replaceAll('-', '')}`}>{text}</a>}
      {id !== null && type === 'webhook' && <Link to={`/webhooks/${id}`}>{text}</Link>}
      {(id === null || !(PAGES.includes(type) || type === 'webhook')) && text}
    </p>
  )
}
