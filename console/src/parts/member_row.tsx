import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { MemberList, WorkspaceMember } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { Dialog } from './dialog.tsx'
import { Moment } from './moment.tsx'
import { ROLE_NAMES } from './role_names.ts'
import { RoleSelect } from './role_select.tsx'
import { Trouble } from './trouble.tsx'

interface MemberRowProps {
  readonly member: WorkspaceMember
  readonly workspaceId: string
  readonly isSelf: boolean
  readonly show: (members: MemberList) => void
  readonly reloadSession: () => void
}

/** A member, with buttons that change the role and remove the member. */
export function MemberRow(props: MemberRowProps): JSX.Element {
  const { member, isSelf } = props
  const { name, email, role, last_sign_in_time, is_last_owner } = member
  return (
    <li>
      <div class="grow">
        <h2>
          {nameOf(member)} <span class="tag">{ROLE_NAMES[role]}</span> {isSelf && <span class="tag good">You</span>}
        </h2>
        <p class="small soft">
          {name !== null && email} ·{' '}
          {last_sign_in_time === null ? (
            'no sign-in in the last twelve hours'
          ) : (
            <>
              signed in <Moment time={last_sign_in_time} />
            </>
          )}
        </p>
        {is_last_owner && <p class="small soft">The only owner: make another member an owner before you change this.</p>}
      </div>
      {!is_last_owner && <RoleButton {...props} />}
      {!is_last_owner && <RemoveButton {...props} />}
    </li>
  )
}

function nameOf({ name, email }: WorkspaceMember): string {
  return name ?? email ?? 'Somebody without a name'
}

function RoleButton(props: MemberRowProps): JSX.Element {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>
        Change role<span class="hidden"> of {nameOf(props.member)}</span>
      </button>
      {isOpen && <RoleDialog {...props} close={() => setOpen(false)} />}
    </>
  )
}

function RoleDialog({
  member,
  workspaceId,
  isSelf,
  show,
  reloadSession,
  close,
}: MemberRowProps & { readonly close: () => void }) {
  const [role, setRole] = useState(member.role)
  const path = { workspace_id: workspaceId, person_id: member.id }
  const changing = useAct(async () => {
    const changed = await consoleData(
      api.PATCH('/workspaces/{workspace_id}/members/{person_id}', { params: { path }, body: { role } }),
    )
    show(changed)
    if (isSelf) reloadSession()
    close()
  })
  const change = (event: Event): void => {
    event.preventDefault()
    void changing.run()
  }
  return (
    <Dialog title={`Change the role of ${nameOf(member)}`} close={close}>
      <form onSubmit={change}>
        <RoleSelect role={role} change={setRole} />
        <p class="small soft">It applies from the next request, also to tokens and connections that act for this person.</p>
        {isSelf && role !== 'owner' && (
          <p class="small wrong">You will no longer manage this workspace. Another owner can undo it.</p>
        )}
        {changing.error !== undefined && <Trouble message={changing.error} />}
        <div class="actions">
          <button type="button" onClick={close}>
            Cancel
          </button>
          <button class="main" disabled={changing.isBusy || role === member.role}>
            Change role
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function RemoveButton({ member, workspaceId, isSelf, show, reloadSession }: MemberRowProps): JSX.Element {
  const name = nameOf(member)
  const path = { workspace_id: workspaceId, person_id: member.id }
  const remove = async (): Promise<void> => {
    show(await consoleData(api.DELETE('/workspaces/{workspace_id}/members/{person_id}', { params: { path } })))
    if (isSelf) reloadSession()
  }
  return (
    <ConfirmButton label="Remove" subject={name} title={`Remove ${name} from the workspace?`} act={remove}>
      <p>
        {isSelf ? 'You lose' : 'The person loses'} access at once: personal tokens and authorized connections stop working in this
        workspace.
      </p>
      <p>
        Everything that was written stays. Pages that only this person sees stay hidden from all others. An invitation to the same
        email address restores the membership, with its rules, tokens and connections.
      </p>
    </ConfirmButton>
  )
}
