import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { ConsoleWorkspace } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { EmptyState } from '../parts/empty_state.tsx'
import { GroupCard } from '../parts/group_card.tsx'
import { GroupForm } from '../parts/group_form.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { chosenWorkspace, WorkspaceChoice } from '../parts/workspace_choice.tsx'
import { useLoaded } from '../use_loaded.ts'
import type { ScreenProps } from './screen.ts'

/** The groups of a workspace that the person owns. */
export function Groups(props: ScreenProps): JSX.Element {
  const workspace = chosenWorkspace(props.session, props.query)
  if (workspace !== undefined) return <GroupsOf key={workspace.id} {...props} workspace={workspace} />
  return (
    <>
      <ScreenHeader title="Groups">The groups of the workspaces that you own.</ScreenHeader>
      <EmptyState title="You own no workspace">
        <p>Owners see and change the groups of their workspaces here. Ask an owner to make you one.</p>
      </EmptyState>
    </>
  )
}

function GroupsOf({ session, workspace }: ScreenProps & { readonly workspace: ConsoleWorkspace }): JSX.Element {
  const params = { params: { path: { workspace_id: workspace.id } } }
  const groups = useLoaded(() => consoleData(api.GET('/workspaces/{workspace_id}/groups', params)))
  const members = useLoaded(() => consoleData(api.GET('/workspaces/{workspace_id}/members', params)))
  const [isMaking, setMaking] = useState(false)
  const make = async (name: string): Promise<void> => {
    groups.set(await consoleData(api.POST('/workspaces/{workspace_id}/groups', { ...params, body: { name } })))
    setMaking(false)
  }
  const button = (
    <button class="main" onClick={() => setMaking(true)}>
      New group
    </button>
  )
  const error = groups.error ?? members.error
  return (
    <>
      <ScreenHeader title="Groups" action={button}>
        Groups of members, which people properties can contain. They give no access to pages.
      </ScreenHeader>
      <WorkspaceChoice session={session} chosen={workspace} path="/groups" />
      {error !== undefined && <Trouble message={error} retry={groups.reload} />}
      {groups.data?.results.length === 0 && (
        <EmptyState title="No groups yet">
          <p>Make one with “New group”, then add members to it.</p>
        </EmptyState>
      )}
      <ul class="cards">
        {groups.data?.results.map((group) => (
          <GroupCard
            key={group.id}
            group={group}
            workspaceId={workspace.id}
            people={members.data?.results ?? []}
            show={groups.set}
          />
        ))}
      </ul>
      {isMaking && <GroupForm title="New group" label="Make group" name="" act={make} close={() => setMaking(false)} />}
    </>
  )
}
