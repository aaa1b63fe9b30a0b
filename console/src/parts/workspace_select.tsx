import type { JSX } from 'preact'
import type { ConsoleWorkspace } from '../../../generated/console_types.ts'

interface WorkspaceSelectProps {
  readonly workspaces: readonly ConsoleWorkspace[]
  readonly value: string
  readonly choose: (workspaceId: string) => void
}

/** Asks for a workspace, if there is more than one. */
export function WorkspaceSelect({ workspaces, value, choose }: WorkspaceSelectProps): JSX.Element | null {
  if (workspaces.length < 2) return null
  return (
    <label class="field">
      Workspace
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {workspaces.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name ?? 'Without a name'}
          </option>
        ))}
      </select>
    </label>
  )
}
