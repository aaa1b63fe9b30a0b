import type { Actor } from '../../../../generated/types.ts'
import type { SessionRow } from '../../../store/sessions.ts'
import { PERSONAL_AGENT_ID } from '../agent.ts'
import { readJson } from '../../../store/stored/read_json.ts'

/** The author of an agent's messages: its bot, which has the id of the agent. The personal agent has none. */
export function botOf({ agent_id: id }: Pick<SessionRow, 'agent_id'>): Actor | null {
  return id === PERSONAL_AGENT_ID ? null : { type: 'bot', id }
}

/** The agents whose runs have led to the events of a session, oldest first, with the session's agent last. */
export function chainOf({ trigger_chain: chain, agent_id: id }: Pick<SessionRow, 'trigger_chain' | 'agent_id'>): string[] {
  return [...(chain === null ? [] : (readJson('sessions.trigger_chain', id, chain) as string[])), id]
}
