import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { BrowserSession, ConsoleSession } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { failureText } from '../use_loaded.ts'
import { Trouble } from './trouble.tsx'

interface PasswordFormProps {
  readonly session: ConsoleSession
  readonly done: (sessions: BrowserSession[]) => void
}

export function PasswordForm({ session: { has_password, email }, done }: PasswordFormProps): JSX.Element {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [isDone, setDone] = useState(false)
  const change = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    setError(undefined)
    setDone(false)
    try {
      const body = { new_password: next, ...(has_password && { current_password: current }) }
      const { results } = await consoleData(api.POST('/password', { body }))
      setCurrent('')
      setNext('')
      setDone(true)
      done(results)
    } catch (thrown) {
      setError(failureText(thrown))
    }
    setBusy(false)
  }
  return (
    <form class="card narrow" onSubmit={(event) => void change(event)}>
      {!has_password && <p class="small">You have no password yet: you sign in by links. With a password, you need no link.</p>}
      <input type="email" name="email" value={email} autocomplete="username" hidden readOnly />
      {has_password && (
        <label class="field">
          Current password
          <input
            type="password"
            value={current}
            onInput={(event) => setCurrent(event.currentTarget.value)}
            autocomplete="current-password"
            required
            maxLength={1000}
          />
        </label>
      )}
      <label class="field">
        New password
        <input
          type="password"
          value={next}
          onInput={(event) => setNext(event.currentTarget.value)}
          autocomplete="new-password"
          required
          minLength={8}
          maxLength={1000}
        />
      </label>
      <p class="small soft">At least 8 characters, and hard to guess. Your other browsers are signed out.</p>
      {error !== undefined && <Trouble message={error} />}
      <div class="actions start">
        <button class="main" disabled={isBusy}>
          {has_password ? 'Change password' : 'Set password'}
        </button>
        <span role="status">{isDone && 'The password is set. Other browsers were signed out.'}</span>
      </div>
    </form>
  )
}
