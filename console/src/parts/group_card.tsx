import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { GroupList, MemberGroup, WorkspaceMember } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { ConfirmButton } from './confirm_button.tsx'
import { GroupForm } from './group_form.tsx'
import { Trouble } from './trouble.tsx'

interface GroupCardProps {
  readonly group: MemberGroup
  readonly workspaceId: string
  /** The members of the workspace. */
  readonly people: readonly WorkspaceMember[]
  readonly show: (groups: GroupList) => void
}

/** A group with its members, and its changes. */
export function GroupCard({ group, workspaceId, people, show }: GroupCardProps): JSX.Element {
  const [isRenaming, setRenaming] = useState(false)
  const { id, name, gives_tokens, members } = group
  const path = { workspace_id: workspaceId, group_id: id }
  const rename = async (next: string): Promise<void> => {
    show(await consoleData(api.PATCH('/workspaces/{workspace_id}/groups/{group_id}', { params: { path }, body: { name: next } })))
    setRenaming(false)
  }
  return (
    <li class="card">
      <div class="card-head">
        <div class="grow">
          <h2>
            {name} {gives_tokens && <span class="tag">Personal tokens</span>}
          </h2>
          <p class="small soft">{members.length === 1 ? '1 member' : `${members.length.toLocaleString()} members`}</p>
        </div>
        <button onClick={() => setRenaming(true)}>
          Rename<span class="hidden"> {name}</span>
        </button>
      </div>
      <ul class="rows more">
        {members.map(
          (member) =>
            member && <Member key={member.id} id={member.id} name={member.name} group={group} path={path} show={show} />,
        )}
      </ul>
      <AddMember group={group} people={people} path={path} show={show} />
      {isRenaming && (
        <GroupForm title={`Rename ${name}`} label="Rename" name={name} act={rename} close={() => setRenaming(false)} />
      )}
    </li>
  )
}

interface MembershipProps extends Pick<GroupCardProps, 'group' | 'show'> {
  readonly path: { readonly workspace_id: string; readonly group_id: string }
}

function Member({
  id,
  name,
  group,
  path,
  show,
}: MembershipProps & { readonly id: string; readonly name: string | null }): JSX.Element {
  const shownName = name ?? 'Somebody without a name'
  const remove = async (): Promise<void> => {
    const params = { path: { ...path, person_id: id } }
    show(await consoleData(api.DELETE('/workspaces/{workspace_id}/groups/{group_id}/members/{person_id}', { params })))
  }
  return (
    <li>
      <div class="grow">{shownName}</div>
      <ConfirmButton
        label="Remove"
        subject={`${shownName} from ${group.name}`}
        title={`Remove ${shownName} from ${group.name}?`}
        act={remove}
      >
        <p>The person stays in the workspace, with the same access to pages.</p>
        {group.gives_tokens && (
          <p>
            If the workspace limits personal tokens to groups, and no other group allows them, the person’s tokens stop working.
          </p>
        )}
      </ConfirmButton>
    </li>
  )
}

function AddMember({ group, people, path, show }: MembershipProps & Pick<GroupCardProps, 'people'>): JSX.Element | null {
  const others = people.filter(({ id }) => !group.members.some((member) => member?.id === id))
  const [chosen, setChosen] = useState('')
  const id = others.some((one) => one.id === chosen) ? chosen : (others[0]?.id ?? '')
  const adding = useAct(async () => {
    const params = { path: { ...path, person_id: id } }
    show(await consoleData(api.POST('/workspaces/{workspace_id}/groups/{group_id}/members/{person_id}', { params })))
  })
  if (others.length === 0) return null
  return (
    <>
      <div class="find">
        <label class="field grow">
          <span>
            Add<span class="hidden"> to {group.name}</span>
          </span>
          <select value={id} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
            {others.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name ?? 'Without a name'} ({one.email ?? one.id})
              </option>
            ))}
          </select>
        </label>
        <button disabled={adding.isBusy} onClick={() => void adding.run()}>
          Add<span class="hidden"> to {group.name}</span>
        </button>
      </div>
      {adding.error !== undefined && <Trouble message={adding.error} />}
    </>
  )
}
