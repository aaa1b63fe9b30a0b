import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { OAuthApp, OAuthAppDetails } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { Dialog } from './dialog.tsx'
import { RedirectField, urisIn } from './redirect_field.tsx'
import { Trouble } from './trouble.tsx'

interface RedirectFormProps {
  readonly app: OAuthApp
  readonly done: (details: OAuthAppDetails) => void
  readonly close: () => void
}

/** Changes the redirect addresses of an OAuth app. */
export function RedirectForm({ app, done, close }: RedirectFormProps): JSX.Element {
  const [uris, setUris] = useState(app.redirect_uris.join('\n'))
  const { isBusy, error, run } = useAct(async () => {
    const path = { connection_id: app.id }
    done(await consoleData(api.PATCH('/oauth_apps/{connection_id}', { params: { path }, body: { redirect_uris: urisIn(uris) } })))
  })
  return (
    <Dialog title="Change the redirect addresses" close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
        <RedirectField value={uris} change={setUris} />
        {error !== undefined && <Trouble message={error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={isBusy}>
            Save
          </button>
        </div>
      </form>
    </Dialog>
  )
}
