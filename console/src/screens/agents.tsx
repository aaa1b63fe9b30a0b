import type { JSX } from 'preact'
import type { AgentSession, ReachableAgent } from '../../../generated/console_types.ts'
import { api, base, consoleData } from '../api.ts'
import { AgentActions } from '../parts/agent_actions.tsx'
import { AgentSessionView, titleOf } from '../parts/agent_session_view.tsx'
import { EmptyState } from '../parts/empty_state.tsx'
import { Moment } from '../parts/moment.tsx'
import { ScreenHeader } from '../parts/screen_header.tsx'
import { isLive, SessionTag } from '../parts/session_tag.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { Link } from '../route.tsx'
import { useLoaded } from '../use_loaded.ts'
import { usePolling } from '../use_polling.ts'
import type { ScreenProps } from './screen.ts'

const ROOT = '/agents'
const PATH = /^\/agents\/([\da-f-]{36})\/([\da-f-]{36})$/
const loadAgents = () => consoleData(api.GET('/agents'))

/** The sessions of agents, or the one that the path names. */
export function Agents({ path, query }: ScreenProps): JSX.Element {
  const [, workspaceId, id] = PATH.exec(path) ?? []
  if (workspaceId !== undefined && id !== undefined) return <AgentSessionView key={id} workspaceId={workspaceId} id={id} />
  return <SessionList workspaceId={query.get('workspace') ?? ''} agentId={query.get('agent') ?? ''} />
}

interface SessionListProps {
  /** Empty for all. */
  readonly workspaceId: string
  /** Empty for all. */
  readonly agentId: string
}

function SessionList({ workspaceId, agentId }: SessionListProps): JSX.Element {
  const filter = { ...(workspaceId !== '' && { workspace_id: workspaceId }), ...(agentId !== '' && { agent_id: agentId }) }
  const load = () => consoleData(api.GET('/agent_sessions', { params: { query: filter } }))
  const { data, error, reload } = useLoaded(load, `${workspaceId} ${agentId}`)
  const { data: agents, error: agentsError, reload: reloadAgents } = useLoaded(loadAgents)
  usePolling(data?.results.some(isLive) ?? false, reload, [data, error])
  const shown = agents?.results.find((agent) => agent.id === agentId && agent.workspace?.id === workspaceId)
  return (
    <>
      <ScreenHeader title={shown?.name ?? 'Agents'} action={<button onClick={reload}>Reload</button>}>
        {shown ? <Link to={ROOT}>All agents</Link> : 'What agents do, and the changes that wait for your approval.'}
      </ScreenHeader>
      {error !== undefined && <Trouble message={error} retry={reload} />}
      {data?.results.length === 0 && <NoSessions />}
      <ul class="rows states">
        {data?.results.map((session) => (
          <Row key={session.id} session={session} reload={reload} />
        ))}
      </ul>
      {data?.has_more && <p class="small soft more">Older ones are not listed.</p>}
      {agentsError !== undefined && <Trouble message={agentsError} retry={reloadAgents} />}
      {agents && shown === undefined && <AgentList agents={agents.results} hasMore={agents.has_more} />}
    </>
  )
}

function NoSessions(): JSX.Element {
  return (
    <EmptyState title="No sessions">
      <p>
        A session appears here when somebody talks to an agent through the API, or a trigger starts one: see{' '}
        <a href={`${base}/docs/operations/createSession`}>createSession</a>.
      </p>
    </EmptyState>
  )
}

function Row({ session, reload }: { readonly session: AgentSession; readonly reload: () => void }): JSX.Element {
  const { id, status, agent, workspace, updated_time, error } = session
  return (
    <li>
      <SessionTag status={status} />
      <div class="grow">
        <h2>
          <Link to={`${ROOT}/${workspace?.id}/${id}`}>{titleOf(session)}</Link>
        </h2>
        {error !== null && <p class="small">{error}</p>}
        <p class="small soft">
          {agent?.name ?? 'An agent'} · {workspace?.name ?? 'A workspace without a name'} · <Moment time={updated_time} />
        </p>
        <AgentActions session={session} show={reload} />
      </div>
    </li>
  )
}

interface AgentListProps {
  readonly agents: readonly ReachableAgent[]
  readonly hasMore: boolean
}

function AgentList({ agents, hasMore }: AgentListProps): JSX.Element | null {
  if (agents.length === 0) return null
  return (
    <>
      <h2 class="part-title">Your agents</h2>
      <ul class="rows states">
        {agents.map((agent) => (
          <AgentRow key={`${agent.workspace?.id} ${agent.id}`} {...agent} />
        ))}
      </ul>
      {hasMore && <p class="small soft more">Others are not listed.</p>}
    </>
  )
}

function AgentRow({ id, name, description, workspace, status, pause_reason, last_run_time }: ReachableAgent): JSX.Element {
  const query = new URLSearchParams({ workspace: workspace?.id ?? '', agent: id })
  return (
    <li>
      {status === 'active' ? <span class="tag good">Active</span> : <span class="tag bad">Disabled</span>}
      <div class="grow">
        <h3>
          <Link to={`${ROOT}?${query}`}>{name}</Link>
        </h3>
        {description !== null && <p class="small">{description}</p>}
        <p class="small soft">
          {workspace?.name ?? 'A workspace without a name'}
          {pause_reason !== null && ` · ${pause_reason.replaceAll('_', ' ')}`}
          {last_run_time !== null && (
            <>
              {' '}
              · last run <Moment time={last_run_time} />
            </>
          )}
        </p>
      </div>
    </li>
  )
}
