import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ConsoleWorkspace, Invitation } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { InvitationForm } from '../parts/invitation_form.tsx'
import { MemberRow } from '../parts/member_row.tsx'
import { NewInvitation } from '../parts/new_invitation.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { chosenWorkspace, WorkspaceChoice } from '../parts/workspace_choice.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

/** The members of a workspace that the person owns. */
export function Members(props: ScreenProps): JSX.Element {
  const workspace = chosenWorkspace(props.session, props.query)
  if (workspace !== undefined) return <MemberList key={workspace.id} {...props} workspace={workspace} />
  return (
    <>
      <ScreenHeader title="Members">The people of the workspaces that you own.</ScreenHeader>
      <EmptyState title="You own no workspace">
        <p>Owners see and change the members of their workspaces here. Ask an owner to make you one.</p>
      </EmptyState>
    </>
  )
}

function MemberList({ session, workspace, reloadSession }: ScreenProps & { readonly workspace: ConsoleWorkspace }): JSX.Element {
  const path = { workspace_id: workspace.id }
  const load = () => consoleData(api.GET('/workspaces/{workspace_id}/members', { params: { path } }))
  const { data, error, set, reload } = useLoaded(load)
  const [isInviting, setInviting] = useState(false)
  const [invitation, setInvitation] = useState<Invitation>()
  const [name, setName] = useState('')
  const invited = (made: Invitation): void => {
    setInvitation(made)
    setInviting(false)
    set(made.members)
  }
  const shown = data?.results.filter((one) => `${one.name} ${one.email}`.toLowerCase().includes(name.toLowerCase())) ?? []
  const button = (
    <button class="main" onClick={() => setInviting(true)}>
      Invite
    </button>
  )
  return (
    <>
      <ScreenHeader title="Members" action={button}>
        The people of {workspace.name ?? 'your workspace'}, and what their roles let them do.
      </ScreenHeader>
      <WorkspaceChoice session={session} chosen={workspace} path="/members" />
      {invitation && <NewInvitation invitation={invitation} close={() => setInvitation(undefined)} />}
      {error !== undefined && <Trouble message={error} retry={reload} />}
      <label class="field narrow-field">
        Name or email address
        <input
          type="search"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value.trim())}
          autocomplete="off"
          spellcheck={false}
        />
      </label>
      {data && shown.length === 0 && <p class="small soft more">No member has this name or email address.</p>}
      <ul class="rows more">
        {shown.map((member) => (
          <MemberRow
            key={member.id}
            member={member}
            workspaceId={workspace.id}
            isSelf={member.id === session.person_id}
            show={set}
            reloadSession={reloadSession}
          />
        ))}
      </ul>
      {isInviting && <InvitationForm workspaceId={workspace.id} done={invited} close={() => setInviting(false)} />}
    </>
  )
}
