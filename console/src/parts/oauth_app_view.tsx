import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OAuthApp, OAuthAppAuthorization, OAuthAppDetails } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { Link, navigate } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { CopyButton } from './copy_button.tsx'
import { EmptyState } from './empty_state.tsx'
import { Fact } from './fact.tsx'
import { Moment } from './moment.tsx'
import { NewSecret } from './new_secret.tsx'
import { RedirectForm } from './redirect_form.tsx'
import { Rights } from './rights.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { Trouble } from './trouble.tsx'

/** One OAuth app: its addresses, and who has authorized it. */
export function OAuthAppView({ id }: { readonly id: string }): JSX.Element {
  const path = { connection_id: id }
  const load = () => consoleData(api.GET('/oauth_apps/{connection_id}', { params: { path } }))
  const { data, error, set, reload } = useLoaded(load)
  const [secret, setSecret] = useState<string>()
  const rotate = async (): Promise<void> => {
    setSecret((await consoleData(api.POST('/oauth_apps/{connection_id}/secrets', { params: { path } }))).client_secret)
  }
  const app = data?.oauth_app
  return (
    <>
      <ScreenHeader title={app?.name ?? 'OAuth app'} action={<button onClick={reload}>Reload</button>}>
        <Link to="/oauth-apps">All OAuth apps</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {app && secret !== undefined && (
        <NewSecret name={app.name} kind="client secret" secret={secret} close={() => setSecret(undefined)} />
      )}
      {data && (
        <>
          <Facts {...data.oauth_app} />
          <Acts app={data.oauth_app} show={set} rotate={rotate} />
          <h2 class="part-title">Authorizations</h2>
          <Authorizations details={data} show={set} />
        </>
      )}
    </>
  )
}

function Facts({ client_id, authorization_url, redirect_uris, capabilities, ...app }: OAuthApp): JSX.Element {
  return (
    <dl class="facts">
      {!app.is_enabled && (
        <Fact name="Status">
          <span class="tag bad">Disabled</span> The operator of the service has disabled it: its tokens do not work.
        </Fact>
      )}
      <Fact name="Workspace">{app.workspace?.name ?? 'A workspace without a name'}</Fact>
      <Fact name="Client id">
        <span class="copied">
          <code>{client_id}</code>
          <CopyButton text={client_id} label="Copy client id" />
        </span>
      </Fact>
      <Fact name="Connect">
        <span class="copied">
          <code>{authorization_url}</code>
          <CopyButton text={authorization_url} label="Copy address" />
        </span>
        <span class="small soft">Open this address in the browser of a person to ask for access.</span>
      </Fact>
      <Fact name="Redirects to">
        <ul>
          {redirect_uris.map((uri) => (
            <li key={uri}>
              <code>{uri}</code>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact name="May">
        <Rights capabilities={capabilities} />
      </Fact>
      <Fact name="Made">
        <Moment time={app.created_time} />
      </Fact>
    </dl>
  )
}

interface ActsProps {
  readonly app: OAuthApp
  readonly show: (details: OAuthAppDetails) => void
  readonly rotate: () => Promise<void>
}

function Acts({ app, show, rotate }: ActsProps): JSX.Element {
  const [isChanging, setChanging] = useState(false)
  const remove = async (): Promise<void> => {
    await consoleData(api.DELETE('/oauth_apps/{connection_id}', { params: { path: { connection_id: app.id } } }))
    navigate('/oauth-apps', true)
  }
  const done = (details: OAuthAppDetails): void => {
    show(details)
    setChanging(false)
  }
  return (
    <div class="actions start">
      <button onClick={() => setChanging(true)}>Change addresses</button>
      <ConfirmButton label="Rotate secret" subject={`of ${app.name}`} title="Make a new client secret?" act={rotate}>
        <p>The new secret is shown once. The previous one works for another 24 hours: replace it in your program until then.</p>
      </ConfirmButton>
      <ConfirmButton label="Delete" subject={app.name} title={`Delete “${app.name}”?`} act={remove}>
        <p>Nobody can authorize it any longer, and it loses access to every workspace at once. This cannot be undone.</p>
        <p>What it has written stays.</p>
      </ConfirmButton>
      {isChanging && <RedirectForm app={app} done={done} close={() => setChanging(false)} />}
    </div>
  )
}

interface AuthorizationsProps {
  readonly details: OAuthAppDetails
  readonly show: (details: OAuthAppDetails) => void
}

function Authorizations({ details, show }: AuthorizationsProps): JSX.Element {
  if (details.authorizations.length === 0)
    return (
      <EmptyState title="Nobody has authorized it yet">
        <p>Open the address under “Connect” to authorize it yourself, and exchange the code for tokens.</p>
      </EmptyState>
    )
  return (
    <>
      <ul class="rows">
        {details.authorizations.map((one) => (
          <Authorization key={one.bot_id} appId={details.oauth_app.id} authorization={one} show={show} />
        ))}
      </ul>
      {details.has_more && <p class="small soft more">Older ones are not listed.</p>}
    </>
  )
}

interface AuthorizationProps extends Pick<AuthorizationsProps, 'show'> {
  readonly appId: string
  readonly authorization: OAuthAppAuthorization
}

function Authorization({ appId, authorization, show }: AuthorizationProps): JSX.Element {
  const { bot_id, person, workspace, authorized_time } = authorization
  const who = person === null ? 'Somebody' : (person.name ?? 'A person without a name')
  const where = workspace?.name ?? 'a workspace without a name'
  const revoke = async (): Promise<void> => {
    const path = { connection_id: appId, bot_id }
    show(await consoleData(api.DELETE('/oauth_apps/{connection_id}/authorizations/{bot_id}', { params: { path } })))
  }
  return (
    <li>
      <div class="grow">
        <h3>{who}</h3>
        <p class="small soft">
          In {where}, since <Moment time={authorized_time} />
        </p>
      </div>
      <ConfirmButton label="Revoke" subject={`access to ${where} for ${who}`} title={`Give up access to ${where}?`} act={revoke}>
        <p>The tokens of this authorization stop working at once, and nothing is shared with the app on its behalf any longer.</p>
        <p>The person can authorize the app again.</p>
      </ConfirmButton>
    </li>
  )
}
