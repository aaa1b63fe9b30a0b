import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { InternalConnection, InternalConnectionDetails, InternalConnectionToken } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { Link, navigate } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { EmptyState } from './empty_state.tsx'
import { Fact } from './fact.tsx'
import { ItemPicker } from './item_picker.tsx'
import { Moment } from './moment.tsx'
import { NewSecret } from './new_secret.tsx'
import { PageLink } from './page_link.tsx'
import { Rights } from './rights.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { Trouble } from './trouble.tsx'

/** One internal connection, and what is shared with it. */
export function InternalConnectionView({ id }: { readonly id: string }): JSX.Element {
  const params = { path: { connection_id: id } }
  const load = () => consoleData(api.GET('/internal_connections/{connection_id}', { params }))
  const { data, error, set, reload } = useLoaded(load)
  const [made, setMade] = useState<InternalConnectionToken>()
  const rotate = async (): Promise<void> => {
    setMade(await consoleData(api.POST('/internal_connections/{connection_id}/tokens', { params })))
  }
  return (
    <>
      <ScreenHeader title={data?.connection.name ?? 'Internal connection'} action={<button onClick={reload}>Reload</button>}>
        <Link to="/internal-connections">All internal connections</Link>
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
      {data && (
        <>
          <Facts {...data.connection} />
          <Acts connection={data.connection} rotate={rotate} />
          <Shares details={data} show={set} />
        </>
      )}
    </>
  )
}

function Facts({ is_enabled, workspace, capabilities, created_time }: InternalConnection): JSX.Element {
  return (
    <dl class="facts">
      {!is_enabled && (
        <Fact name="Status">
          <span class="tag bad">Disabled</span> The operator of the service has disabled it: its token does not work.
        </Fact>
      )}
      <Fact name="Workspace">{workspace?.name ?? 'A workspace without a name'}</Fact>
      <Fact name="May">
        <Rights capabilities={capabilities} />
      </Fact>
      <Fact name="Made">
        <Moment time={created_time} />
      </Fact>
    </dl>
  )
}

interface ActsProps {
  readonly connection: InternalConnection
  readonly rotate: () => Promise<void>
}

function Acts({ connection: { id, name }, rotate }: ActsProps): JSX.Element {
  const remove = async (): Promise<void> => {
    await consoleData(api.DELETE('/internal_connections/{connection_id}', { params: { path: { connection_id: id } } }))
    navigate('/internal-connections', true)
  }
  return (
    <div class="actions start">
      <ConfirmButton label="Rotate token" subject={`of ${name}`} title="Make a new token?" act={rotate}>
        <p>The previous token stops working at once: requests with it get the error 401. The new one is shown once.</p>
      </ConfirmButton>
      <ConfirmButton label="Delete" subject={name} title={`Delete “${name}”?`} act={remove}>
        <p>Its token stops working at once, and its webhook subscriptions end. This cannot be undone.</p>
        <p>What it has written stays.</p>
      </ConfirmButton>
    </div>
  )
}

interface SharesProps {
  readonly details: InternalConnectionDetails
  readonly show: (details: InternalConnectionDetails) => void
}

function Shares({ details, show }: SharesProps): JSX.Element {
  const { connection, sees_workspace, shared, other_count } = details
  const [isPicking, setPicking] = useState(false)
  const unshare = (itemId: string) => async (): Promise<void> => {
    const path = { connection_id: connection.id, item_id: itemId }
    show(await consoleData(api.DELETE('/internal_connections/{connection_id}/shares/{item_id}', { params: { path } })))
  }
  const workspace = connection.workspace?.id ?? ''
  return (
    <>
      <div class="part-head">
        <h2 class="part-title">Shared with it</h2>
        <button onClick={() => setPicking(true)}>Share pages</button>
      </div>
      {!sees_workspace && shared.length + other_count === 0 && (
        <EmptyState title="Nothing is shared with it">
          <p>It sees no page until you share one. Choose “Share pages”, and find the pages and databases by their titles.</p>
        </EmptyState>
      )}
      <ul class="rows">
        {sees_workspace && (
          <Shared key={workspace} title="the whole workspace" act={unshare(workspace)}>
            <h3>The whole workspace</h3>
          </Shared>
        )}
        {shared.map((item) => (
          <Shared key={item.id} title={item.title} act={unshare(item.id)}>
            <PageLink {...item} />
          </Shared>
        ))}
      </ul>
      {other_count > 0 && (
        <p class="small soft more">
          {other_count === 1 ? '1 more is' : `${other_count.toLocaleString()} more are`} not listed, such as those in the trash
          and those to which you do not have full access.
        </p>
      )}
      {isPicking && <ItemPicker connectionId={connection.id} show={show} close={() => setPicking(false)} />}
    </>
  )
}

interface SharedProps {
  readonly title: string
  readonly children: JSX.Element
  readonly act: () => Promise<void>
}

function Shared({ title, children, act }: SharedProps): JSX.Element {
  return (
    <li>
      <div class="grow">{children}</div>
      <ConfirmButton label="Stop sharing" subject={title} title={`Stop sharing ${title}?`} act={act}>
        <p>
          The connection no longer sees it, or what is below it, from its next request on. Pages that are shared themselves stay
          shared.
        </p>
      </ConfirmButton>
    </li>
  )
}
