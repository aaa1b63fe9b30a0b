import type { JSX } from 'preact'
import type { AgentSessionDetails, AgentSessionEvent } from '../../../generated/console_types.ts'
import { Moment } from './moment.tsx'
import { SessionTag } from './session_tag.tsx'

/** The latest events of a session. New ones are announced to screen readers. */
export function SessionEvents({ session, events }: AgentSessionDetails): JSX.Element {
  return (
    <div role="log" aria-label="Messages">
      <ol class="talk">
        {events.map((event) => (
          <li key={event.id} class={CLASSES[event.type]}>
            <Entry event={event} agentName={session.agent?.name ?? 'The agent'} />
          </li>
        ))}
      </ol>
    </div>
  )
}

const CLASSES: Readonly<Partial<Record<AgentSessionEvent['type'], string>>> = {
  'user.message': 'said-by-person',
  'agent.message': 'said-by-agent',
}

function Entry({ event, agentName }: { readonly event: AgentSessionEvent; readonly agentName: string }): JSX.Element {
  switch (event.type) {
    case 'user.message':
      return <Message event={event} author={event.author?.name ?? 'The trigger'} />
    case 'agent.message':
      return <Message event={event} author={agentName} />
    case 'agent.thinking':
      return (
        <details>
          <summary class="small soft">Thought</summary>
          <p class="text small soft">{event.text}</p>
        </details>
      )
    case 'agent.tool_use':
      return (
        <p class="small soft">
          Used the tool <code>{event.tool}</code>
        </p>
      )
    case 'agent.tool_result':
      return event.is_error ? (
        <p class="small wrong">
          <code>{event.tool}</code> failed
        </p>
      ) : (
        <p class="small soft">
          <code>{event.tool}</code> succeeded
        </p>
      )
    case 'session.status':
      return (
        <p class="small soft">
          {event.status === 'requires_action' ? 'Asked for a decision' : event.status && <SessionTag status={event.status} />}{' '}
          <Moment time={event.created_time} />
        </p>
      )
  }
}

function Message({ event, author }: { readonly event: AgentSessionEvent; readonly author: string }): JSX.Element {
  return (
    <>
      <p class="small soft">
        {author} · <Moment time={event.created_time} />
      </p>
      <p class="text">{event.text}</p>
      {event.files.length > 0 && <p class="small soft">Files: {event.files.join(', ')}</p>}
    </>
  )
}
