import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InternalConnection, InternalConnectionToken } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { ConnectionForm, type NewConnectionSettings } from '../parts/connection_form.tsx'
import { EmptyState } from '../parts/empty_state.tsx'
import { InternalConnectionView } from '../parts/internal_connection_view.tsx'
import { Moment } from '../parts/moment.tsx'
import { NewSecret } from '../parts/new_secret.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const PATH = /^\/internal-connections\/([\da-f-]{36})$/
const load = () => consoleData(api.GET('/internal_connections'))

/** The internal connections of the workspaces that the person owns, or the one that the path names. */
export function InternalConnections(props: ScreenProps): JSX.Element {
  const [, id] = PATH.exec(props.path) ?? []
  return id === undefined ? <InternalConnectionList {...props} /> : <InternalConnectionView key={id} id={id} />
}

function InternalConnectionList({ session }: ScreenProps): JSX.Element {
  const { data, error, set, reload } = useLoaded(load)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<InternalConnectionToken>()
  const workspaces = session.workspaces.filter(({ role }) => role === 'owner')
  const make = async ({ workspace_id, name, capabilities }: NewConnectionSettings): Promise<void> => {
    const created = await consoleData(api.POST('/internal_connections', { body: { workspace_id, name, capabilities } }))
    setMade(created)
    setMaking(false)
    if (data) set({ ...data, results: [created.connection, ...data.results] })
  }
  const button = (
    <button class="main" onClick={() => setMaking(true)}>
      New connection
    </button>
  )
  return (
    <>
      <ScreenHeader title="Internal connections" action={workspaces.length > 0 && button}>
        Programs of your workspace with a token of their own. Each sees only what you share with it.
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {made && (
        <NewSecret
          name={made.connection.name}
          kind="token"
          secret={made.token}
          command={made.command}
          close={() => setMade(undefined)}
        />
      )}
      {data?.results.length === 0 && (
        <EmptyState title="No internal connections">
          {workspaces.length > 0 ? (
            <p>
              Make one with “New connection”, and share pages with it. Its token works for one program, whoever leaves the
              workspace.
            </p>
          ) : (
            <p>Owners of a workspace make connections in it. Ask one of them.</p>
          )}
        </EmptyState>
      )}
      <ul class="rows">
        {data?.results.map((connection) => (
          <Row key={connection.id} {...connection} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Older ones are not listed.</p>}
      {isMaking && (
        <ConnectionForm
          title="New internal connection"
          button="Make connection"
          hint="What it is for, such as “Tide table”. Its pages and comments show this name."
          workspaces={workspaces}
          asksForUris={false}
          make={make}
          close={() => setMaking(false)}
        />
      )}
    </>
  )
}

function Row({ id, name, workspace, is_enabled, created_time }: InternalConnection): JSX.Element {
  return (
    <li>
      <div class="grow">
        <h2>
          <Link to={`/internal-connections/${id}`}>{name}</Link>
        </h2>
        <p class="small soft">
          {workspace?.name ?? 'A workspace without a name'} · made <Moment time={created_time} />
        </p>
      </div>
      {!is_enabled && <span class="tag bad">Disabled</span>}
    </li>
  )
}
