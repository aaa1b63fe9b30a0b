import type { JSX } from 'preact'
import type { BrowserSession } from '../../../generated/console_types.ts'
import { api, consoleData, leaveForSignIn } from '../api.ts'
import { browserName } from '../browser_name.ts'
import { ConfirmButton } from '../parts/confirm_button.tsx'
import { Moment } from '../parts/moment.tsx'
import { PasswordForm } from '../parts/password_form.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

const load = () => consoleData(api.GET('/browser_sessions')).then(({ results }) => results)

/** The browsers in which the person is signed in, and the password. */
export function SignIn({ session, reloadSession }: ScreenProps): JSX.Element {
  const { data, error, set, reload } = useLoaded(load)
  const changed = (sessions: BrowserSession[]): void => {
    set(sessions)
    reloadSession()
  }
  return (
    <>
      <ScreenHeader title="Sign-in">Where you are signed in as {session.email}, and how you sign in.</ScreenHeader>
      <h2 class="part-title">Sessions</h2>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      <ul class="rows">
        {data?.map((one) => (
          <Session key={one.id} session={one} show={set} />
        ))}
      </ul>
      <h2 class="part-title">Password</h2>
      <PasswordForm session={session} done={changed} />
    </>
  )
}

interface SessionProps {
  readonly session: BrowserSession
  readonly show: (sessions: BrowserSession[]) => void
}

function Session({ session, show }: SessionProps): JSX.Element {
  const { id, is_current, user_agent, created_time, expires_time } = session
  const name = browserName(user_agent)
  const end = async (): Promise<void> => {
    const { results } = await consoleData(api.DELETE('/browser_sessions/{session_id}', { params: { path: { session_id: id } } }))
    if (is_current) leaveForSignIn()
    else show(results)
  }
  return (
    <li>
      <div class="grow">
        <h3>
          {name} {is_current && <span class="tag good">This browser</span>}
        </h3>
        <p class="small soft">
          Signed in <Moment time={created_time} /> · ends <Moment time={expires_time} />
        </p>
      </div>
      <ConfirmButton
        label={is_current ? 'Sign out' : 'End session'}
        subject={`of ${name}`}
        title={is_current ? 'Sign out of this browser?' : `Sign ${name} out?`}
        act={end}
      >
        <p>
          {is_current
            ? 'You need your password or a new sign-in link to come back.'
            : 'That browser has to sign in again before it sees anything. Tokens and connections keep working.'}
        </p>
      </ConfirmButton>
    </li>
  )
}
