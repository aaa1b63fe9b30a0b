import type { JSX } from 'preact'
import type { AgentSession, AgentSessionDetails } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { useAct } from '../use_act.ts'
import { Trouble } from './trouble.tsx'

interface AgentActionsProps {
  readonly session: AgentSession
  readonly show: (details: AgentSessionDetails) => void
}

/** The actions that wait for a decision. */
export function AgentActions({ session, show }: AgentActionsProps): JSX.Element | null {
  if (session.actions.length === 0) return null
  return (
    <ul class="decisions">
      {session.actions.map((action) => (
        <Action key={action.id} session={session} action={action} show={show} />
      ))}
    </ul>
  )
}

interface ActionProps extends AgentActionsProps {
  readonly action: AgentSession['actions'][number]
}

function Action({ session, action, show }: ActionProps): JSX.Element {
  const { id, workspace } = session
  const path = { workspace_id: workspace?.id ?? '', session_id: id, action_id: action.id }
  const decide = async (option: 'approve' | 'reject'): Promise<void> => {
    const target = '/workspaces/{workspace_id}/agent_sessions/{session_id}/actions/{action_id}'
    show(await consoleData(api.POST(target, { params: { path }, body: { option } })))
  }
  const approving = useAct(() => decide('approve'))
  const rejecting = useAct(() => decide('reject'))
  const error = approving.error ?? rejecting.error
  const isBusy = approving.isBusy || rejecting.isBusy
  return (
    <li>
      <p>{action.title}</p>
      {error !== undefined && <Trouble message={error} />}
      <div class="actions start">
        <button class="main" disabled={isBusy} onClick={() => void approving.run()}>
          Approve
          <span class="hidden"> {action.title}</span>
        </button>
        <button disabled={isBusy} onClick={() => void rejecting.run()}>
          Reject
          <span class="hidden"> {action.title}</span>
        </button>
      </div>
    </li>
  )
}
