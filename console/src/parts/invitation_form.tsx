import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Invitation } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { Dialog } from './dialog.tsx'
import type { MemberRole } from './role_names.ts'
import { RoleSelect } from './role_select.tsx'
import { Trouble } from './trouble.tsx'

interface InvitationFormProps {
  readonly workspaceId: string
  readonly done: (invitation: Invitation) => void
  readonly close: () => void
}

/** Asks whom to invite, and with which role. */
export function InvitationForm({ workspaceId, done, close }: InvitationFormProps): JSX.Element {
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [role, setRole] = useState<MemberRole>('member')
  const inviting = useAct(async () => {
    const body = { email: email.trim(), name: name.trim(), role }
    const path = { workspace_id: workspaceId }
    done(await consoleData(api.POST('/workspaces/{workspace_id}/members', { params: { path }, body })))
  })
  const invite = (event: Event): void => {
    event.preventDefault()
    void inviting.run()
  }
  return (
    <Dialog title="Invite a person" close={close}>
      <form onSubmit={invite}>
        <label class="field">
          Email address
          <input
            type="email"
            value={email}
            onInput={({ currentTarget }) => setEmail(currentTarget.value)}
            required
            maxLength={200}
            autocomplete="off"
          />
        </label>
        <label class="field">
          Name
          <input
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
            required
            maxLength={200}
            pattern=".*\S.*"
            autocomplete="off"
          />
        </label>
        <RoleSelect role={role} change={setRole} />
        <p class="small soft">
          You get a link that signs the person in, once. The service sends no mail: pass the link on yourself.
        </p>
        {inviting.error !== undefined && <Trouble message={inviting.error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={inviting.isBusy}>
            Invite
          </button>
        </div>
      </form>
    </Dialog>
  )
}
