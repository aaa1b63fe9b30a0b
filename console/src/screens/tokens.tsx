import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CreatedOwnToken, PersonalToken } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { ConfirmButton } from '../parts/confirm_button.tsx'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { NewSecret } from '../parts/new_secret.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { TokenForm } from '../parts/token_form.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const load = () => consoleData(api.GET('/personal_tokens')).then(({ results }) => results)

/** The personal tokens of the person. */
export function Tokens({ session }: ScreenProps): JSX.Element {
  const { data, error, set, reload } = useLoaded(load)
  const [isMaking, setMaking] = useState(false)
  const [created, setCreated] = useState<CreatedOwnToken>()
  const workspaces = session.workspaces.filter(({ may_hold_tokens }) => may_hold_tokens)
  const add = (made: CreatedOwnToken): void => {
    setCreated(made)
    setMaking(false)
    set([made.personal_token, ...(data ?? [])])
  }
  const button = (
    <button class="main" onClick={() => setMaking(true)}>
      New token
    </button>
  )
  return (
    <>
      <ScreenHeader title="Tokens" action={workspaces.length > 0 && button}>
        With a personal token, a program of yours acts as you. Give each program its own, so that you can revoke it alone.
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {created && (
        <NewSecret
          name={created.personal_token.name ?? ''}
          kind="token"
          secret={created.token}
          command={created.command}
          close={() => setCreated(undefined)}
        />
      )}
      {data?.length === 0 && (
        <EmptyState title="You have no tokens">
          {workspaces.length > 0 ? (
            <p>Make one with “New token”, and send it with each request in the header “Authorization”.</p>
          ) : (
            <p>Your role or the policy of your workspace does not allow personal tokens. Ask an owner of the workspace.</p>
          )}
        </EmptyState>
      )}
      <ul class="rows">
        {data?.map((token) => (
          <Token key={token.id} token={token} show={set} />
        ))}
      </ul>
      {isMaking && <TokenForm workspaces={workspaces} done={add} close={() => setMaking(false)} />}
    </>
  )
}

interface TokenProps {
  readonly token: PersonalToken
  readonly show: (tokens: PersonalToken[]) => void
}

function Token({ token, show }: TokenProps): JSX.Element {
  const { id, name, workspace_id, workspace_name, created_time, expires_time } = token
  const shownName = name ?? 'Token without a name'
  const revoke = async (): Promise<void> => {
    const call = api.DELETE('/workspaces/{workspace_id}/personal_tokens/{token_id}', {
      params: { path: { workspace_id, token_id: id } },
    })
    show((await consoleData(call)).results)
  }
  return (
    <li>
      <div class="grow">
        <h2>{shownName}</h2>
        <p class="small soft">
          {workspace_name ?? 'A workspace without a name'} · made <Moment time={created_time} /> · expires{' '}
          <Moment time={expires_time} />
        </p>
      </div>
      <ConfirmButton label="Revoke" subject={shownName} title={`Revoke “${shownName}”?`} act={revoke}>
        <p>
          Programs that use this token get the error 401 from now on. A revoked token cannot be restored; make a new one instead.
        </p>
      </ConfirmButton>
    </li>
  )
}
