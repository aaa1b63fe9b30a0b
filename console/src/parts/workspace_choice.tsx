import type { JSX } from 'preact'
import type { ConsoleSession, ConsoleWorkspace } from '../../../generated/console_types.ts'
import { navigate } from '../route.tsx'

/** The workspaces that the person owns. */
export function ownedWorkspaces({ workspaces }: ConsoleSession): ConsoleWorkspace[] {
  return workspaces.filter(({ role }) => role === 'owner')
}

/** The workspace that the address names, if the person owns it; otherwise the first. */
export function chosenWorkspace(session: ConsoleSession, query: URLSearchParams): ConsoleWorkspace | undefined {
  const owned = ownedWorkspaces(session)
  return owned.find(({ id }) => id === query.get('workspace')) ?? owned[0]
}

interface WorkspaceChoiceProps {
  readonly session: ConsoleSession
  readonly chosen: ConsoleWorkspace
  /** The path of the screen. */
  readonly path: string
}

/** Chooses among several workspaces. The choice is in the address. */
export function WorkspaceChoice({ session, chosen, path }: WorkspaceChoiceProps): JSX.Element | null {
  const owned = ownedWorkspaces(session)
  if (owned.length < 2) return null
  return (
    <label class="field narrow-field choice">
      Workspace
      <select
        value={chosen.id}
        onChange={({ currentTarget }) => navigate(`${path}?${new URLSearchParams({ workspace: currentTarget.value })}`)}
      >
        {owned.map(({ id, name }) => (
          <option key={id} value={id}>
            {name ?? 'Without a name'}
          </option>
        ))}
      </select>
    </label>
  )
}
