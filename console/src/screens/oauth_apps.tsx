import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OAuthApp, OAuthAppSecret } from '../../../generated/console_types.ts'
import { api, base, consoleData } from '../api.ts'
import { ConnectionForm, type NewConnectionSettings } from '../parts/connection_form.tsx'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { NewSecret } from '../parts/new_secret.tsx'
import { OAuthAppView } from '../parts/oauth_app_view.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const PATH = /^\/oauth-apps\/([\da-f-]{36})$/
const load = () => consoleData(api.GET('/oauth_apps'))

/** The OAuth apps of the workspaces that the person owns, or the one that the path names. */
export function OAuthApps(props: ScreenProps): JSX.Element {
  const [, id] = PATH.exec(props.path) ?? []
  return id === undefined ? <OAuthAppList {...props} /> : <OAuthAppView key={id} id={id} />
}

function OAuthAppList({ session }: ScreenProps): JSX.Element {
  const { data, error, set, reload } = useLoaded(load)
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState<OAuthAppSecret>()
  const workspaces = session.workspaces.filter(({ role }) => role === 'owner')
  const make = async (body: NewConnectionSettings): Promise<void> => {
    const created = await consoleData(api.POST('/oauth_apps', { body }))
    setMade(created)
    setMaking(false)
    if (data) set({ ...data, results: [created.oauth_app, ...data.results] })
  }
  const button = (
    <button class="main" onClick={() => setMaking(true)}>
      New app
    </button>
  )
  return (
    <>
      <ScreenHeader title="OAuth apps" action={workspaces.length > 0 && button}>
        Programs of yours that people connect themselves: each person decides which pages to share.
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {made && (
        <NewSecret name={made.oauth_app.name} kind="client secret" secret={made.client_secret} close={() => setMade(undefined)} />
      )}
      {data?.results.length === 0 && <NoApps mayMake={workspaces.length > 0} />}
      <ul class="rows">
        {data?.results.map((app) => (
          <Row key={app.id} {...app} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Older ones are not listed.</p>}
      {isMaking && (
        <ConnectionForm
          title="New OAuth app"
          button="Make app"
          hint="People see it when your program asks them for access."
          workspaces={workspaces}
          asksForUris
          make={make}
          close={() => setMaking(false)}
        />
      )}
    </>
  )
}

function NoApps({ mayMake }: { readonly mayMake: boolean }): JSX.Element {
  return (
    <EmptyState title="No OAuth apps">
      {mayMake ? (
        <p>
          Make one with “New app” to get a client id and a secret.{' '}
          <a href={`${base}/docs/operations/retrieveAuthorizationPage`}>The reference</a> shows how a program uses them.
        </p>
      ) : (
        <p>Owners of a workspace make apps in it. Ask one of them.</p>
      )}
    </EmptyState>
  )
}

function Row({ id, name, workspace, client_id, redirect_uris, is_enabled, created_time }: OAuthApp): JSX.Element {
  return (
    <li>
      <div class="grow">
        <h2>
          <Link to={`/oauth-apps/${id}`}>{name}</Link>
        </h2>
        <p class="small">
          <code>{client_id}</code>
        </p>
        <p class="small soft">
          {workspace?.name ?? 'A workspace without a name'} ·{' '}
          {redirect_uris.length === 1 ? redirect_uris[0] : `${redirect_uris.length} redirect addresses`} · made{' '}
          <Moment time={created_time} />
        </p>
      </div>
      {!is_enabled && <span class="tag bad">Disabled</span>}
    </li>
  )
}
