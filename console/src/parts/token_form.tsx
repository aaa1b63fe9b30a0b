import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ConsoleWorkspace, CreatedOwnToken, OwnTokenRequest } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { failureText } from '../use_loaded.ts'
import { Dialog } from './dialog.tsx'
import { Trouble } from './trouble.tsx'
import { WorkspaceSelect } from './workspace_select.tsx'

type Days = OwnTokenRequest['days']
const LIFETIMES: readonly (readonly [days: Days, words: string])[] = [
  [7, '7 days'],
  [30, '30 days'],
  [90, '90 days'],
  [180, '180 days'],
  [365, 'One year'],
]
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })
const DAY_MS = 86_400_000

interface TokenFormProps {
  readonly workspaces: readonly ConsoleWorkspace[]
  readonly done: (created: CreatedOwnToken) => void
  readonly close: () => void
}

/** Asks for the name and the lifetime of a new token. */
export function TokenForm({ workspaces, done, close }: TokenFormProps): JSX.Element {
  const [name, setName] = useState('')
  const [days, setDays] = useState<Days>(90)
  const [workspace, setWorkspace] = useState(workspaces[0]?.id ?? '')
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const make = async (event: Event): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    try {
      done(await consoleData(api.POST('/personal_tokens', { body: { workspace_id: workspace, name: name.trim(), days } })))
    } catch (thrown) {
      setError(failureText(thrown))
      setBusy(false)
    }
  }
  return (
    <Dialog title="New token" close={close}>
      <form onSubmit={(event) => void make(event)}>
        <label class="field">
          Name
          <input
            type="text"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
            required
            maxLength={200}
            pattern=".*\S.*"
          />
        </label>
        <p class="small soft">What it is for, such as “Backup script”. You recognize it by this name later.</p>
        <WorkspaceSelect workspaces={workspaces} value={workspace} choose={setWorkspace} />
        <label class="field">
          Lifetime
          <select value={days} onChange={(event) => setDays(LIFETIMES[event.currentTarget.selectedIndex]?.[0] ?? 90)}>
            {LIFETIMES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <p class="small soft">
          Expires on {day.format(Date.now() + days * DAY_MS)}. It can do everything that you can do through the API.
        </p>
        {error !== undefined && <Trouble message={error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={isBusy}>
            Make token
          </button>
        </div>
      </form>
    </Dialog>
  )
}
