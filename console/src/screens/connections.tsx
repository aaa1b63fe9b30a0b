import type { JSX } from 'preact'
import type { AuthorizedConnection } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { ConfirmButton } from '../parts/confirm_button.tsx'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { PageLink } from '../parts/page_link.tsx'
import { Rights } from '../parts/rights.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../use_loaded.ts'

const load = () => consoleData(api.GET('/connections')).then(({ results }) => results)

/** The programs to which the person has given access. */
export function Connections(): JSX.Element {
  const { data, error, set, reload } = useLoaded(load)
  return (
    <>
      <ScreenHeader title="Connections">Programs to which you have given access, and what each may do in your name.</ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.length === 0 && (
        <EmptyState title="You have not connected anything">
          <p>A connection begins at the other program: choose “Connect” there, and it sends you here to decide what to share.</p>
        </EmptyState>
      )}
      <ul class="cards">
        {data?.map((connection) => (
          <Connection key={connection.bot_id} connection={connection} show={set} />
        ))}
      </ul>
    </>
  )
}

interface ConnectionProps {
  readonly connection: AuthorizedConnection
  readonly show: (connections: AuthorizedConnection[]) => void
}

function Connection({ connection, show }: ConnectionProps): JSX.Element {
  const { name, workspace_name, developer_name, authorized_time, capabilities, bot_id, workspace_id } = connection
  const takeBack = async (): Promise<void> => {
    const call = api.DELETE('/workspaces/{workspace_id}/connections/{bot_id}', { params: { path: { workspace_id, bot_id } } })
    show((await consoleData(call)).results)
  }
  return (
    <li class="card">
      <div class="card-head">
        <Badge {...connection} />
        <div class="grow">
          <h2>{name}</h2>
          <p class="small soft">
            {developer_name !== null && `Made by ${developer_name}. `}In {workspace_name ?? 'a workspace without a name'}, since{' '}
            <Moment time={authorized_time} />.
          </p>
        </div>
        <ConfirmButton label="Take access back" subject={`from ${name}`} title={`Take access back from ${name}?`} act={takeBack}>
          <p>It stops working for you at once: its tokens become invalid, and nothing is shared with it any longer.</p>
          <p>What it has written stays. To connect it again, start there, and choose again what to share.</p>
        </ConfirmButton>
      </div>
      <Rights capabilities={capabilities} />
      <Shared {...connection} />
    </li>
  )
}

function Badge({ name, icon_url }: Pick<AuthorizedConnection, 'name' | 'icon_url'>): JSX.Element {
  if (icon_url !== null) return <img class="badge" src={icon_url} alt="" />
  return (
    <span class="badge" aria-hidden="true">
      {[...name.trim()][0]?.toUpperCase() ?? '·'}
    </span>
  )
}

function Shared({ sees_workspace, shared, shared_count }: AuthorizedConnection): JSX.Element {
  if (sees_workspace) return <p class="small">Everything in the workspace is shared with it.</p>
  if (shared_count === 0) return <p class="small soft">Nothing is shared with it.</p>
  const rest = shared_count - shared.length
  return (
    <div class="shared small">
      <span>Shared, with everything below:</span>
      {shared.map((item) => (
        <PageLink key={item.id} {...item} />
      ))}
      {rest > 0 && <span class="soft">and {rest} more</span>}
    </div>
  )
}
