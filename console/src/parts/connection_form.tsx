import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { CapabilitiesRequest, ConsoleWorkspace } from '../../../generated/console_types.ts'
import { useAct } from '../use_act.ts'
import { CapabilityFields } from './capability_fields.tsx'
import { Dialog } from './dialog.tsx'
import { RedirectField, urisIn } from './redirect_field.tsx'
import { Trouble } from './trouble.tsx'
import { WorkspaceSelect } from './workspace_select.tsx'

export interface NewConnectionSettings {
  readonly workspace_id: string
  readonly name: string
  readonly capabilities: CapabilitiesRequest
  /** Empty unless the form asks for them. */
  readonly redirect_uris: string[]
}

interface ConnectionFormProps {
  /** The title, and the label of the button that makes it. */
  readonly title: string
  readonly button: string
  readonly hint: string
  readonly workspaces: readonly ConsoleWorkspace[]
  readonly asksForUris: boolean
  readonly make: (settings: NewConnectionSettings) => Promise<void>
  readonly close: () => void
}

/** Asks for the settings of a new connection. At first it may only read. */
export function ConnectionForm({ title, button, hint, workspaces, asksForUris, make, close }: ConnectionFormProps): JSX.Element {
  const [name, setName] = useState('')
  const [workspace, setWorkspace] = useState(workspaces[0]?.id ?? '')
  const [capabilities, setCapabilities] = useState<CapabilitiesRequest>(['read_content'])
  const [uris, setUris] = useState('')
  const { isBusy, error, run } = useAct(() =>
    make({ workspace_id: workspace, name: name.trim(), capabilities, redirect_uris: urisIn(uris) }),
  )
  return (
    <Dialog title={title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void run()
        }}
      >
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
        <p class="small soft">{hint}</p>
        <WorkspaceSelect workspaces={workspaces} value={workspace} choose={setWorkspace} />
        {asksForUris && <RedirectField value={uris} change={setUris} />}
        <CapabilityFields chosen={capabilities} choose={setCapabilities} />
        {error !== undefined && <Trouble message={error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={isBusy || capabilities.length === 0}>
            {button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
