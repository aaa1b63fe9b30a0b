import type { JSX } from 'preact'
import type { AgentSession, AgentSessionDetails } from '../../../generated/console_types.ts'
import { api, consoleData } from '../api.ts'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { usePolling } from '../use_polling.ts'
import { AgentActions } from './agent_actions.tsx'
import { ConfirmButton } from './confirm_button.tsx'
import { Fact } from './fact.tsx'
import { Moment } from './moment.tsx'
import { ScreenHeader } from './screen_header.tsx'
import { SessionEvents } from './session_events.tsx'
import { isLive, SessionTag } from './session_tag.tsx'
import { Trouble } from './trouble.tsx'

interface AgentSessionViewProps {
  readonly workspaceId: string
  readonly id: string
}

/** One session: what waits for the person, and the latest messages. */
export function AgentSessionView({ workspaceId, id }: AgentSessionViewProps): JSX.Element {
  const params = { params: { path: { workspace_id: workspaceId, session_id: id } } }
  const load = () => consoleData(api.GET('/workspaces/{workspace_id}/agent_sessions/{session_id}', params))
  const { data, error, set, reload } = useLoaded(load)
  usePolling(data !== undefined && isLive(data.session), reload, [data, error])
  const cancel = async (): Promise<void> =>
    set(await consoleData(api.POST('/workspaces/{workspace_id}/agent_sessions/{session_id}/cancel', params)))
  const button = data && isLive(data.session) && (
    <ConfirmButton label="Stop" subject={titleOf(data.session)} title="Stop this turn?" act={cancel}>
      <p>The agent stops where it is. Changes that it has already made remain; actions that wait are dropped.</p>
    </ConfirmButton>
  )
  return (
    <>
      <ScreenHeader title={data ? titleOf(data.session) : 'Session'} action={button}>
        <Link to="/agents">All sessions</Link>
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data && <Details details={data} show={set} />}
    </>
  )
}

/** The title of a session; a message may have no text. */
export function titleOf({ title }: Pick<AgentSession, 'title'>): string {
  return title === '' ? 'A session without a title' : title
}

interface DetailsProps {
  readonly details: AgentSessionDetails
  readonly show: (details: AgentSessionDetails) => void
}

function Details({ details, show }: DetailsProps): JSX.Element {
  const { session, has_more: hasMore } = details
  const { status, agent, workspace, started_by, trigger_type, created_time, error } = session
  return (
    <>
      {session.actions.length > 0 && (
        <section class="done" aria-label="Waiting for your decision">
          <h2>{agent?.name ?? 'The agent'} waits for your decision</h2>
          <AgentActions session={session} show={show} />
          <p class="small soft">
            An approved change is made with your rights. Without a decision, the turn fails after 24 hours.
          </p>
        </section>
      )}
      {error !== null && (
        <section class="reason">
          <p class="said">{error}</p>
        </section>
      )}
      <dl class="facts">
        <Fact name="Status">
          <span role="status">
            <SessionTag status={status} />
          </span>
        </Fact>
        {agent && <Fact name="Agent">{agent.name ?? agent.id}</Fact>}
        {workspace && <Fact name="Workspace">{workspace.name ?? 'A workspace without a name'}</Fact>}
        <Fact name="Started">
          <Moment time={created_time} />{' '}
          {trigger_type === 'chat' ? `by ${started_by?.name ?? 'somebody'}` : `by the trigger ${trigger_type}`}
        </Fact>
      </dl>
      <h2 class="part-title">Messages</h2>
      {hasMore && <p class="small soft beside">Earlier ones are not shown.</p>}
      <SessionEvents {...details} />
    </>
  )
}
